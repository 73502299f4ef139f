/**
 * A summary of spread samples in whole points. Roll-ups merge exactly and in any order, so a month is computed from its
 * hours and an hour from its minutes.
 */
export interface SpreadRollup {
  /** Samples, one for each recorded second. */
  readonly n: number;
  readonly sum: number;
  /** A bigint: within a month a wide spread exceeds the integers that a double holds exactly. */
  readonly sumSquares: bigint;
  /** Infinity and -Infinity without a sample. */
  readonly min: number;
  readonly max: number;
}

/** How many samples each spread had: spread in points → samples. */
export type Histogram = ReadonlyMap<number, number>;

export const NO_SPREADS: SpreadRollup = { n: 0, sum: 0, sumSquares: 0n, min: Infinity, max: -Infinity };

export function mergeRollups(one: SpreadRollup, other: SpreadRollup): SpreadRollup {
  if (one.n === 0) return other;
  if (other.n === 0) return one;
  return {
    n: one.n + other.n,
    sum: one.sum + other.sum,
    sumSquares: one.sumSquares + other.sumSquares,
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
  };
}

/** Up to here squares are summed in a double before they are added to the bigint: twice as much is still exact. */
const EXACT = Number.MAX_SAFE_INTEGER / 2;

/** Sums samples one by one, or many of one spread at a time. Spreads are whole points. */
export class RollupBuilder {
  #n = 0;
  #sum = 0;
  #squares = 0;
  #sumSquares = 0n;
  #min = Infinity;
  #max = -Infinity;

  add(spread: number, samples = 1): void {
    this.#n += samples;
    this.#sum += spread * samples;
    const square = spread * spread * samples;
    if (square < EXACT) this.#squares += square;
    else this.#sumSquares += BigInt(spread) ** 2n * BigInt(samples);
    if (this.#squares > EXACT) {
      this.#sumSquares += BigInt(this.#squares);
      this.#squares = 0;
    }
    if (spread < this.#min) this.#min = spread;
    if (spread > this.#max) this.#max = spread;
  }

  build(): SpreadRollup {
    const sumSquares = this.#sumSquares + BigInt(this.#squares);
    return { n: this.#n, sum: this.#sum, sumSquares, min: this.#min, max: this.#max };
  }
}

export function rollUp(histogram: Histogram): SpreadRollup {
  const total = new RollupBuilder();
  for (const [spread, samples] of histogram) total.add(spread, samples);
  return total.build();
}

/** Mean in points; NaN without a sample. */
export function getMean({ n, sum }: SpreadRollup): number {
  return sum / n;
}

/** Population standard deviation in points; NaN without a sample. √(nΣx² − (Σx)²) / n, of whole numbers up to the root. */
export function getDeviation({ n, sum, sumSquares }: SpreadRollup): number {
  return Math.sqrt(Number(BigInt(n) * sumSquares - BigInt(sum) ** 2n)) / n;
}

export function addHistogram(into: Map<number, number>, from: Histogram): void {
  for (const [spread, samples] of from) into.set(spread, (into.get(spread) ?? 0) + samples);
}

/**
 * Percentiles in points by nearest rank: the smallest spread that at least `percent` of all samples do not exceed.
 * @param percents whole numbers from 1 to 100, ascending
 * @returns one for each of `percents`; none without a sample
 */
export function getPercentiles(histogram: Histogram, percents: readonly number[]): number[] {
  const sorted = [...histogram].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, samples]) => sum + samples, 0);
  const percentiles: number[] = [];
  let passed = 0;
  for (const [spread, samples] of sorted) {
    passed += samples;
    // A product of whole numbers is exact, so no rank is missed by rounding.
    while (percentiles.length < percents.length && passed * 100 >= (percents[percentiles.length] as number) * total) {
      percentiles.push(spread);
    }
  }
  return percentiles;
}
