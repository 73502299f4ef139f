/**
 * Exact arithmetic on prices. A price is a decimal number of points, and a double only approximates it. So every sum is
 * computed in whole points and divided once at the end, which gives the double that prints as the expected decimal
 * (0.00002, never 0.00002000000000013).
 */

const POWERS_OF_TEN = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13] as const;

/** A value this little below half a point is a half that binary arithmetic made smaller, such as 1.000005 × 10^5. */
const BINARY_NOISE = 1 + 4 * Number.EPSILON;
/** Beyond so many points, that much is more than a tenth of a point. */
const MOST_NOISY_POINTS = 1e14;

/** The most decimals of a price. Further ones are rounded. */
export const MAX_DIGITS = 10;
/** The most points of a price: of so many, a double has every single one. 200,000 with ten digits, a million with nine. */
export const MAX_POINTS = 2e15;

/** Which price of a quote. */
export const PRICE_SIDES = ["bid", "ask", "mid"] as const;
export type PriceSide = (typeof PRICE_SIDES)[number];

/** One price of a quote; the mid is the mean of both. */
export function choosePrice({ bid, ask }: { readonly bid: number; readonly ask: number }, side: PriceSide): number {
  return side === "bid" ? bid : side === "ask" ? ask : (bid + ask) / 2;
}

/** Sizes of a pip, from 100 down to 0.0000000001. The values are written out: a computed power has binary noise. */
export const PIP_SIZES = [100, 10, 1, 0.1, 0.01, 0.001, 0.0001, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10] as const;
const LARGEST_PIP_DIGITS = -2;
const DIGITS_OF_PIP: ReadonlyMap<number, number> = new Map(PIP_SIZES.map((pip, i) => [pip, i + LARGEST_PIP_DIGITS]));

/**
 * The decimals of a price as its source wrote it: those of its shortest decimal form, up to ten, and no more than a
 * double can hold. 0.30000000000000004 has one, because the rest is binary noise. 0 for what is not finite.
 */
export function countDigits(price: number): number {
  if (!Number.isFinite(price)) return 0;
  for (let digits = 0; digits < MAX_DIGITS; digits++) if (isWithin(price, digits)) return digits;
  return countRoundedDigits(price);
}

/** Whether a price has at most so many decimals; binary noise beyond the tenth does not count. */
export function hasDigits(price: number, digits: number): boolean {
  return isWithin(price, digits) || countDigits(price) <= digits;
}

/**
 * A price without binary noise: 0.30000000000000004 is 0.3, and 1.6411999464035034, which 32 bits hold, is 1.6412. Its own
 * digits stay, up to ten.
 * @param digits of the prices before it, with which the check is fast
 */
export function cleanPrice(price: number, digits: number): number {
  if (isWithin(price, digits)) return price;
  const isNarrow = Math.fround(price) === price && Number(price.toPrecision(MOST_FLOAT_DIGITS)) !== price;
  return isNarrow ? widenFloat(price) : roundPrice(price, MAX_DIGITS);
}

/** The most decimal digits that tell two numbers of 32 bits apart. */
const MOST_FLOAT_DIGITS = 9;

/** The number with the fewest decimal digits that 32 bits hold as this one: 1.1, not 1.10000002384. */
export function widenFloat(value: number): number {
  for (let digits = 1; digits < MOST_FLOAT_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(MOST_FLOAT_DIGITS));
}

/** Digits of a price beyond those of its instrument that need no question: some venues are finer than most brokers. */
export const FINER_DIGITS = 2;
/** The leading digits that a cheap coin's prices have too. */
const LEADING_DIGITS = 6;

/** The most digits that a price of an instrument has without a doubt. */
export function getMostDigits({ digits }: Pick<PriceGrid, "digits">, price: number): number {
  const leading = LEADING_DIGITS - 1 - Math.floor(Math.log10(Math.abs(price)));
  return Math.min(MAX_DIGITS, Math.max(digits + FINER_DIGITS, leading || 0));
}

