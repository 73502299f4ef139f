/**
 * What is kept of a stretch of spread samples, in whole points. Two stretches merge without losing anything, in any
 * order, so a month is put together from its hours and an hour from its minutes.
 */
export interface SpreadRollup {
  /** Samples, one for each recorded second. */
  readonly n: number;
  readonly sum: number;
  /** Outgrows what a double holds exactly within a month of a wide spread. */
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

/** Largest sum of squares left as a double before it is added to the whole: twice as much is still exact. */
const EXACT = Number.MAX_SAFE_INTEGER / 2;

/** Takes samples one by one, or many of one spread at a time, and tells their roll-up. Spreads are whole points. */
export function createRollup() {
  let n = 0;
  let sum = 0;
  let squares = 0;
  let sumSquares = 0n;
  let min = Infinity;
  let max = -Infinity;
  return {
    add(spread: number, samples = 1): void {
      n += samples;
      sum += spread * samples;
      const square = spread * spread * samples;
      if (square < EXACT) squares += square;
      else sumSquares += BigInt(spread) ** 2n * BigInt(samples);
      if (squares > EXACT) {
        sumSquares += BigInt(squares);
        squares = 0;
      }
      if (spread < min) min = spread;
      if (spread > max) max = spread;
    },
    rollup: (): SpreadRollup => ({ n, sum, sumSquares: sumSquares + BigInt(squares), min, max }),
  };
}

export function rollUp(histogram: Histogram): SpreadRollup {
  const total = createRollup();
  for (const [spread, samples] of histogram) total.add(spread, samples);
  return total.rollup();
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
  const found: number[] = [];
  let passed = 0;
  for (const [spread, samples] of sorted) {
    passed += samples;
    // A product of whole numbers is exact, so no rank is missed by a hair.
    while (found.length < percents.length && passed * 100 >= (percents[found.length] as number) * total) {
      found.push(spread);
    }
  }
  return found;
}
