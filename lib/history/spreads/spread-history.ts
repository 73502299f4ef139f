import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";
import {
  addHistogram,
  getPercentiles,
  type SpreadHistogram,
  type SpreadHour,
  type SpreadRollup,
  type SpreadStatistics,
} from "@/lib/history/spreads/spread-rollup";
import { toCivilTime } from "@/lib/time/civil-time";
import { HOUR_MS } from "@/lib/time/units";

/**
 * The spreads of the recorded seconds, in price units, over a period that ends with the newest of them. A period begins on a
 * whole minute or hour (spread-period.ts). A read that needs the database rejects when the database cannot be read.
 */
export interface SpreadHistory {
  /**
   * Statistics of the served quotes; null when the period has none. Synchronous when the symbol's hours are in memory,
   * and the same object until something is recorded.
   */
  readStatistics(symbol: string, period: SpreadPeriod): SpreadStatistics | null | Promise<SpreadStatistics | null>;
  /** The same seconds as one histogram and in steps, by default of a quarter of an hour. */
  readDetail(symbol: string, period: SpreadPeriod, stepMinutes?: StepMinutes): Promise<SpreadDetail>;
  /**
   * Each source's own spreads, unordered, without those that have no sample. They stay in memory until their hour is
   * closed: a killed process loses those of its last hour. They compare brokers; no price depends on them.
   */
  readBySource(symbol: string, period: SpreadPeriod): Promise<readonly SourceRollup[]>;
  /** The same in steps. Steps of less than an hour need a period of a day at most. */
  readSourceSteps(symbol: string, period: SpreadPeriod, stepMinutes: StepMinutes): Promise<readonly SourceSteps[]>;
  /** The percentiles of the served quotes, at most a minute old; null when the period has none. */
  readPercentiles(symbol: string, period: SpreadPeriod): Promise<SpreadPercentiles | null>;
  /** The median spread of each minute in some hours, whenever they were. */
  readMinutes(symbol: string, hoursMs: readonly number[]): Promise<readonly SpreadMinute[]>;
  /** The usual week of the served quotes on a zone's clock, from the closed hours of the last 30 days. */
  readWeek(symbol: string, zone: string): Promise<SpreadWeek>;
  /** Each source's own hours that are in memory, without its current second. */
  getFilling(symbol: string): readonly SpreadHour[];
}

/** What is known of the spreads at a moment of the past. */
export type PastSpreads = Omit<SpreadHistory, "getFilling">;

/** Percentiles by nearest rank, in price units. */
export interface SpreadPercentiles {
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
}

/** Everything that percentiles and a chart need. */
export interface SpreadDetail {
  readonly histogram: SpreadHistogram;
  /** Oldest first; steps without a sample are left out. */
  readonly steps: readonly SpreadStep[];
}

/** The length of a step. */
export type StepMinutes = 1 | 15 | 60;

/** The steps in which a period is drawn: some hundreds at most. */
export const DRAWN_STEPS: Readonly<Record<SpreadPeriod, StepMinutes>> = { "1h": 1, "24h": 15, "7d": 60, "30d": 60 };

export interface SpreadStep {
  /** When the step began: UTC milliseconds. */
  readonly startMs: number;
  readonly rollup: SpreadRollup;
  /** The 5th and 95th percentile, in price units. */
  readonly p5: number;
  readonly p95: number;
}

/** A minute of the served quotes. Minutes without a sample are left out. */
export interface SpreadMinute {
  /** When it began: UTC milliseconds. */
  readonly startMs: number;
  /** In price units. */
  readonly median: number;
}

export interface SourceRollup {
  readonly source: string;
  readonly rollup: SpreadRollup;
  /** When the source's first minute in the period began, or its first hour if that is older than a day: UTC milliseconds. */
  readonly sinceMs: number;
}

/** The steps of one source, oldest first; steps without a sample are left out. */
export interface SourceSteps {
  readonly source: string;
  readonly steps: readonly Pick<SpreadStep, "startMs" | "rollup">[];
}

/** The spreads of a quarter of an hour. */
export interface SpreadQuarter {
  /** UTC milliseconds. */
  readonly startMs: number;
  readonly histogram: SpreadHistogram;
}

/** The usual spreads of a week in one zone, in price units. */
export interface SpreadWeek {
  /** The median of each weekday and hour: 7 lists from Sunday, of 24 hours each; null without a sample. */
  readonly cells: readonly (readonly (number | null)[])[];
  /** The median of each hour of the day, of all days; null without a sample. */
  readonly hours: readonly (number | null)[];
}

const WEEKDAYS = 7;
const HOURS = 24;

/**
 * Computes the median spread by weekday and hour of a zone's clock. All samples of an hour count alike, one for each
 * recorded second. Zones are ahead of UTC by whole quarters of an hour, so a quarter lies in one hour of each.
 */
export function computeSpreadWeek(quarters: readonly SpreadQuarter[], zone: string): SpreadWeek {
  const cells = Array.from({ length: WEEKDAYS * HOURS }, () => new Map<number, number>());
  for (const { startMs, histogram } of quarters) {
    const { weekday, msOfDay } = toCivilTime(zone, startMs);
    addHistogram(cells[weekday * HOURS + Math.floor(msOfDay / HOUR_MS)] as Map<number, number>, histogram);
  }
  const hours = Array.from({ length: HOURS }, (_, hour) => {
    const all = new Map<number, number>();
    for (let weekday = 0; weekday < WEEKDAYS; weekday++)
      addHistogram(all, cells[weekday * HOURS + hour] as SpreadHistogram);
    return all;
  });
  return {
    cells: Array.from({ length: WEEKDAYS }, (_, weekday) =>
      cells.slice(weekday * HOURS, (weekday + 1) * HOURS).map(findMedian),
    ),
    hours: hours.map(findMedian),
  };
}

function findMedian(histogram: SpreadHistogram): number | null {
  return getPercentiles(histogram, [50])[0] ?? null;
}
