import { endOfDay, startOfDay } from "@/lib/access/admission/day-window";
import { formatLimit } from "@/lib/access/plan-text";
import { type Entitlements, NO_LIMIT } from "@/lib/access/plans";
import { HOUR_MS } from "@/lib/time/units";

/** What an account may expect: of its day at the present pace, and of another plan. Pure. */

const tooEarlyMs = HOUR_MS;

/**
 * About how many calls there will have been by midnight UTC, should the rest of the day be like it was so far: calls so
 * far × length of the day ÷ time since midnight. Null in the first hour, which says nothing of the day.
 */
export function projectedToday(usedSoFar: number, nowMs: number): number | null {
  const sinceMs = nowMs - startOfDay(nowMs);
  if (sinceMs < tooEarlyMs) return null;
  return Math.max(usedSoFar, Math.round((usedSoFar * (endOfDay(nowMs) - startOfDay(nowMs))) / sinceMs));
}

/** What one plan has over another, in words; empty where it has nothing more. */
export function gains(own: Entitlements, other: Entitlements): string[] {
  const gained: string[] = [];
  if (other.perDay > own.perDay) {
    gained.push(`${formatLimit(other.perDay)} ${other.perDay === NO_LIMIT ? "on calls a day" : "calls a day"}`);
  }
  if (other.perMinute > own.perMinute) gained.push(`${formatLimit(other.perMinute)} requests a minute for each key`);
  if (other.calendar && !own.calendar) gained.push("the economic calendar");
  if (other.actuals && !own.actuals) gained.push("released figures in the calendar");
  if (other.ticks && !own.ticks) gained.push("one-second ticks");
  if (other.indicatorHistory && !own.indicatorHistory) gained.push("past values of indicators");
  return gained;
}
