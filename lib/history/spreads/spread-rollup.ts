import { type HourColumns, MINUTES_PER_HOUR, SECONDS_PER_MINUTE } from "@/lib/history/hour-columns";
import type { SessionGroup } from "@/lib/history/spreads/spread-period";

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

/** One symbol's spreads over one UTC hour, minute by minute. */
export interface SpreadHour {
  readonly symbol: string;
  /** The broker; empty for the served quotes of any broker. */
  readonly source: string;
  /** When the hour began: UTC milliseconds. */
  readonly hourMs: number;
  /** Sixty histograms in the order of time, including empty ones. */
  readonly minutes: readonly Histogram[];
}

/** The source of the served quotes. No broker's name is empty. */
export const SERVED = "";

/** The spreads of an hour of served quotes: ask − bid of every recorded second. */
export function toSpreadHour(columns: HourColumns): SpreadHour {
  const minutes = Array.from({ length: MINUTES_PER_HOUR }, (_, minute) => toMinuteHistogram(columns, minute));
  return { symbol: columns.symbol, source: SERVED, hourMs: columns.hourMs, minutes };
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
export function rollUpColumns({ updates, bid, ask }: HourColumns, fromMinute = 0): SpreadRollup {
  const total = new RollupBuilder();
  for (let second = fromMinute * SECONDS_PER_MINUTE; second < updates.length; second++) {
    if (updates[second] !== 0) total.add((ask[second] as number) - (bid[second] as number));
  }
  return total.build();
}

/** The roll-up of some of an hour's minutes. */
export function rollUpMinutes(minutes: readonly Histogram[]): SpreadRollup {
  const total = new RollupBuilder();
  for (const minute of minutes) for (const [spread, samples] of minute) total.add(spread, samples);
  return total.build();
}

/** The spreads of a period, in total and by session; in points. Immutable. */
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
