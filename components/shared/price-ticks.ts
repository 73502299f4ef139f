const MOST_STEPS = 4;

/**
 * Returns at most five whole pips to mark on an axis, with every price between the first and the last; none without
 * prices.
 */
export function computePriceTicks(prices: readonly number[], pipSize: number): number[] {
  if (prices.length === 0) return [];
  // Rounded, because the division is inexact and could move a price past a mark.
  const inPips = (price: number): number => Math.round((price / pipSize) * 1e4) / 1e4;
  const low = inPips(Math.min(...prices));
  const high = inPips(Math.max(...prices));
  for (let power = 1; ; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) {
      const first = Math.floor(low / step);
      const last = Math.max(Math.ceil(high / step), first + 1);
      if (last - first > MOST_STEPS) continue;
      return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step * pipSize);
    }
  }
}
