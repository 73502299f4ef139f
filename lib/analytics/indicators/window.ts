import type { Stream } from "@/lib/analytics/indicators/definition";
import type { Bar } from "@/lib/market/bar";

/**
 * The latest `size` numbers of a series, oldest first. Every result is computed from all of them, in that order: errors
 * do not accumulate, a flat window is exactly flat, and a window does not depend on what was in it before.
 */
export class Window {
  readonly values: Float64Array;
  count = 0;

  constructor(size: number) {
    this.values = new Float64Array(size);
  }

  /** Adds the next number and drops the oldest. Returns whether the window is full. */
  push(value: number): boolean {
    const { values } = this;
    values.copyWithin(0, 1);
    values[values.length - 1] = value;
    if (this.count < values.length) this.count += 1;
    return this.count === values.length;
  }

  /** The oldest number of a full window. */
  oldest(): number {
    return this.values[0] as number;
  }

  sum(): number {
    const { values } = this;
    let sum = 0;
    for (let i = 0; i < values.length; i += 1) sum += values[i] as number;
    return sum;
  }

  /**
   * The mean, corrected by the mean distance from it. That removes the rounding error of the sum, so that the mean of
   * equal numbers is exact. An oscillator near zero shows the difference.
   */
  mean(): number {
    const { values } = this;
    const rough = this.sum() / values.length;
    let distance = 0;
    for (let i = 0; i < values.length; i += 1) distance += (values[i] as number) - rough;
    return rough + distance / values.length;
  }

  highest(): number {
    const { values } = this;
    let highest = values[0] as number;
    for (let i = 1; i < values.length; i += 1) if ((values[i] as number) > highest) highest = values[i] as number;
    return highest;
  }

  lowest(): number {
    const { values } = this;
    let lowest = values[0] as number;
    for (let i = 1; i < values.length; i += 1) if ((values[i] as number) < lowest) lowest = values[i] as number;
    return lowest;
  }

  /** Mean distance from `mean`; 0 if it is only rounding noise. */
  meanDeviation(mean: number): number {
    const { values } = this;
    let sum = 0;
    for (let i = 0; i < values.length; i += 1) sum += Math.abs((values[i] as number) - mean);
    return removeNoise(sum / values.length, mean);
  }

  /** Population standard deviation around `mean`, in two passes; 0 if it is only rounding noise. */
  standardDeviation(mean: number): number {
    const { values } = this;
    let sum = 0;
    for (let i = 0; i < values.length; i += 1) {
      const distance = (values[i] as number) - mean;
      sum += distance * distance;
    }
    return removeNoise(Math.sqrt(sum / values.length), mean);
  }
}

/** Below this share of the mean a deviation is rounding noise: 20 equal prices do not sum to 20 times the price. */
const NOISE = 1e-12;

function removeNoise(deviation: number, mean: number): number {
  return deviation <= NOISE * Math.abs(mean) ? 0 : deviation;
}

/** A moving average or another filter of numbers. Its fields are all that it remembers. */
export interface Filter {
  /** Adds the next number and returns the value at it; null while there are too few. */
  push(value: number): number | null;
}

/** Plain mean of the latest `period` numbers. */
export class SimpleAverage implements Filter {
  readonly window: Window;

  constructor(period: number) {
    this.window = new Window(period);
  }

  push(value: number): number | null {
    return this.window.push(value) ? this.window.mean() : null;
  }
}

/**
 * Exponential average with k = 2 / (period + 1), seeded with the first number and hidden until the `period`-th, as in
 * MetaTrader. (TA-Lib seeds with the mean of the first `period`; after some 200 bars the two agree.)
 */
export class ExponentialAverage implements Filter {
  average = 0;
  count = 0;
  readonly #period: number;

  constructor(period: number) {
    this.#period = period;
  }

  push(value: number): number | null {
    const k = 2 / (this.#period + 1);
    this.average = this.count === 0 ? value : this.average + k * (value - this.average);
    if (this.count < this.#period) this.count += 1;
    return this.count < this.#period ? null : this.average;
  }
}

/**
 * Wilder's average: the simple mean of the first `period` numbers, then (previous × (period − 1) + new) / period. Both
 * are computed as a step towards the new number, so that equal numbers have exactly themselves as average.
 */
export class WilderAverage implements Filter {
  average = 0;
  count = 0;
  readonly #period: number;

  constructor(period: number) {
    this.#period = period;
  }

  push(value: number): number | null {
    if (this.count < this.#period) this.count += 1;
    this.average += (value - this.average) / this.count;
    return this.count < this.#period ? null : this.average;
  }
}

/** A line drawn `bars` bars ahead: the value at a bar is the one computed that many bars earlier. */
export class DelayedLine implements Filter {
  readonly filter: Filter;
  readonly window: Window;

  constructor(filter: Filter, bars: number) {
    this.filter = filter;
    this.window = new Window(bars + 1);
  }

  push(value: number): number | null {
    const computed = this.filter.push(value);
    if (computed === null) return null;
    return this.window.push(computed) ? this.window.oldest() : null;
  }
}

/** A stream without fields: a value that is not finite is none, and -0 is 0. */
export function createLine(push: (bar: Bar) => number | null): Stream {
  return {
    push(bar) {
      const value = push(bar);
      return value === null || !Number.isFinite(value) ? null : value + 0;
    },
  };
}

/** Exponential averages one of the other; each begins where the one before it is first shown. */
export class ExponentialChain implements Filter {
  readonly averages: readonly ExponentialAverage[];

  constructor(periods: readonly number[]) {
    this.averages = periods.map((period) => new ExponentialAverage(period));
  }

  push(value: number): number | null {
    let next: number | null = value;
    for (const average of this.averages) next = next === null ? null : average.push(next);
    return next;
  }
}
