import type { Instrument } from "@/lib/market/instrument";

/** The currencies against which others are traded most, in this order. */
const PARTNERS = ["USD", "EUR", "JPY", "GBP"];
const MOST_PAIRS = 3;

/** Returns the most traded pairs of a currency, at most three; none if it is in no pair. */
export function findMainPairs(currency: string, instruments: readonly Instrument[]): Instrument[] {
  const pairs = PARTNERS.flatMap((partner) =>
    instruments.filter(
      ({ category, base, quote }) =>
        category === "forex" && ((base === currency && quote === partner) || (base === partner && quote === currency)),
    ),
  );
  return pairs.slice(0, MOST_PAIRS);
}
