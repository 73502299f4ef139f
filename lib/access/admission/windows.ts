import { release, reserve } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/entries";
import { admit } from "@/lib/access/admission/minute-window";

/** The counters that limit calls: a minute window for each key and a day for each account. */
export interface Windows {
  /**
   * Counts a call in the minute of its key, then, at the price of `credits`, in its day. Null credits leave the day
   * alone: that call will be refused for another reason. Counters that are shared answer with a promise.
   */
  count(key: KeyEntry, credits: number | null, nowMs: number): Verdict | Promise<Verdict>;
  /** Gives back to the day a call that was counted at `countedAtMs` but failed. */
  release(key: KeyEntry, credits: number, countedAtMs: number): void;
  /** Reads what other processes have counted for these keys. Counts nothing. */
  refresh(keys: readonly KeyEntry[]): Promise<void>;
  /** The components that the windows add to `/health`. */
  status(): Readonly<Record<string, "ok" | "degraded">>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export type Verdict = "counted" | "minute used up" | "day used up";

/** Counts by this process alone, synchronously. */
export const localWindows: Windows = {
  count: countLocally,
  release: (key, credits, countedAtMs) => release(key.day, countedAtMs, credits),
  refresh: async () => {},
  status: () => ({}),
  start: async () => {},
  stop: async () => {},
};

export function countLocally(key: KeyEntry, credits: number | null, nowMs: number): Verdict {
  if (!admit(key.minute, key.perMinute, nowMs)) return "minute used up";
  if (credits !== null && !reserve(key.day, key.perDay, nowMs, credits)) return "day used up";
  return "counted";
}
