/** With fewer common values a coefficient says little. */
const MIN_VALUES = 20;

/**
 * Pearson's correlation coefficient of two lists of the same length, from −1 to 1: the sum of the products of their
 * deviations from their means, divided by the root of the product of the sums of their squares (NIST/SEMATECH e-Handbook
 * of Statistical Methods, 1.3.3.26). Places where one of them is NaN are left out. Null with fewer than 20 places, or
 * where one list does not vary.
 */
export function computeCorrelation(one: readonly number[], other: readonly number[]): number | null {
  let [count, sumOne, sumOther] = [0, 0, 0];
  forEachPlace(one, other, (x, y) => {
    count++;
    sumOne += x;
    sumOther += y;
  });
  if (count < MIN_VALUES) return null;
  const [meanOne, meanOther] = [sumOne / count, sumOther / count];
  let [products, squaresOne, squaresOther] = [0, 0, 0];
  forEachPlace(one, other, (x, y) => {
    products += (x - meanOne) * (y - meanOther);
    squaresOne += (x - meanOne) ** 2;
    squaresOther += (y - meanOther) ** 2;
  });
  const scale = Math.sqrt(squaresOne * squaresOther);
  return scale === 0 ? null : Math.max(-1, Math.min(1, products / scale));
}

/** Calls `visit` with the values at each place where both lists have one. */
function forEachPlace(one: readonly number[], other: readonly number[], visit: (x: number, y: number) => void): void {
  for (let at = 0; at < one.length; at++) {
    const [x, y] = [one[at] as number, other[at] as number];
    if (!Number.isNaN(x) && !Number.isNaN(y)) visit(x, y);
  }
}
