/**
 * The rate limit of one key: a fixed window of 60 seconds that opens with the first request. Check and count are one
 * synchronous step, so under any concurrency exactly `limit` requests pass per window.
 */

export const windowSeconds = 60;
export const windowMs = windowSeconds * 1000;

export interface MinuteWindow {
  /** UTC milliseconds of the window's first request; -Infinity before any. */
  startedAtMs: number;
  used: number;
  /** How many of `used` a counter shared with other processes has not been told; see shared-windows.ts. */
  owed: number;
  /** Which shared counter `used` was heard from; 0 for none. */
  sharedId: number;
}

export function newMinuteWindow(): MinuteWindow {
  return { startedAtMs: -Infinity, used: 0, owed: 0, sharedId: 0 };
}

/** Counts a request and lets it pass, or refuses it without counting. */
export function admit(window: MinuteWindow, limit: number, nowMs: number): boolean {
  const ageMs = nowMs - window.startedAtMs;
  if (ageMs >= windowMs) {
    window.startedAtMs = nowMs;
    window.used = 0;
    window.owed = 0;
    window.sharedId = 0;
  } else if (ageMs < 0) {
    // The clock was set back. The count stands, and nobody waits longer than a window from here.
    window.startedAtMs = nowMs;
  }
  if (window.used >= limit) return false;
  window.used += 1;
  return true;
}

/** Requests that may still pass in the present window. */
export function remaining(window: MinuteWindow, limit: number, nowMs: number): number {
  return nowMs - window.startedAtMs >= windowMs ? limit : Math.max(0, limit - window.used);
}

/** Whole seconds until the window ends, 1 to 60: after that many seconds a refused caller is let in. */
export function resetSeconds(window: MinuteWindow, nowMs: number): number {
  const ageMs = nowMs - window.startedAtMs;
  return ageMs >= 0 && ageMs < windowMs ? Math.ceil((windowMs - ageMs) / 1000) : windowSeconds;
}