/** The most digits, up to `digits`, of which a price has at most `MAX_POINTS`. */
export function fitDigits(price: number, digits: number): number {
  let fitting = digits;
  while (fitting > 0 && Math.abs(price) * getPowerOfTen(fitting) > MAX_POINTS) fitting--;
  return fitting;
}

/** A price in whole points of 10^-digits, halves away from zero. Never -0. */
export function toPoints(price: number, digits: number): number {
  return toWholePoints(price, getPowerOfTen(digits));
}

/** Points of 10^-digits as a price: the double that prints as the intended decimal. */
export function toPrice(points: number, digits: number): number {
  return points / getPowerOfTen(digits);
}

/** Points of 10^-from as points of 10^-to: exact up to `MAX_POINTS` unless `to` is less, then rounded. */
export function alignPoints(points: number, from: number, to: number): number {
  if (from === to) return points;
  return to > from ? points * getPowerOfTen(to - from) : Math.round(points / getPowerOfTen(from - to));
}

/** Nearest price on the grid of `digits` (0–13) decimals, fewer if it is too large; halves away from zero. Never -0. */
export function roundPrice(value: number, digits: number): number {
  const scale = getPowerOfTen(fitDigits(value, digits));
  return toWholePoints(value, scale) / scale;
}

/** Ask minus bid in price units, after both are rounded to `digits` decimals; negative when they cross. */
export function getSpread(bid: number, ask: number, digits: number): number {
  const scale = getPowerOfTen(fitDigits(Math.max(bid, ask), digits));
  return (toWholePoints(ask, scale) - toWholePoints(bid, scale)) / scale;
}

/**
 * Ask minus bid in pips, after both are rounded to `digits` decimals: exact, with one decimal or as many as a point
 * needs; negative when they cross.
 * @throws RangeError unless `pipSize` is a power of ten from 100 down to 0.0000000001
 */
export function getSpreadPips(bid: number, ask: number, { pipSize, digits }: PriceGrid): number {
  const pipDigits = DIGITS_OF_PIP.get(pipSize);
  if (pipDigits === undefined) throw new RangeError(`A pip is a power of ten from 100 to 1e-10, not ${pipSize}`);
  const fitting = fitDigits(Math.max(bid, ask), digits);
  const scale = getPowerOfTen(fitting);
  const points = toWholePoints(ask, scale) - toWholePoints(bid, scale);
  const finer = fitting - pipDigits;
  return finer < 0 ? points * getPowerOfTen(-finer) : points / getPowerOfTen(finer);
}

/** The point and the pip of an instrument. */
interface PriceGrid {
  /** Decimals of a price. */
  readonly digits: number;
  readonly pipSize: number;
}

/** The price as text with exactly `digits` decimals: "1.08500". */
export function formatPrice(value: number, digits: number): string {
  return roundPrice(value, digits).toFixed(digits);
}

/** The price of a source as text, with `digits` decimals or as many as it has. */
export function formatSentPrice(price: number, digits: number): string {
  return price.toFixed(Math.max(digits, countDigits(price)));
}

/** A spread of `getSpreadPips` as text, with one decimal or as many as it has. */
export function formatSpreadPips(pips: number): string {
  return formatSentPrice(pips, 1);
}

function getPowerOfTen(digits: number): number {
  const power = POWERS_OF_TEN[digits];
  if (power === undefined) throw new RangeError(`A number has 0 to 13 decimals, not ${digits}`);
  return power;
}

function toWholePoints(value: number, scale: number): number {
  const size = Math.abs(value) * scale;
  const points = Math.round(size < MOST_NOISY_POINTS ? size * BINARY_NOISE : size);
  return value < 0 ? 0 - points : points;
}

/** Whether a price is exactly a number of points. */
function isWithin(price: number, digits: number): boolean {
  const scale = getPowerOfTen(digits);
  return Math.round(price * scale) / scale === price;
}

/** The digits of a price with noise or too many decimals. */
function countRoundedDigits(price: number): number {
  const most = fitDigits(price, MAX_DIGITS);
  const rounded = roundPrice(price, most);
  let digits = 0;
  while (digits < most && !isWithin(rounded, digits)) digits++;
  return digits;
}
