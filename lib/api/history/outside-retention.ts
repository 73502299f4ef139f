import { ApiError } from "@/lib/api/engine/errors";
import type { Services } from "@/lib/api/engine/services";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import { getRetentionStart } from "@/lib/history/retention";
import { KEEP_TICKS_HINT } from "@/lib/history/tapes/kept-ticks";
import type { KeptOfSymbols, KeptTimes } from "@/lib/history/tapes/tape-history";
import type { Instrument } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";
import { formatBarTime, formatMilliseconds, formatTime } from "@/lib/time/iso-time";

/** What ranges are refused with in which no prices are stored, and none will be. */

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

interface TickRange {
  readonly instrument: Pick<Instrument, "symbol">;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The error for symbols of which not every tick was ever stored. */
export function createNotKeptError(symbols: readonly string[]): ApiError {
  const [some, more] = [symbols.slice(0, 5).join(", "), symbols.length - 5];
  const which = more > 0 ? `${some} and ${more} more` : some;
  const message = `Not every tick of ${which} is kept: ${KEEP_TICKS_HINT}. Without resolution=tick, the seconds are answered.`;
  return new ApiError("DATA_NOT_FOUND", message);
}

/** Throws 404 DATA_NOT_FOUND or 400 DATA_OUTSIDE_RETENTION unless ticks were stored in a range without ticks, or may come. */
export function requireKeptTicks(
  { instrument: { symbol }, fromMs, toMs }: TickRange,
  { kept, notKept }: KeptTimes,
  { keepDays, marketNow }: Pick<Services, "keepDays" | "marketNow">,
): void {
  if (kept === null) throw createNotKeptError([symbol]);
  const storedFromMs = getRetentionStart(keepDays.ticks, marketNow());
  if (toMs <= storedFromMs) throw createRetentionError(formatTime(storedFromMs), keepDays.ticks);
  const [missing] = notKept;
  if (missing?.fromMs !== fromMs || missing.toMs !== Math.min(toMs, marketNow())) return;
  const [since, until] = [formatMilliseconds(kept.fromMs), formatMilliseconds(kept.toMs)];
  const message = `Every tick of ${symbol} was kept from ${since} to ${until}, but not in this range.`;
  throw new ApiError("DATA_NOT_FOUND", message, { kept_from: since, kept_until: until });
}

/** Throws 404 DATA_NOT_FOUND unless ticks of any of some symbols were stored in a range. */
export function requireAnyKept(symbols: readonly string[], { isAnyKept, nearest }: KeptOfSymbols): void {
  if (isAnyKept) return;
  if (nearest === null) throw createNotKeptError(symbols);
  const [since, until] = [formatMilliseconds(nearest.fromMs), formatMilliseconds(nearest.toMs)];
  const which = symbols.length === 1 ? symbols.join() : "some of these symbols";
  const message = `Every tick of ${which} was kept from ${since} to ${until}, but none in this range.`;
  throw new ApiError("DATA_NOT_FOUND", message, { kept_from: since, kept_until: until });
}
