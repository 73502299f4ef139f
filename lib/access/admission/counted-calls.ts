import type { DayWindow } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/entries";
import type { Verdict } from "@/lib/access/admission/windows";

/** What a process that counts calls for others receives and answers. All are on one machine, so their clocks agree. */

/** A call by its key; null credits as for `Windows.count`. */
export type CallToCount = readonly [keyId: string, credits: number | null];

/** A verdict, and the windows of the key after the call: the minute, the account's day, and the key's own day. */
export interface CountAnswer {
  readonly verdict: Verdict;
  readonly minute: readonly [startedAtMs: number, used: number];
  readonly day: DayNumbers;
  readonly ownDay: DayNumbers | null;
  /** Further calls of this key that the process may count alone. They are counted in the windows already. */
  readonly granted: number;
}

/** A null start stands for a day without a call. */
type DayNumbers = readonly [dayMs: number | null, used: number, credits: number];

/** What is left of granted calls, which are counted no more. */
export interface ReturnedCalls {
  readonly keyId: string;
  /** The windows in which they were granted. */
  readonly minuteStartedAtMs: number;
  readonly dayMs: number;
  /** Calls that were not made, and of those that were made the ones that the days do not count. */
  readonly unused: number;
  readonly minuteOnly: number;
  /** The cost of those that the days count. */
  readonly credits: number;
}

export function toAnswer({ minute, day, ownDay }: KeyEntry, verdict: Verdict, granted: number): CountAnswer {
  return {
    verdict,
    minute: [minute.startedAtMs, minute.used],
    day: toNumbers(day),
    ownDay: ownDay === null ? null : toNumbers(ownDay),
    granted,
  };
}

function toNumbers({ dayMs, used, credits }: DayWindow): DayNumbers {
  // JSON has no infinity.
  return [Number.isFinite(dayMs) ? dayMs : null, used, credits];
}

/** Writes the windows of an answer into those of this process, from which the headers of answers are written. */
export function writeWindows(key: KeyEntry, { minute, day, ownDay, granted }: CountAnswer): void {
  key.minute.startedAtMs = minute[0];
  key.minute.used = minute[1] - granted;
  writeDay(key.day, day, granted);
  if (key.ownDay !== null && ownDay !== null) writeDay(key.ownDay, ownDay, granted);
}

function writeDay(window: DayWindow, [dayMs, used, credits]: DayNumbers, granted: number): void {
  window.dayMs = dayMs ?? -Infinity;
  window.used = used - granted;
  window.credits = credits;
}
