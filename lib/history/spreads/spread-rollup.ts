import { type HourColumns, MINUTES_PER_HOUR, SECONDS_PER_MINUTE } from "@/lib/history/hour-columns";
import type { SessionGroup } from "@/lib/history/spreads/spread-period";
import { alignPoints, toPrice } from "@/lib/market/price";

/**
 * A summary of spread samples in whole points. Roll-ups merge exactly and in any order, so a month is computed from its
 * hours and an hour from its minutes. Those of different digits merge in the finer ones.
 */
export interface SpreadRollup {
  /** The digits of the points. */
  readonly digits: number;
  /** Samples, one for each recorded second. */
  readonly n: number;
  /** Bigints: within a month a wide spread exceeds the integers that a double holds exactly. */
  readonly sum: bigint;
  readonly sumSquares: bigint;
  /** Infinity and -Infinity without a sample. */
  readonly min: number;
  readonly max: number;
}

/** How many samples each spread had: spread in points → samples. */
export type Histogram = ReadonlyMap<number, number>;

/** The same samples by their spread in price units, where those of several hours are joined. */
export type SpreadHistogram = ReadonlyMap<number, number>;

export const NO_SPREADS: SpreadRollup = { digits: 0, n: 0, sum: 0n, sumSquares: 0n, min: Infinity, max: -Infinity };

export function mergeRollups(one: SpreadRollup, other: SpreadRollup): SpreadRollup {
  if (one.n === 0) return other;
  if (other.n === 0) return one;
  if (one.digits !== other.digits) {
    const digits = Math.max(one.digits, other.digits);
    return mergeRollups(raiseRollup(one, digits), raiseRollup(other, digits));
  }
  return {
    digits: one.digits,
    n: one.n + other.n,
    sum: one.sum + other.sum,
    sumSquares: one.sumSquares + other.sumSquares,
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
  };
}

function raiseRollup({ digits: from, n, sum, sumSquares, min, max }: SpreadRollup, digits: number): SpreadRollup {
  const factor = 10n ** BigInt(digits - from);
  const raise = (points: number) => alignPoints(points, from, digits);
  return { digits, n, sum: sum * factor, sumSquares: sumSquares * factor ** 2n, min: raise(min), max: raise(max) };
}

/** Up to here squares are summed in a double before they are added to the bigint: twice as much is still exact. */
const EXACT = Number.MAX_SAFE_INTEGER / 2;

/** Sums samples one by one, or many of one spread at a time. Spreads are whole points. */
export class RollupBuilder {
  readonly #digits: number;
  #n = 0;
  #sum = 0;
  #largeSum = 0n;
  #squares = 0;
  #sumSquares = 0n;
  #min = Infinity;
  #max = -Infinity;

  constructor(digits: number) {
    this.#digits = digits;
  }

