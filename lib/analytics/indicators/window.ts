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
