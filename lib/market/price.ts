/**
 * Exact arithmetic on prices. A price is a decimal number of points, and a double only approximates it. So every sum is
 * computed in whole points and divided once at the end, which gives the double that prints as the expected decimal
 * (0.00002, never 0.00002000000000013). Exact up to 10^14 points: a price of 100 million with six digits.
 */

const POWERS_OF_TEN = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10] as const;

/** A value this little below half a point is a half that binary arithmetic made smaller, such as 1.000005 × 10^5. */
const BINARY_NOISE = 1 + 4 * Number.EPSILON;

/** Decimals below the pip that count before pips are rounded; no broker quotes finer. */
const DIGITS_BELOW_PIP = 4;

const LARGEST_PIP_DIGITS = -2;
/** Sizes of a pip, from 100 down to 0.0000000001. The values are written out: a computed power has binary noise. */
export const PIP_SIZES = [100, 10, 1, 0.1, 0.01, 0.001, 0.0001, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10] as const;
const SCALE_OF_PIP: ReadonlyMap<number, number> = new Map(
  PIP_SIZES.map((pip, i) => [pip, Number(`1e${i + LARGEST_PIP_DIGITS + DIGITS_BELOW_PIP}`)]),
);

/** Nearest price on the grid of `digits` (0–10) decimals, halves away from zero. Never -0. */
export function roundPrice(value: number, digits: number): number {
  const scale = getPowerOfTen(digits);
  return toWholePoints(value, scale) / scale;
}

/** Ask minus bid in price units, after both are rounded to `digits` decimals; negative when they cross. */
export function getSpread(bid: number, ask: number, digits: number): number {
  const scale = getPowerOfTen(digits);
  return (toWholePoints(ask, scale) - toWholePoints(bid, scale)) / scale;
}

/**
 * Ask minus bid in pips with one decimal, halves away from zero; negative when they cross.
 * @throws RangeError unless `pipSize` is a power of ten from 100 down to 0.0000000001
 */
export function getSpreadPips(bid: number, ask: number, pipSize: number): number {
  const scale = SCALE_OF_PIP.get(pipSize);
  if (scale === undefined) throw new RangeError(`A pip is a power of ten from 100 to 1e-10, not ${pipSize}`);
  const points = toWholePoints(ask, scale) - toWholePoints(bid, scale);
  const tenths = Math.floor((Math.abs(points) + 500) / 1000);
  return points < 0 ? (0 - tenths) / 10 : tenths / 10;
}

/** How many decimals the shortest text of a price has, at most 10. */
export function countDigits(price: number): number {
  for (const [digits, scale] of POWERS_OF_TEN.entries()) {
    const rounded = Math.round(price * scale) / scale;
    if (rounded === price) return digits;
  }
  return POWERS_OF_TEN.length - 1;
}

/** The price as text with exactly `digits` decimals: "1.08500". */
export function formatPrice(value: number, digits: number): string {
  return roundPrice(value, digits).toFixed(digits);
}

function getPowerOfTen(digits: number): number {
  const power = POWERS_OF_TEN[digits];
  if (power === undefined) throw new RangeError(`A price has 0 to 10 decimals, not ${digits}`);
  return power;
}

function toWholePoints(value: number, scale: number): number {
  const points = Math.round(Math.abs(value) * scale * BINARY_NOISE);
  return value < 0 ? 0 - points : points;
}
