/** With fewer values a coefficient says little. */
const MIN_VALUES = 20;

/**
 * Pearson's correlation coefficient of two lists of the same length, from −1 to 1: the sum of the products of their
 * deviations from their means, divided by the root of the product of the sums of their squares (NIST/SEMATECH e-Handbook
 * of Statistical Methods, 1.3.3.26). Null with fewer than 20 values, or where one list does not vary.
 */
export function computeCorrelation(one: readonly number[], other: readonly number[]): number | null {
  const count = one.length;
  if (count < MIN_VALUES) return null;
  const [meanOne, meanOther] = [computeMean(one), computeMean(other)];
  let [products, squaresOne, squaresOther] = [0, 0, 0];
  for (let at = 0; at < count; at++) {
    const [x, y] = [(one[at] as number) - meanOne, (other[at] as number) - meanOther];
    products += x * y;
    squaresOne += x * x;
    squaresOther += y * y;
  }
  const scale = Math.sqrt(squaresOne * squaresOther);
  return scale === 0 ? null : Math.max(-1, Math.min(1, products / scale));
}

function computeMean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
