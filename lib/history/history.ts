import type { PoolClient } from "pg";
import type { Bar } from "@/lib/market/bar";
import type { HourColumns } from "@/lib/history/hour-columns";
import type { Timeframe } from "@/lib/market/timeframe";

/** What was recorded, as the endpoints and the pages read it; complete up to the last second that was written down. */

/** The hours that are still filling: normally one, two around the turn of the hour. */
export interface OpenHours {
  /** One symbol's open hours that hold anything, oldest first. */
  of(symbol: string): readonly HourColumns[];
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
  series(symbol: string, timeframe: Timeframe): BarSeries | Promise<BarSeries>;
  /** Takes every symbol's series of a timeframe into memory, in a few queries: ask for it before asking for them all. */
  loadAll(timeframe: Timeframe): Promise<void>;
  /**
   * Bars that opened in [fromMs, toMs), oldest first, the forming one included: the latest `limit` of them where only
   * `toMs` is given, the first `limit` where `fromMs` is.
   */
  between(
    symbol: string,
    timeframe: Timeframe,
    range: { readonly fromMs?: number; readonly toMs?: number; readonly limit: number },
  ): Promise<readonly Bar[]>;
}
