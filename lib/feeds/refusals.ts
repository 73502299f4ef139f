/**
 * Why a tick was turned away, in the order they are looked for:
 * - unknown_symbol, ambiguous_symbol: the spelling names no instrument, or could name several;
 * - non_finite, non_positive: a price or a time that is not a number, or not above zero once rounded;
 * - crossed: bid above ask (equal is a price);
 * - future: the broker's time is ahead of our receipt by more than clocks differ;
 * - late: older than a quote already taken from this source for this symbol;
 * - duplicate: the same time and the same prices as the quote before it;
 * - far_off: too far from where the market is to be believed the first few times, or an absurd spread.
 */
export const REFUSALS = [
  "unknown_symbol",
  "ambiguous_symbol",
  "non_finite",
  "non_positive",
  "crossed",
  "future",
  "late",
  "duplicate",
  "far_off",
] as const;
export type Refusal = (typeof REFUSALS)[number];
export type RefusalCounts = Record<Refusal, number>;

export function createRefusalCounts(): RefusalCounts {
  return Object.fromEntries(REFUSALS.map((reason) => [reason, 0])) as RefusalCounts;
}
