import { ApiError } from "@/lib/api/engine/errors";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import type { Timeframe } from "@/lib/market/timeframe";
import { formatBarTime } from "@/lib/time/iso-time";

/** What ranges that end before the stored prices are refused with. */

/** How long prices are stored, for people: "90 days"; null if they are never removed. */
export function formatRetention(days: number | null): string | null {
  if (days === null) return null;
  return days === 1 ? "1 day" : `${days} days`;
}

/** 400 DATA_OUTSIDE_RETENTION: the range ended before `earliest`, a time as the endpoint writes its times. */
export function createRetentionError(earliest: string, days: number | null): ApiError {
  return new ApiError("DATA_OUTSIDE_RETENTION", `The range ends before the earliest stored prices, of ${earliest}.`, {
    earliest_available: earliest,
    retention_period: formatRetention(days),
  });
}

/**
 * Throws 400 DATA_OUTSIDE_RETENTION if a range of bars that has none ends before the first stored bar.
 *
 * @param toMs the end of the range, itself not in it; undefined for now
 * @param days how long the bars are stored
 */
export async function requireStoredBars(
  history: BarHistory,
  { symbol, timeframe }: { readonly symbol: string; readonly timeframe: Timeframe },
  toMs: number | undefined,
  days: number | null,
): Promise<void> {
  if (toMs === undefined) return;
  const [first] = await history.readRange(symbol, timeframe, { fromMs: 0, limit: 1 });
  if (first !== undefined && toMs <= first.timeMs) throw createRetentionError(formatBarTime(first.timeMs), days);
}
