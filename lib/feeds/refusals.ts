/**
 * Why a tick was refused, in the order of the checks:
 * - unknown_symbol, ambiguous_symbol: the spelling names no instrument, or could name several;
 * - second_spelling: the source quotes the same instrument under a spelling that names it more surely, or that came
 *   first and still comes;
 * - non_finite, non_positive: a price or a time is not a number, or is not above zero once rounded;
 * - crossed: the bid is above the ask (equal is allowed);
 * - future: the broker's time is ahead of the receipt by more than clocks differ;
 * - late: older than a quote already accepted from this source for this symbol;
 * - duplicate: the same time and the same prices as the quote before it;
 * - far_off: too far from the market's level until it is repeated, or an implausible spread.
 */
export const REFUSALS = [
  "unknown_symbol",
  "ambiguous_symbol",
  "second_spelling",
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
