import { type DayWindow, getDayStart } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/entries";
import { BUSY_MS, LEAST_GRANTED, resizeGrant } from "@/lib/access/admission/grant-size";
import { TOLERANCE_MS, WINDOW_MS } from "@/lib/access/admission/minute-window";

interface Grant {
  readonly calls: number;
  /** The start of the minute, as this process saw it. */
  readonly minuteMs: number;
  readonly dayMs: number;
  readonly days: readonly DayWindow[];
  minuteLeft: number;
  /** More than of the minute where calls were made that the days do not count. */
  dayLeft: number;
}

/** A grant is returned before its window ends, so that it is returned to the window that counted it. */
const LAST_USE_MS = WINDOW_MS - 2_000;

/** The calls that Redis has counted ahead for this process, by key. The windows hold how many of them are left. */
export class RedisGrants {
  readonly #grants = new Map<KeyEntry, Grant>();
  readonly #requested = new Set<KeyEntry>();
  readonly #countedAtMs = new WeakMap<KeyEntry, number>();
  readonly #sizes = new WeakMap<KeyEntry, number>();

  keys(): KeyEntry[] {
    return [...this.#grants.keys()];
  }

  has(key: KeyEntry): boolean {
    return this.#grants.has(key);
  }

  /** How many calls to request beside the next one: some if the key is busy, and has none and requested none. */
  request(key: KeyEntry, nowMs: number): number {
    const isBusy = Math.abs(nowMs - (this.#countedAtMs.get(key) ?? -Infinity)) < BUSY_MS;
    this.#countedAtMs.set(key, nowMs);
    if (!isBusy || this.#requested.has(key) || !isUsable(key, getDayStart(nowMs), nowMs)) return 0;
    this.#requested.add(key);
    return this.#sizes.get(key) ?? LEAST_GRANTED;
  }

  /** Call it when a request for calls was answered, or failed. */
  endRequest(key: KeyEntry): void {
    this.#requested.delete(key);
  }

  /** Adds calls that Redis has counted in the minute of the key and in these windows of that day. */
  add(key: KeyEntry, days: readonly DayWindow[], dayMs: number, calls: number): void {
    this.giveUp(key);
    this.#grants.set(key, { calls, minuteMs: key.minute.startedAtMs, dayMs, days, minuteLeft: calls, dayLeft: calls });
    for (const window of [key.minute, ...days]) window.granted += calls;
  }

  /** Counts a call; false if none is left in the current minute and day. */
  take(key: KeyEntry, credits: number | null, nowMs: number): boolean {
    const grant = this.#grants.get(key);
    if (grant === undefined || grant.minuteLeft === 0 || !isUsable(key, grant.dayMs, nowMs)) return false;
    grant.minuteLeft--;
    key.minute.granted--;
    key.minute.used++;
    if (credits === null) return true;
    grant.dayLeft--;
    for (const day of grant.days) {
      day.granted--;
      day.used++;
      day.credits += credits;
      day.owedCredits += credits;
    }
    return true;
  }

  /** Makes the windows owe the calls of a key that were not made. Returns how many were granted. */
  giveUp(key: KeyEntry): number {
    const grant = this.#grants.get(key);
    if (grant === undefined) return 0;
    this.#grants.delete(key);
    this.#sizes.set(key, resizeGrant(grant.calls, grant.minuteLeft));
    const { minute } = key;
    minute.granted -= grant.minuteLeft;
    if (Math.abs(minute.startedAtMs - grant.minuteMs) < TOLERANCE_MS) minute.owed -= grant.minuteLeft;
    for (const day of grant.days) {
      day.granted -= grant.dayLeft;
      if (day.dayMs === grant.dayMs) day.owed -= grant.dayLeft;
    }
    return grant.calls;
  }
}

/** Whether the minute of a key and this day go on for long enough. */
function isUsable({ minute }: KeyEntry, dayMs: number, nowMs: number): boolean {
  const ageMs = nowMs - minute.startedAtMs;
  return ageMs >= 0 && ageMs < LAST_USE_MS && getDayStart(nowMs) === dayMs;
}
