import { Window } from "@/lib/analytics/indicators/window";

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
