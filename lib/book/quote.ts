import type { QuoteState } from "@/lib/book/freshness";
import type { DataMode } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { getSpread, getSpreadPips } from "@/lib/market/price";

/** A quote as the book serves it. Immutable: an update or a change of state creates a new one. */
export interface ServedQuote {
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  /** ask − bid, in price units, rounded to the symbol's digits. */
  readonly spread: number;
  readonly spreadPips: number;
  /** The broker's time of the price, UTC milliseconds. */
  readonly timeMs: number;
  readonly source: string;
  readonly mode: DataMode;
  readonly state: QuoteState;
  /** The quote as JSON of `/v1`, serialised once for all requests. */
  readonly json: string;
}

/** The newest price of one symbol from one source. */
export interface SourcePrice {
  readonly source: string;
  readonly mode: DataMode;
  readonly bid: number;
  readonly ask: number;
  readonly timeMs: number;
}

export function serveQuote(instrument: Instrument, price: SourcePrice, state: QuoteState): ServedQuote {
  const { symbol, digits } = instrument;
  const { bid, ask, timeMs, source, mode } = price;
  const spread = getSpread(bid, ask, digits);
  const pips = getSpreadPips(bid, ask, instrument);
  // Symbols and source names are plain ASCII words, so they need no escaping.
  const json =
    `{"symbol":"${symbol}","bid":${bid},"ask":${ask},"spread":${spread},"spread_pips":${pips},` +
    `"timestamp":"${new Date(timeMs).toISOString()}","source":"${source}"}`;
  return { symbol, bid, ask, spread, spreadPips: pips, timeMs, source, mode, state, json };
}

/** The best prices over several sources. They may cross: the spread is then negative. */
type BestPrice = Pick<ServedQuote, "bid" | "ask" | "spread">;
type Sides = Pick<ServedQuote, "bid" | "ask">;

/**
 * The highest bid and lowest ask over the live quotes. If none is live, the prices of `fallback`: prices of different
 * ages were never available together.
 */
export function findBestPrice(
  quotes: readonly (Sides & Pick<ServedQuote, "state">)[],
  fallback: Sides,
  digits: number,
): BestPrice {
  let bid = -Infinity;
  let ask = Infinity;
  for (const quote of quotes) {
    if (quote.state !== "live") continue;
    if (quote.bid > bid) bid = quote.bid;
    if (quote.ask < ask) ask = quote.ask;
  }
  if (bid === -Infinity) {
    bid = fallback.bid;
    ask = fallback.ask;
  }
  return { bid, ask, spread: getSpread(bid, ask, digits) };
}
