/**
 * The rate limit of one key: a fixed window of 60 seconds that opens with the first request. Check and count are one
 * synchronous step, so under any concurrency exactly `limit` requests pass per window.
 */

export const WINDOW_SECONDS = 60;
export const WINDOW_MS = WINDOW_SECONDS * 1000;

/** Windows that began within this of each other are the same window, seen from two clocks. */
export const TOLERANCE_MS = 1_000;

export interface MinuteWindow {
  /** UTC milliseconds of the window's first request; -Infinity before any. */
  startedAtMs: number;
  used: number;
  /** Calls of `used` that Redis has not counted yet; see redis-windows.ts. */
  owed: number;
  /** Calls that Redis has counted ahead for this process; see redis-windows.ts. */
  granted: number;
  /** The id of the counter in Redis that `used` came from; 0 for none. */
  sharedId: number;
}

export function createMinuteWindow(): MinuteWindow {
  return { startedAtMs: -Infinity, used: 0, owed: 0, granted: 0, sharedId: 0 };
}

/** Counts a request and lets it pass, or refuses it without counting. */
export function admit(window: MinuteWindow, limit: number, nowMs: number): boolean {
  const ageMs = nowMs - window.startedAtMs;
  if (ageMs >= WINDOW_MS) {
    window.startedAtMs = nowMs;
    window.used = 0;
    window.owed = 0;
    window.sharedId = 0;
  } else if (ageMs < 0) {
    // The clock was set back. The count is kept, and the window ends a minute from now at the latest.
    window.startedAtMs = nowMs;
  }
  if (window.used >= limit) return false;
  window.used += 1;
  return true;
}

/** Counts the requests that may still pass in the current window. */
export function countRemaining(window: MinuteWindow, limit: number, nowMs: number): number {
  return nowMs - window.startedAtMs >= WINDOW_MS ? limit : Math.max(0, limit - window.used);
}

/** Whole seconds until the window ends, 1 to 60: after that many seconds a refused caller is let in. */
export function computeResetSeconds(window: MinuteWindow, nowMs: number): number {
  const ageMs = nowMs - window.startedAtMs;
  return ageMs >= 0 && ageMs < WINDOW_MS ? Math.ceil((WINDOW_MS - ageMs) / 1000) : WINDOW_SECONDS;
}
