import { setTimeout as pause } from "node:timers/promises";
import { toWireDay, toWireRow } from "@/features/quotes/board-row";
import { includesWords } from "@/features/quotes/board-view";
import { encodeLine } from "@/features/quotes/spark-lines";
import type { BoardInstrument, BoardUpdate, SourceBoard, WireLine } from "@/features/quotes/types";
import type { FirstSearch } from "@/features/quotes/use-sorted";
import { toPips } from "@/lib/api/history/spread-comparison";
import { findBestPrice } from "@/lib/book/book";
import { instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { getSpreadPips } from "@/lib/market/price";
import { searchInstruments } from "@/lib/market/symbol-search";
import type { Runtime } from "@/lib/runtime";

/** The parts of the runtime that the board reads. */
export type BoardRuntime = Pick<Runtime, "book" | "marketNow"> & { readonly history: Pick<Runtime["history"], "days"> };

/** All instruments, in the catalogue's order. */
export function listBoardInstruments(): BoardInstrument[] {
  return instruments.map(({ symbol, name, category, digits, pipSize }) => ({
    symbol,
    name,
    category,
    digits,
    pipSize,
  }));
}

/** Finds what a search of the page's address means beside words of symbols and names: an alias, a broker's spelling. */
export function findFirst(search: string): FirstSearch {
  const found = searchInstruments(instruments, search, catalogResolver).filter((each) => !includesWords(each, search));
  return { search, found: found.slice(0, MOST_FOUND).map(({ symbol }) => symbol) };
}

const MOST_FOUND = 20;

/** Reads the whole board now. Symbols without a quote have no row, and those without a recorded price no day. */
export function readBoard({ book, history, marketNow }: BoardRuntime): BoardUpdate {
  const rows = instruments.flatMap(({ symbol }) => {
    const quote = book.served(symbol);
    return quote === undefined ? [] : [toWireRow(quote)];
  });
  const days = instruments.flatMap(({ symbol }) => {
    const day = history.days.read(symbol);
    return day === undefined ? [] : [toWireDay(symbol, day)];
  });
  return { nowMs: Math.floor(marketNow()), rows, days };
}

/** How long a page waits for the days. They are in memory except after a start, and the stream sends them once they are. */
const DAYS_WAIT_MS = 300;

/** Loads the days of all symbols, for a short time; a failure leaves them out. */
export async function awaitDays({ history }: Pick<BoardRuntime, "history">): Promise<void> {
  await Promise.race([history.days.load().catch(() => {}), pause(DAYS_WAIT_MS)]);
}

/** Reads the prices of every symbol's day. */
export async function readLines({ history }: Pick<BoardRuntime, "history">): Promise<Record<string, WireLine>> {
  await history.days.load();
  return Object.fromEntries(
    instruments.flatMap(({ symbol }) => {
      const day = history.days.read(symbol);
      return day === undefined ? [] : [[symbol, encodeLine(day.startMs, history.days.readQuarters(symbol))]];
    }),
  );
}

/** Reads the usual spread of every symbol that has one, in pips: the 5th and 95th percentile over seven days. */
export async function readUsual({ history }: Pick<Runtime, "history">): Promise<Record<string, [number, number]>> {
  const spreads = await history.usualSpreads.read();
  return Object.fromEntries(
    instruments.flatMap((instrument) => {
      const usual = spreads.get(instrument.symbol);
      if (usual === undefined) return [];
      return [[instrument.symbol, [toPips(usual.p5, instrument), toPips(usual.p95, instrument)]]];
    }),
  );
}

/** Currencies with economic events; coins, metals and shares have those of the currency that they are priced in. */
const EVENT_CURRENCIES: ReadonlySet<string> = new Set(["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"]);

/** Reads the quote of every source for one instrument, and the best of the live quotes. */
export function readSources({ book, marketNow }: Omit<BoardRuntime, "history">, instrument: Instrument): SourceBoard {
  const { symbol, digits, base, quote } = instrument;
  const quotes = book.sources(symbol);
  const served = book.served(symbol);
  const best = served === undefined ? null : findBestPrice(quotes, served, digits);
  return {
    nowMs: Math.floor(marketNow()),
    currencies: [base, quote].flatMap((code) => (code !== null && EVENT_CURRENCIES.has(code) ? code : [])),
    served: served?.source ?? null,
    best: best && { bid: best.bid, ask: best.ask, spreadPips: getSpreadPips(best.bid, best.ask, instrument) },
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