  add(spread: number, samples = 1): void {
    this.#n += samples;
    this.#addSum(spread, samples);
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

  #addSum(spread: number, samples: number): void {
    const sum = spread * samples;
    if (Math.abs(sum) < EXACT) this.#sum += sum;
    else this.#largeSum += BigInt(spread) * BigInt(samples);
    if (Math.abs(this.#sum) > EXACT) {
      this.#largeSum += BigInt(this.#sum);
      this.#sum = 0;
    }
  }

  build(): SpreadRollup {
    const sum = this.#largeSum + BigInt(this.#sum);
    const sumSquares = this.#sumSquares + BigInt(this.#squares);
    return { digits: this.#digits, n: this.#n, sum, sumSquares, min: this.#min, max: this.#max };
  }
}

/** @param digits of the points */
export function rollUp(histogram: Histogram, digits: number): SpreadRollup {
  const total = new RollupBuilder(digits);
  for (const [spread, samples] of histogram) total.add(spread, samples);
  return total.build();
}

/** Mean in price units; NaN without a sample. */
export function getMean({ digits, n, sum }: SpreadRollup): number {
  return toPrice(Number(sum) / n, digits);
}

/** Population standard deviation in price units; NaN without a sample. √(nΣx² − (Σx)²) / n, of whole numbers up to the root. */
export function getDeviation({ digits, n, sum, sumSquares }: SpreadRollup): number {
  return toPrice(Math.sqrt(Number(BigInt(n) * sumSquares - sum ** 2n)) / n, digits);
}

export function addHistogram(into: Map<number, number>, from: Histogram): void {
  for (const [spread, samples] of from) into.set(spread, (into.get(spread) ?? 0) + samples);
}

/** Adds a histogram in points of so many digits to one in price units. */
export function addPoints(into: Map<number, number>, from: Histogram, digits: number): void {
  for (const [points, samples] of from) {
    const spread = toPrice(points, digits);
    into.set(spread, (into.get(spread) ?? 0) + samples);
  }
}

/**
 * Percentiles by nearest rank: the smallest spread that at least `percent` of all samples do not exceed.
 * @param percents whole numbers from 1 to 100, ascending
 * @returns in the unit of the histogram, one for each of `percents`; none without a sample
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

/** One symbol's spreads over one UTC hour, minute by minute. */
export interface SpreadHour {
  readonly symbol: string;
  /** The broker; empty for the served quotes of any broker. */
  readonly source: string;
  /** When the hour began: UTC milliseconds. */
  readonly hourMs: number;
  /** The digits of the points. */
  readonly digits: number;
  /** Sixty histograms in the order of time, including empty ones. */
  readonly minutes: readonly Histogram[];
}

/** The source of the served quotes. No broker's name is empty. */
export const SERVED = "";

/** The spreads of an hour of served quotes: ask − bid of every recorded second. */
export function toSpreadHour(columns: HourColumns): SpreadHour {
  const minutes = Array.from({ length: MINUTES_PER_HOUR }, (_, minute) => toMinuteHistogram(columns, minute));
  const { symbol, hourMs, digits } = columns;
  return { symbol, source: SERVED, hourMs, digits, minutes };
}

function toMinuteHistogram({ updates, bid, ask }: HourColumns, minute: number): Histogram {
  const histogram = new Map<number, number>();
  const from = minute * SECONDS_PER_MINUTE;
  for (let second = from; second < from + SECONDS_PER_MINUTE; second++) {
    if (updates[second] === 0) continue;
    const spread = (ask[second] as number) - (bid[second] as number);
    histogram.set(spread, (histogram.get(spread) ?? 0) + 1);
  }
  return histogram;
}

/** The roll-up of an open hour, from one of its minutes on. */
export function rollUpColumns({ digits, updates, bid, ask }: HourColumns, fromMinute = 0): SpreadRollup {
  const total = new RollupBuilder(digits);
  for (let second = fromMinute * SECONDS_PER_MINUTE; second < updates.length; second++) {
    if (updates[second] !== 0) total.add((ask[second] as number) - (bid[second] as number));
  }
  return total.build();
}

/** The roll-up of some of an hour's minutes. */
export function rollUpMinutes(minutes: readonly Histogram[], digits: number): SpreadRollup {
  const total = new RollupBuilder(digits);
  for (const minute of minutes) for (const [spread, samples] of minute) total.add(spread, samples);
  return total.build();
}

/** The spreads of a period, in total and by session. Immutable. */
export interface SpreadStatistics {
  readonly total: SpreadRollup;
  readonly bySession: Readonly<Record<SessionGroup, SpreadRollup>>;
}

export const NO_STATISTICS: SpreadStatistics = {
  total: NO_SPREADS,
  bySession: { asian: NO_SPREADS, london: NO_SPREADS, new_york: NO_SPREADS },
};

/** Adds seconds of one UTC hour, during which the sessions of `open` were open. */
export function addHour(
  { total, bySession }: SpreadStatistics,
  open: readonly SessionGroup[],
  rollup: SpreadRollup,
): SpreadStatistics {
  const group = (name: SessionGroup) => (open.includes(name) ? mergeRollups(bySession[name], rollup) : bySession[name]);
  return {
    total: mergeRollups(total, rollup),
    bySession: { asian: group("asian"), london: group("london"), new_york: group("new_york") },
  };
}
