import { toWireBar } from "@/features/symbols/read-bars";
import type { LiveSymbol, PageQuote } from "@/features/symbols/types";
import { chooseBarPrice, readPrice, readTimeframe } from "@/features/symbols/url";
import type { QuoteState } from "@/lib/book/freshness";
import { findBestPrice, type ServedQuote } from "@/lib/book/quote";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import { getBars } from "@/lib/history/history";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { getSpreadPips, type PriceSide } from "@/lib/market/price";
import { getBarStart, getUsualBarMs, type Timeframe } from "@/lib/market/timeframe";
import { isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import type { Runtime } from "@/lib/runtime";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

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
  const nowMs = Math.floor(marketNow());
  const served = book.served(symbol);
  const read = (side: PriceSide, of: string, state: QuoteState | undefined) =>
    isOfSeconds(timeframe, side) && state === "closed"
      ? null
      : readNewestBar(getBars(history, side), { symbol: of, timeframe, side }, nowMs).catch(forgoWithoutDatabase);
  const bar = await read(price, symbol, served?.state);
  const compared = compare === null ? null : await read("bid", compare, book.served(compare)?.state);
  const quotes = book.sources(symbol);
  const best = served === undefined ? null : findBestPrice(quotes, served, digits);
  return {
    nowMs,
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

/** The price is in memory, and is shown without its bar. */
function forgoWithoutDatabase(error: unknown): null {
  if (!isDatabaseUnavailable(error)) throw error;
  return null;
}

function toPageQuote({ source, bid, ask, spreadPips, timeMs, state }: ServedQuote): PageQuote {
  return { source, bid, ask, spreadPips, timeMs, state };
}

/** How long after its end a bar of seconds is still sent. */
const ENDED_MS = 10 * SECOND_MS;

const isOfSeconds = (timeframe: Timeframe, side: PriceSide) => side !== "bid" || getUsualBarMs(timeframe) < MINUTE_MS;

/**
 * The newest bar; null before the first. Bars that are joined from seconds are looked up hour by hour, so of those only the
 * one that is filling or has just ended is looked for: this is called several times a second for each reader.
 */
async function readNewestBar(
  bars: BarHistory,
  { symbol, timeframe, side }: { readonly symbol: string; readonly timeframe: Timeframe; readonly side: PriceSide },
  nowMs: number,
) {
  const range = isOfSeconds(timeframe, side)
    ? { fromMs: getBarStart(timeframe, nowMs - ENDED_MS), limit: ENDED_MS / SECOND_MS + 1 }
    : { limit: 1 };
  const bar = (await bars.readRange(symbol, timeframe, range)).at(-1);
  return bar === undefined ? null : toWireBar(bar);
}

/** Reads the address of a symbol's live data; null for an unknown symbol. */
export function readLiveRequest(symbol: string, query: URLSearchParams): LiveRequest | null {
  const instrument = instrumentBySymbol.get(symbol);
  if (instrument === undefined) return null;
  const compare = query.get("compare") ?? "";
  const timeframe = readTimeframe(query);
  const price = chooseBarPrice(timeframe, readPrice(query));
  return { instrument, timeframe, price, compare: instrumentBySymbol.has(compare) ? compare : null };
}
