import { EMPTY_KEY, EXPIRY_DAYS, type KeyFormValues } from "@/features/keys/types";
import { getLatestEnd } from "@/lib/access/keys/key-life";
import { DAY_MS } from "@/lib/time/units";

/** How long the operator lets a key live, where there is a bound. */
export interface Lifetime {
  /** From the creation of a key. */
  readonly days: number;
  /** The same from now; zero or less for a key that is too old already. */
  readonly leftDays: number;
  /** YYYY-MM-DD: the last day that a key may be given, in UTC. */
  readonly lastDay: string;
}

/** `createdAtMs` is now for a new key. Null without a bound. */
export function readLifetime(days: number | null, createdAtMs: number, nowMs: number): Lifetime | null {
  if (days === null) return null;
  const latestMs = getLatestEnd(createdAtMs, days);
  const lastDay = new Date(latestMs - DAY_MS).toISOString().slice(0, 10);
  return { days, leftDays: (latestMs - nowMs) / DAY_MS, lastDay };
}

/** The values of the form of a new key. */
export function getEmptyKey(lifetime: Lifetime | null): KeyFormValues {
  if (lifetime === null || lifetime.leftDays >= Number(EMPTY_KEY.expiry)) return EMPTY_KEY;
  const longest = EXPIRY_DAYS.findLast((days) => days <= lifetime.leftDays);
  return longest === undefined
    ? { ...EMPTY_KEY, expiry: "date", expiryDate: lifetime.lastDay }
    : { ...EMPTY_KEY, expiry: String(longest) };
}
