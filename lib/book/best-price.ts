import type { ServedQuote } from "@/lib/book/quote";
import { getSpread } from "@/lib/market/price";

/** The best prices over several sources. They may cross: the spread is then negative. */
export interface BestPrice {
  readonly bid: number;
  readonly ask: number;
  readonly spread: number;
}

/**
 * The highest bid and lowest ask over the live quotes. If none is live, the prices of `fallback`: prices of different
 * ages were never available together.
 */
export function findBestPrice(quotes: readonly ServedQuote[], fallback: ServedQuote, digits: number): BestPrice {
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
