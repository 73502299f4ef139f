import type { QuoteState } from "@/lib/book/freshness";
import type { SessionGroup } from "@/lib/history/spreads/spread-period";

/** The data of the spreads page. Spreads are in pips, times in UTC milliseconds of the market. */

export interface SpreadTableData {
  readonly nowMs: number;
  /** In the order of the view's sort, the tightest first. */
  readonly rows: readonly SpreadRow[];
}

export interface SpreadRow extends SpreadNumbers, Percentiles {
  readonly symbol: string;
  readonly name: string;
}

export interface SpreadNumbers {
  /** The spread of the newest quote, whatever its state; null before the first. */
  readonly current: number | null;
  readonly state: QuoteState | null;
  /** Null without a recorded second in the period. */
  readonly avg: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** At most a minute old; null without a recorded second in the period. */
interface Percentiles {
  readonly p5: number | null;
  readonly median: number | null;
  readonly p95: number | null;
}

export interface SpreadDetailData {
  readonly symbol: string;
  readonly name: string;
  readonly nowMs: number;
  /** Null when nothing was recorded in the period. */
  readonly statistics: SpreadStatisticsData | null;
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

export interface SpreadLinesData {
  readonly fromMs: number;
  readonly nowMs: number;
  /** The length of a step. */
  readonly stepMs: number;
  readonly lines: readonly SpreadLine[];
  readonly sessions: readonly {
    readonly group: SessionGroup;
    readonly spans: readonly (readonly [number, number])[];
  }[];
}

export interface SpreadLine {
  /** As in the address: "EURUSD", or "EURUSD:Broker". */
  readonly key: string;
  /** Steps that have a sample, oldest first. */
  readonly points: readonly SpreadPoint[];
}

/** The percentiles are those of the served quotes; null for a source. */
export type SpreadPoint = readonly [startMs: number, avg: number, p5: number | null, p95: number | null];

export interface SpreadWeekData {
  /** The median of each weekday, from Sunday, and hour; null without a recorded second. */
  readonly cells: readonly (readonly (number | null)[])[];
}
