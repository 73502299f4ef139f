import type { QuoteState } from "@/lib/book/freshness";
import type { SessionGroup } from "@/lib/history/spreads/session-groups";

/** The data of the spreads page. Spreads are in pips, times in UTC milliseconds of the market. */

export interface SpreadTableData {
  readonly nowMs: number;
  /** Tightest on average first. */
  readonly rows: readonly SpreadRow[];
}

export interface SpreadRow extends SpreadNumbers {
  readonly symbol: string;
  readonly name: string;
}

export interface SpreadNumbers {
  /** Of the newest quote, whatever its state; null before the first. */
  readonly current: number | null;
  readonly state: QuoteState | null;
  /** Null without a recorded second in the period. */
  readonly avg: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

export interface SpreadDetailData {
  readonly symbol: string;
  readonly name: string;
  readonly fromMs: number;
  readonly nowMs: number;
  /** Null when nothing was recorded in the period. */
  readonly statistics: SpreadStatisticsData | null;
  /** The length of a step of the series. */
  readonly stepMs: number;
  /** Steps that have a sample, oldest first. */
  readonly series: readonly SpreadPoint[];
  readonly sessions: readonly {
    readonly group: SessionGroup;
    readonly spans: readonly (readonly [number, number])[];
  }[];
  readonly sources: readonly SourceSpreads[];
}

interface SourceSpreads extends SpreadNumbers {
  readonly source: string;
  /** When its figures begin, if they begin later than those of the period; else null. */
  readonly sinceMs: number | null;
}

interface SpreadStatisticsData {
  readonly avg: number;
  readonly min: number;
  readonly max: number;
  readonly deviation: number;
  readonly median: number;
  readonly p5: number;
  readonly p95: number;
  readonly bySession: Readonly<Record<SessionGroup, number | null>>;
}

export type SpreadPoint = readonly [startMs: number, avg: number, p5: number, p95: number, min: number, max: number];
