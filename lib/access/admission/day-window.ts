import { DAY_MS } from "@/lib/time/units";

/**
 * The daily quota of one account, by UTC day. A call is reserved before it is answered, and released if the answer does
 * not count, so that concurrent calls cannot exceed the quota.
 */

export interface DayWindow {
  /** Start of the counted day, UTC milliseconds; -Infinity before any call. */
  dayMs: number;
  used: number;
  /** The sum of their credits. */
  credits: number;
  /** Calls of `used` that Redis has not counted yet, and their cost; see redis-windows.ts. */
  owed: number;
  owedCredits: number;
  /** Calls that Redis has counted ahead for this process; see redis-windows.ts. */
  granted: number;
  /** The id of the counter in Redis that `used` came from; 0 for none. */
  sharedId: number;
}

export function createDayWindow(): DayWindow {
  return { dayMs: -Infinity, used: 0, credits: 0, owed: 0, owedCredits: 0, granted: 0, sharedId: 0 };
}

/** Midnight UTC at or before this moment. */
export function getDayStart(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/** Counts one call that costs `credits`; false, counting nothing, if the quota is used up. */
export function reserve(day: DayWindow, limit: number, nowMs: number, credits = 1): boolean {
  if (nowMs - day.dayMs >= DAY_MS) {
    day.dayMs = getDayStart(nowMs);
    day.used = 0;
    day.credits = 0;
    day.owed = 0;
    day.owedCredits = 0;
    day.sharedId = 0;
  } else if (nowMs < day.dayMs) {
    // The clock was set back over midnight: keep the count until the next midnight.
    day.dayMs = getDayStart(nowMs);
  }
  if (day.used >= limit) return false;
  day.used += 1;
  day.credits += credits;
  return true;
}

/** Undoes a call reserved at `reservedAtMs`, unless its day is over. */
export function release(day: DayWindow, reservedAtMs: number, credits = 1): void {
  if (day.used === 0 || getDayStart(reservedAtMs) !== day.dayMs) return;
  day.used -= 1;
  day.credits -= credits;
}

/** Calls counted so far today. */
export function countUsedToday(day: DayWindow, nowMs: number): number {
  return nowMs - day.dayMs >= DAY_MS ? 0 : day.used;
}

/** Credits of the calls counted so far today. */
export function countCreditsToday(day: DayWindow, nowMs: number): number {
  return nowMs - day.dayMs >= DAY_MS ? 0 : day.credits;
}

/** The next midnight UTC, when the quota is reset. */
export function getDayEnd(atMs: number): number {
  return getDayStart(atMs) + DAY_MS;
}

/** Whole seconds until midnight UTC, 1 to 86,400. */
export function countSecondsToMidnight(nowMs: number): number {
  return Math.ceil((getDayEnd(nowMs) - nowMs) / 1000);
}
