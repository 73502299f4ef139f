import { release, reserve } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/entries";
import { admit } from "@/lib/access/admission/minute-window";

/** The counters that limit calls: a minute window for each key, a day for each account and for some keys. */
export interface Windows {
  /**
   * Counts a call in the minute of its key, then, at the price of `credits`, in the days of key and account. Null credits
   * leave the days alone: that call will be refused for another reason. A call that one of them refuses is counted in
   * none that comes later, and in no day. Counters that are shared answer with a promise.
   */
  count(key: KeyEntry, credits: number | null, nowMs: number): Verdict | Promise<Verdict>;
  /** Gives back to the days a call that was counted at `countedAtMs` but failed. */
  release(key: KeyEntry, credits: number, countedAtMs: number): void;
  /** Reads what other processes have counted for these keys. Counts nothing. */
  refresh(keys: readonly KeyEntry[]): Promise<void>;
  /** The components that the windows add to `/health`. */
  status(): Readonly<Record<string, "ok" | "degraded">>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export type Verdict = "counted" | "minute used up" | "key day used up" | "day used up";

/** Counts by this process alone, synchronously. */
export const localWindows: Windows = {
  count: countLocally,
  release({ day, ownDay }, credits, countedAtMs) {
    release(day, countedAtMs, credits);
    if (ownDay !== null) release(ownDay, countedAtMs, credits);
  },
  refresh: async () => {},
  status: () => ({}),
  start: async () => {},
  stop: async () => {},
};

export function countLocally(key: KeyEntry, credits: number | null, nowMs: number): Verdict {
  if (!admit(key.minute, key.perMinute, nowMs)) return "minute used up";
  if (credits === null) return "counted";
  const { ownDay } = key;
  if (ownDay !== null && !reserve(ownDay, key.ownPerDay, nowMs, credits)) return "key day used up";
  if (reserve(key.day, key.perDay, nowMs, credits)) return "counted";
  if (ownDay !== null) release(ownDay, nowMs, credits);
  return "day used up";
}
