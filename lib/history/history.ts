import type { PoolClient } from "pg";
import type { HourColumns } from "@/lib/history/hour-columns";
import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";
import type { Histogram, SpreadRollup } from "@/lib/history/spreads/spread-rollup";
import type { SpreadStatistics } from "@/lib/history/spreads/spread-statistics";
import type { Bar } from "@/lib/market/bar";
import type { Timeframe } from "@/lib/market/timeframe";

/** What was recorded, as the endpoints and the pages read it; complete up to the last second that was written down. */

/** The hours that are still filling: normally one, two around the turn of the hour. */
export interface OpenHours {
  /** One symbol's open hours that hold anything, oldest first. */
  getHours(symbol: string): readonly HourColumns[];
  /** Raised with every second written into any of them. */
  readonly revision: number;
}

/** A store that is filled one closed hour at a time. */
export interface HourStore {
  /** Writes what it keeps of a closed hour, all symbols at once, inside the caller's transaction. Writing again changes nothing. */
  writeHour(client: PoolClient, columns: readonly HourColumns[]): Promise<void>;
}

/** Bars of one symbol and timeframe as they stand now. */
export interface BarSeries {
  /**
   * Closed bars, oldest first, the latest thousand or so. The array is never changed but replaced whenever a bar
   * closes, so that what was computed from it can be kept under its identity.
   */
  readonly closed: readonly Bar[];
  /** The bar that is filling; null before its first update. */
  readonly forming: Bar | null;
}

export interface BarHistory {
  /** The series as it stands, at once when it is in memory. An unknown or never seen symbol has an empty one. */
  readSeries(symbol: string, timeframe: Timeframe): BarSeries | Promise<BarSeries>;
  /** Takes every symbol's series of a timeframe into memory, in a few queries: ask for it before asking for them all. */
  loadAll(timeframe: Timeframe): Promise<void>;
  /**
   * Bars that opened in [fromMs, toMs), oldest first, the forming one included: the latest `limit` of them where only
   * `toMs` is given, the first `limit` where `fromMs` is.
   */
  readRange(
    symbol: string,
    timeframe: Timeframe,
    range: { readonly fromMs?: number; readonly toMs?: number; readonly limit: number },
  ): Promise<readonly Bar[]>;
}

/**
 * The spreads of the recorded seconds over a period that ends with the newest of them, in points. A period begins on a
 * whole minute or hour (spreads/spread-period.ts). What needs the database rejects when it cannot be read.
 */
export interface SpreadHistory {
  /**
   * Statistics of what was served; null when nothing was recorded in the period. At once when the symbol's hours are in
   * memory, and the same object until something has been recorded.
   */
  readStatistics(symbol: string, period: SpreadPeriod): SpreadStatistics | null | Promise<SpreadStatistics | null>;
  /** The same seconds as one histogram, and quarter of an hour by quarter of an hour. */
  readDetail(symbol: string, period: SpreadPeriod): Promise<SpreadDetail>;
  /**
   * Each source's own spreads, in no order; those without a sample are left out. They live in memory until their hour is
   * closed: a process that is killed loses those of its last hour, which compare brokers and price nothing.
   */
  readBySource(symbol: string, period: SpreadPeriod): Promise<readonly SourceRollup[]>;
}

/** The spreads of a period in full: what percentiles and a chart are drawn from. */
export interface SpreadDetail {
  readonly histogram: Histogram;
  /** Oldest first; quarters of an hour without a sample are left out. */
  readonly quarters: readonly SpreadQuarter[];
}

export interface SpreadQuarter {
  /** When the quarter of an hour began: UTC milliseconds. */
  readonly startMs: number;
  readonly rollup: SpreadRollup;
  /** The band that holds nine tenths of the samples, in points. */
  readonly p5: number;
  readonly p95: number;
}

export interface SourceRollup {
  readonly source: string;
  readonly rollup: SpreadRollup;
}
