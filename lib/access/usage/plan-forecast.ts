import { getDayEnd, getDayStart } from "@/lib/access/admission/day-window";
import { type Entitlements, formatLimit, NO_LIMIT } from "@/lib/access/plans";
import { HOUR_MS } from "@/lib/time/units";

const TOO_EARLY_MS = HOUR_MS;

/**
 * Estimates the calls of the whole UTC day at the current pace: calls so far × length of the day ÷ time since midnight.
 * Null in the first hour, which is too early for an estimate.
 */
export function forecastToday(usedSoFar: number, nowMs: number): number | null {
  const sinceMs = nowMs - getDayStart(nowMs);
  if (sinceMs < TOO_EARLY_MS) return null;
  return Math.max(usedSoFar, Math.round((usedSoFar * (getDayEnd(nowMs) - getDayStart(nowMs))) / sinceMs));
}

/** What another plan adds, in words. */
export function listGains(own: Entitlements, other: Entitlements): string[] {
  const gains: string[] = [];
  if (other.perDay > own.perDay) {
    gains.push(`${formatLimit(other.perDay)} ${other.perDay === NO_LIMIT ? "on calls a day" : "calls a day"}`);
  }
  if (other.perMinute > own.perMinute) gains.push(`${formatLimit(other.perMinute)} requests a minute for each key`);
  if (other.streams > own.streams) gains.push(`${formatLimit(other.streams)} streams of prices for each key`);
  if (other.streamSymbols > own.streamSymbols)
    gains.push(
      other.streamSymbols === NO_LIMIT ? "all symbols in a stream" : `${other.streamSymbols} symbols in a stream`,
    );
  if (other.calendar && !own.calendar) gains.push("the economic calendar");
  if (other.actuals && !own.actuals) gains.push("released figures in the calendar");
  if (other.ticks && !own.ticks) gains.push("one-second ticks");
  if (other.indicatorHistory && !own.indicatorHistory) gains.push("past values of indicators");
  return gains;
}
