import { countCreditsToday, countUsedToday, release, reserve } from "@/lib/access/admission/day-window";
import type { Directory, KeyEntry } from "@/lib/access/admission/directory";
import { admit, computeResetSeconds, countRemaining } from "@/lib/access/admission/minute-window";
import type { KeyKind } from "@/lib/access/plans";
import type { Clock } from "@/lib/platform/timing/clock";

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

/** The current counters of an account's limits, for its owner. */
export interface Counters {
  /** Calls since midnight UTC and their credits. A quota for all keys is counted under "standard". */
  readonly days: Readonly<Record<KeyKind, { readonly calls: number; readonly credits: number }>>;
  /** The open minute windows, most calls first. */
  readonly minutes: readonly OpenMinute[];
}

export interface OpenMinute {
  readonly keyId: string;
  readonly used: number;
  /** NO_LIMIT for none. */
  readonly limit: number;
  /** Whole seconds until the window ends, 1 to 60. */
  readonly resetSeconds: number;
}

interface Parts {
  readonly directory: Pick<Directory, "account" | "listAccountKeys">;
  readonly windows: Pick<Windows, "refresh">;
  readonly now: Clock;
}

/** Reads the counters in the process that counts. An unknown account has no calls. */
export async function readCounters({ directory, windows, now }: Parts, accountId: string): Promise<Counters> {
  const keys = [...directory.listAccountKeys(accountId)];
  await windows.refresh(keys);
  const nowMs = now();
  const days = directory.account(accountId)?.days;
  const today = (kind: KeyKind) =>
    days === undefined
      ? { calls: 0, credits: 0 }
      : { calls: countUsedToday(days[kind], nowMs), credits: countCreditsToday(days[kind], nowMs) };
  const minutes = keys.map((key) => toOpenMinute(key, nowMs)).filter(({ used }) => used > 0);
  return {
    days: { standard: today("standard"), tool: today("tool") },
    minutes: minutes.sort((a, b) => b.used - a.used),
  };
}

function toOpenMinute({ id, minute, perMinute }: KeyEntry, nowMs: number): OpenMinute {
  return {
    keyId: id,
    used: perMinute - countRemaining(minute, perMinute, nowMs),
    limit: perMinute,
    resetSeconds: computeResetSeconds(minute, nowMs),
  };
}

/** How many calls a process may count alone, because counting each of them together with others would cost too much. */

/** Nothing is granted while fewer calls are left: what was granted to a process that is killed counts as made. */
export const LEAST_LEFT = 1_000;
/** A grant is at most this part of the calls that are left: one of 16. */
export const GRANTED_SHARE = 16;
export const LEAST_GRANTED = 8;
const MOST_GRANTED = 1_024;
/** Only a key that is used this often is granted calls. */
export const BUSY_MS = 100;
/** Calls that were granted longer ago are returned, so that the common count is never far behind. */
export const RETURN_EVERY_MS = 200;

/**
 * The size of the next grant, after so many calls of the last one were not made. It follows what a key uses until a grant
 * is returned, so that others see few calls counted that are never made.
 */
export function resizeGrant(calls: number, unused: number): number {
  if (unused === 0) return Math.min(MOST_GRANTED, 2 * calls);
  return unused > calls / 2 ? Math.max(LEAST_GRANTED, Math.ceil(calls / 2)) : calls;
}
