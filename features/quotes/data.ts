import { toWireRow } from "@/features/quotes/board-row";
import type { BoardInstrument, BoardUpdate } from "@/features/quotes/types";
import type { SourceBoard } from "@/features/quotes/types";
import { findBestPrice } from "@/lib/book/best-price";
import { instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { getSpreadPips } from "@/lib/market/price";
import type { Runtime } from "@/lib/runtime";

/** The parts of the runtime that the board reads. */
export type BoardRuntime = Pick<Runtime, "book" | "marketNow">;

/** All instruments, in the catalogue's order. */
export const boardInstruments: readonly BoardInstrument[] = instruments.map(
  ({ symbol, name, category, digits, pipSize }) => ({ symbol, name, category, digits, pipSize }),
);

/** Reads the whole board now. Symbols without a quote have no row. */
export function readBoard({ book, marketNow }: BoardRuntime): BoardUpdate {
  const rows = boardInstruments.flatMap(({ symbol }) => {
    const quote = book.served(symbol);
    return quote === undefined ? [] : [toWireRow(quote)];
  });
  return { nowMs: Math.floor(marketNow()), rows };
}

/** Reads the quote of every source for one instrument, and the best of the live quotes. */
export function readSources({ book, marketNow }: BoardRuntime, instrument: Instrument): SourceBoard {
  const { symbol, digits, pipSize } = instrument;
  const quotes = book.sources(symbol);
  const served = book.served(symbol);
  const best = served === undefined ? null : findBestPrice(quotes, served, digits);
  return {
    nowMs: Math.floor(marketNow()),
    served: served?.source ?? null,
    best: best && { bid: best.bid, ask: best.ask, spreadPips: getSpreadPips(best.bid, best.ask, pipSize) },
    sources: quotes.map(({ source, bid, ask, spreadPips: pips, timeMs, state }) => ({
      source,
      bid,
      ask,
      spreadPips: pips,
      timeMs,
      state,
    })),
  };
}
