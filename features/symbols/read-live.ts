import { toWireBar } from "@/features/symbols/read-bars";
import type { LiveSymbol, PageQuote } from "@/features/symbols/types";
import { readPrice, readTimeframe } from "@/features/symbols/url";
import { findBestPrice } from "@/lib/book/book";
import type { ServedQuote } from "@/lib/book/quote";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import { getBars } from "@/lib/history/history";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { getSpreadPips, type PriceSide } from "@/lib/market/price";
import { hasAllSides, type Timeframe } from "@/lib/market/timeframe";
import type { Runtime } from "@/lib/runtime";

export type LiveRuntime = Pick<Runtime, "book" | "history" | "marketNow">;

export interface LiveRequest {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  readonly price: PriceSide;
  /** The symbol that is compared; null for none. */
  readonly compare: string | null;
}

/** Reads what changes with every price of a symbol. From memory, unless a series has to be loaded first. */
export async function readLive(
  { book, history, marketNow }: LiveRuntime,
  { instrument, timeframe, price, compare }: LiveRequest,
): Promise<LiveSymbol> {
  const { symbol, digits } = instrument;
  const bar = await readNewestBar(getBars(history, price), symbol, timeframe);
  const compared = compare === null ? null : await readNewestBar(history.bars, compare, timeframe);
  const served = book.served(symbol);
  const quotes = book.sources(symbol);
  const best = served === undefined ? null : findBestPrice(quotes, served, digits);
  return {
    nowMs: Math.floor(marketNow()),
    quote: served === undefined ? null : toPageQuote(served),
    sources: quotes.map(toPageQuote),
    best: best && { bid: best.bid, ask: best.ask, spreadPips: getSpreadPips(best.bid, best.ask, instrument) },
    timeframe,
    price,
    compare,
    bar,
    compared,
  };
}

function toPageQuote({ source, bid, ask, spreadPips, timeMs, state }: ServedQuote): PageQuote {
  return { source, bid, ask, spreadPips, timeMs, state };
}

async function readNewestBar(bars: BarHistory, symbol: string, timeframe: Timeframe) {
  const [bar] = await bars.readRange(symbol, timeframe, { limit: 1 });
  return bar === undefined ? null : toWireBar(bar);
}

/** Reads the address of a symbol's live data; null for an unknown symbol. */
export function readLiveRequest(symbol: string, query: URLSearchParams): LiveRequest | null {
  const instrument = instrumentBySymbol.get(symbol);
  if (instrument === undefined) return null;
  const compare = query.get("compare") ?? "";
  const timeframe = readTimeframe(query);
  const price = hasAllSides(timeframe) ? readPrice(query) : "bid";
  return { instrument, timeframe, price, compare: instrumentBySymbol.has(compare) ? compare : null };
}
