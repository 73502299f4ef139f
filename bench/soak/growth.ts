import { HOUR_MS } from "@/lib/time/units";

/** One measured value at a time, in milliseconds. */
export interface Point {
  readonly atMs: number;
  readonly value: number;
}

/** How a value changes. */
export interface Growth {
  /** Of the straight line through the points: units an hour. */
  readonly perHour: number;
  /** The same in percent of the mean. */
  readonly percentPerHour: number;
  /**
   * The mean difference between each point and the one an hour before, in percent: what an hour begins and ends with
   * cancels out. Null without such pairs.
   */
  readonly percentSinceHourBefore: number | null;
}

const MOST_PERCENT = 1;
/** How far from a whole hour a pair may be apart. */
const PAIR_TOLERANCE_MS = 20_000;

/** Computes the growth over the second half of the time that the points span. */
export function measureGrowth(points: readonly Point[]): Growth {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return { perHour: 0, percentPerHour: 0, percentSinceHourBefore: null };
  const late = points.filter(({ atMs }) => atMs >= (first.atMs + last.atMs) / 2);
  const perHour = fitSlope(late) * HOUR_MS;
  const differences = late.flatMap(({ atMs, value }) => {
    const before = points.find((point) => Math.abs(atMs - HOUR_MS - point.atMs) <= PAIR_TOLERANCE_MS);
    return before === undefined ? [] : [value - before.value];
  });
  const mean = computeMean(late.map(({ value }) => value));
  return {
    perHour,
    percentPerHour: toPercent(perHour, mean),
    percentSinceHourBefore: differences.length === 0 ? null : toPercent(computeMean(differences), mean),
  };
}

/** Whether a value grows by at most one percent an hour, or by less than one unit, which is no growth of a count. */
export function isSteady({ perHour, percentPerHour }: Growth): boolean {
  return percentPerHour <= MOST_PERCENT || perHour < 1;
}

/** Whether a value that every hour repeats, such as the memory of the open hour, is steady from hour to hour. */
export function isSteadyByHours({ percentSinceHourBefore }: Growth): boolean {
  return percentSinceHourBefore !== null && percentSinceHourBefore <= MOST_PERCENT;
}

/** The slope of the least-squares line, in units a millisecond. */
function fitSlope(points: readonly Point[]): number {
  const meanX = computeMean(points.map(({ atMs }) => atMs));
  const meanY = computeMean(points.map(({ value }) => value));
  const covariance = points.reduce((sum, { atMs, value }) => sum + (atMs - meanX) * (value - meanY), 0);
  const variance = points.reduce((sum, { atMs }) => sum + (atMs - meanX) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}

const computeMean = (values: readonly number[]) => values.reduce((sum, it) => sum + it, 0) / values.length;
const toPercent = (part: number, whole: number) => (whole === 0 ? 0 : (part / whole) * 100);
