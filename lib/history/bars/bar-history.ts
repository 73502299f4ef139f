import type { BarMemory } from "@/lib/analytics/indicators/run";
import type { Bar } from "@/lib/market/bar";
import type { BarHole } from "@/lib/market/expected-bars";
import type { Timeframe } from "@/lib/market/timeframe";

/** The current bars of one symbol and timeframe. */
export interface BarSeries {
  /**
   * Closed bars, oldest first: the latest thousand or so. The array is never changed. It is replaced when a bar closes,
   * so its identity can be a cache key.
   */
  readonly closed: readonly Bar[];
  /** What indicators remember of the bars before `closed`; null if those are the first ever recorded. */
  readonly past: BarMemory | null;
  /** Where bars are missing in `closed`, or before it, oldest first. */
  readonly holes: readonly BarHole[];
  /** The bar that is still filling; null before its first update. */
  readonly forming: Bar | null;
  /** Set if the bars are joined from others, and `past` has only some thousand bars. */
  readonly isJoined?: true;
}

/** A series that continues what is remembered of all bars begins some hundred bars before those that are needed. */
export type SeriesKind = "remembered" | "window";

export interface BarHistory<Known extends Timeframe = Timeframe> {
  /**
   * The current series: synchronous when it is in memory. An unknown symbol has an empty one.
   *
   * @param count the closed bars that are needed, where there are so many; some hundreds unless given
   * @param kind "window" for values that depend on those bars alone: `past` only says whether there are earlier ones
   */
  readSeries(symbol: string, timeframe: Known, count?: number, kind?: SeriesKind): BarSeries | Promise<BarSeries>;
  /** Loads the series of many symbols in a few queries. Call it before reading all of them, with the same count and kind. */
  loadAll(symbols: readonly string[], timeframe: Known, count?: number, kind?: SeriesKind): Promise<void>;
  /**
   * Bars that opened in [fromMs, toMs), oldest first, with the forming one: the first `limit` when `fromMs` is given, else
   * the latest `limit`.
   */
  readRange(
    symbol: string,
    timeframe: Known,
    range: { readonly fromMs?: number; readonly toMs?: number; readonly limit: number },
  ): Promise<readonly Bar[]>;
  /** Closed bars that opened before `toMs`: at least the latest `count`, where there are so many. */
  readBefore(
    symbol: string,
    timeframe: Known,
    range: { readonly toMs: number; readonly count: number },
  ): Promise<PastSeries>;
}

/** Bars of which those of many symbols are read together. */
export interface ManyBars<Known extends Timeframe = Timeframe> extends BarHistory<Known> {
  /** What `readBefore` reads, of each symbol. */
  readAllBefore(
    symbols: readonly string[],
    timeframe: Known,
    range: { readonly toMs: number; readonly count: number },
  ): Promise<ReadonlyMap<string, PastSeries>>;
}

/** Closed bars, oldest first, with what is remembered of the bars before them. */
export interface PastSeries extends Pick<BarSeries, "closed" | "past" | "isJoined"> {
  /** When the latest of the bars before them opened: UTC milliseconds; null if there are none. */
  readonly pastMs: number | null;
}

/** What readings are computed from. */
export type ReadableSeries = Pick<BarSeries, "closed" | "past" | "holes" | "isJoined">;
