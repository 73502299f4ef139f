import { countCreditsToday, countUsedToday } from "@/lib/access/admission/day-window";
import type { Directory, KeyEntry } from "@/lib/access/admission/directory";
import { computeResetSeconds, countRemaining } from "@/lib/access/admission/minute-window";
import type { Windows } from "@/lib/access/admission/windows";
import type { KeyKind } from "@/lib/access/plans";
import type { Clock } from "@/lib/platform/timing/clock";

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
