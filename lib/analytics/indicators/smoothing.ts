import { Window } from "@/lib/analytics/indicators/window";

/** A moving average or another filter of numbers: adds the next number and returns the value at it, or null. */
export type Filter = (value: number) => number | null;

/** Plain mean of the latest `period` numbers. */
export function createSimpleAverage(period: number): Filter {
  const window = new Window(period);
  return (value) => (window.push(value) ? window.mean() : null);
}

/**
 * Exponential average with k = 2 / (period + 1), seeded with the first number and hidden until the `period`-th, as in
 * MetaTrader. (TA-Lib seeds with the mean of the first `period`; after some 200 bars the two agree.)
 */
export function createExponentialAverage(period: number): Filter {
  const k = 2 / (period + 1);
  let average = 0;
  let count = 0;
  return (value) => {
    average = count === 0 ? value : average + k * (value - average);
    if (count < period) count += 1;
    return count < period ? null : average;
  };
}

/**
 * Wilder's average: the simple mean of the first `period` numbers, then (previous × (period − 1) + new) / period. Both
 * are computed as a step towards the new number, so that equal numbers have exactly themselves as average.
 */
export function createWilderAverage(period: number): Filter {
  let average = 0;
  let count = 0;
  return (value) => {
    if (count < period) count += 1;
    average += (value - average) / count;
    return count < period ? null : average;
  };
}

/** A line drawn `bars` bars ahead: the value at a bar is the one computed that many bars earlier. */
export function delay(filter: Filter, bars: number): Filter {
  const window = new Window(bars + 1);
  return (value) => {
    const computed = filter(value);
    if (computed === null) return null;
    return window.push(computed) ? window.oldest() : null;
  };
}
