import {
  alignBars,
  computeRawStrengths,
  computeReturn,
  CURRENCIES,
  currencyPairs,
} from "@/lib/analytics/strength/strength";
import type { Bar } from "@/lib/market/bar";

/** The correlation of each row with each column; both are the compared symbols or currencies, in their order. */
export interface CorrelationMatrix {
  /** From −1 to 1; null with fewer than 20 common returns, or where one side does not move. */
  readonly rows: readonly (readonly (number | null)[])[];
  /** The returns behind the coefficient that has the fewest; 0 without coefficients. */
  readonly bars: number;
}

/**
 * Correlates symbols by their closed bars, oldest first: for each two symbols Pearson's coefficient of the logarithmic
 * returns ln(close ÷ previous close), between the bars that both symbols have, over the latest `count` returns. A
 * coefficient depends on its two symbols only, not on the others of the list.
 */
export function correlateSymbols(series: readonly (readonly Bar[])[], count: number): CorrelationMatrix {
  const prices = series.map((bars) => bars.map(({ timeMs, close }) => ({ timeMs, log: Math.log(close) })));
  return fillMatrix(prices, (one, other) => readCommonReturns(one, other, count));
}

/**
 * Correlates the eight currencies, in the order of `CURRENCIES`, by the closed bars of `currencyPairs`. A currency's return
 * in a bar is the mean of its pairs' logarithmic returns, + as the base, − as the quote: its move against the other
 * seven. These returns add up to zero, so that the mean of all coefficients of different currencies is below zero.
 */
export function correlateCurrencies(pairs: readonly (readonly Bar[])[], count: number): CorrelationMatrix {
  const { times, pairs: aligned } = alignBars(pairs, count + 1);
  const returns: number[][] = CURRENCIES.map(() => []);
  for (let at = 1; at < times.length; at++) {
    const moves = currencyPairs.map(({ base, quote }, pair) => ({
      base,
      quote,
      value: computeReturn(aligned[pair] ?? [], at - 1, at),
    }));
    for (const [currency, value] of computeRawStrengths(moves).entries()) returns[currency]?.push(value);
  }
  return fillMatrix(returns, dropGaps);
}

interface LogPrice {
  readonly timeMs: number;
  /** The natural logarithm of the close. */
  readonly log: number;
}

/** Two lists of the same length. */
type Returns = readonly [one: readonly number[], other: readonly number[]];

function fillMatrix<Item>(items: readonly Item[], readReturns: (one: Item, other: Item) => Returns): CorrelationMatrix {
  const rows: (number | null)[][] = items.map(() => []);
  let bars = Infinity;
  for (const [row, one] of items.entries()) {
    for (const [column, other] of items.slice(0, row + 1).entries()) {
      const [values, otherValues] = readReturns(one, other);
      const coefficient = computeCorrelation(values, otherValues);
      (rows[row] as (number | null)[])[column] = coefficient;
      (rows[column] as (number | null)[])[row] = coefficient;
      if (coefficient !== null) bars = Math.min(bars, values.length);
    }
  }
  return { rows, bars: bars === Infinity ? 0 : bars };
}

/** The latest `count` logarithmic returns of two symbols between the bars that both have, newest first. */
function readCommonReturns(one: readonly LogPrice[], other: readonly LogPrice[], count: number): Returns {
  const returns: [number[], number[]] = [[], []];
  let [later, otherLater] = [NaN, NaN];
  let [at, otherAt] = [one.length - 1, other.length - 1];
  while (at >= 0 && otherAt >= 0 && returns[0].length < count) {
    const [price, otherPrice] = [one[at] as LogPrice, other[otherAt] as LogPrice];
    if (price.timeMs >= otherPrice.timeMs) at--;
    if (price.timeMs <= otherPrice.timeMs) otherAt--;
    if (price.timeMs !== otherPrice.timeMs) continue;
    if (!Number.isNaN(later)) {
      returns[0].push(later - price.log);
      returns[1].push(otherLater - otherPrice.log);
    }
    [later, otherLater] = [price.log, otherPrice.log];
  }
  return returns;
}

/** Leaves out the bars in which one of the two has no return (NaN). */
function dropGaps(one: readonly number[], other: readonly number[]): Returns {
  const hasBoth = one.map((value, at) => !Number.isNaN(value) && !Number.isNaN(other[at]));
  return [one.filter((_, at) => hasBoth[at]), other.filter((_, at) => hasBoth[at])];
}

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
