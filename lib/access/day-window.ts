/**
 * The daily quota of one account, by UTC day. A call is reserved before the answer is made and released if that
 * answer turns out not to count, so that concurrent calls can never pass the quota together.
 */

const dayLengthMs = 86_400_000;

export interface DayWindow {
  /** Start of the counted day, UTC milliseconds; -Infinity before any call. */
  dayMs: number;
  used: number;
}

export function newDayWindow(): DayWindow {
  return { dayMs: -Infinity, used: 0 };
}

/** Midnight UTC at or before this moment. */
export function startOfDay(atMs: number): number {
  return Math.floor(atMs / dayLengthMs) * dayLengthMs;
}

/** Takes one call from the day's quota, or refuses without taking. */
export function reserve(day: DayWindow, limit: number, nowMs: number): boolean {
  if (nowMs - day.dayMs >= dayLengthMs) {
    day.dayMs = startOfDay(nowMs);
    day.used = 0;
  } else if (nowMs < day.dayMs) {
    // The clock was set back over midnight: what was used stands until the next one.
    day.dayMs = startOfDay(nowMs);
  }
  if (day.used >= limit) return false;
  day.used += 1;
  return true;
}

/** Gives back a call reserved at `reservedAtMs`; nothing happens once its day is over. */
export function release(day: DayWindow, reservedAtMs: number): void {
  if (day.used > 0 && startOfDay(reservedAtMs) === day.dayMs) day.used -= 1;
}

/** Calls counted so far today. */
export function usedToday(day: DayWindow, nowMs: number): number {
  return nowMs - day.dayMs >= dayLengthMs ? 0 : day.used;
}

/** Whole seconds until midnight UTC, 1 to 86,400. */
export function secondsToMidnight(nowMs: number): number {
  return Math.ceil((startOfDay(nowMs) + dayLengthMs - nowMs) / 1000);
}
