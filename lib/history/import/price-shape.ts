/** The prices of a series as a small chart, collected row by row. */

/** At least half of these are left of a series that has as many. */
const MOST_POINTS = 300;

/** Lowest, highest and last bid of a stretch of time, which is `stepMs` long. */
type ShapePoint = readonly [timeMs: number, low: number, high: number, close: number];

export interface Shape {
  readonly stepMs: number;
  /** Oldest first; stretches without prices are left out. */
  readonly points: readonly ShapePoint[];
}

interface Stretch {
  low: number;
  high: number;
  close: number;
  lastMs: number;
}

/** Whenever there are too many stretches, two become one. Rows may come in any order. */
export class PriceShape {
  #stepMs: number;
  #stretches = new Map<number, Stretch>();
  #at = NaN;
  #current: Stretch | undefined;

  /** @param stepMs the length of the first stretches: that of the bars, or the shortest of ticks */
  constructor(stepMs: number) {
    this.#stepMs = stepMs;
  }

  add(timeMs: number, low: number, high: number, close: number): void {
    const at = Math.floor(timeMs / this.#stepMs);
    let stretch = at === this.#at ? this.#current : this.#stretches.get(at);
    if (stretch === undefined) {
      stretch = { low, high, close, lastMs: timeMs };
      this.#stretches.set(at, stretch);
      if (this.#stretches.size > MOST_POINTS) {
        this.#double();
        this.#at = NaN;
        return;
      }
    }
    this.#at = at;
    this.#current = stretch;
    if (low < stretch.low) stretch.low = low;
    if (high > stretch.high) stretch.high = high;
    if (timeMs >= stretch.lastMs) {
      stretch.lastMs = timeMs;
      stretch.close = close;
    }
  }

  build(): Shape {
    const sorted = [...this.#stretches].sort(([a], [b]) => a - b);
    const points = sorted.map(([at, { low, high, close }]): ShapePoint => [at * this.#stepMs, low, high, close]);
    return { stepMs: this.#stepMs, points };
  }

  #double(): void {
    const joined = new Map<number, Stretch>();
    for (const [at, stretch] of this.#stretches) {
      const half = Math.floor(at / 2);
      const known = joined.get(half);
      if (known === undefined) {
        joined.set(half, stretch);
        continue;
      }
      known.low = Math.min(known.low, stretch.low);
      known.high = Math.max(known.high, stretch.high);
      if (stretch.lastMs >= known.lastMs) {
        known.lastMs = stretch.lastMs;
        known.close = stretch.close;
      }
    }
    this.#stretches = joined;
    this.#stepMs *= 2;
    // Sparse stretches may have no neighbour to join.
    if (joined.size > MOST_POINTS) this.#double();
  }
}
