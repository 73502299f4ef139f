import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";
import type { Histogram, SpreadRollup } from "@/lib/history/spreads/spread-rollup";
import type { SpreadStatistics } from "@/lib/history/spreads/spread-statistics";
import type { SpreadWeek } from "@/lib/history/spreads/spread-week";

/**
 * The spreads of the recorded seconds, in points, over a period that ends with the newest of them. A period begins on a
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
}

/** Percentiles by nearest rank, in points. */
export interface SpreadPercentiles {
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
}

/** Everything that percentiles and a chart need. */
export interface SpreadDetail {
  readonly histogram: Histogram;
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
  /** The 5th and 95th percentile, in points. */
  readonly p5: number;
  readonly p95: number;
}

/** A minute of the served quotes. Minutes without a sample are left out. */
export interface SpreadMinute {
  /** When it began: UTC milliseconds. */
  readonly startMs: number;
  /** In points. */
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
