import { countUsedToday } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import type { NewNotice } from "@/lib/access/notices/notices";
import { NO_LIMIT } from "@/lib/access/plans";
import { DAY_MS } from "@/lib/time/units";

const QUOTA_PERCENTS = [100, 80, 50] as const;
const EXPIRY_REMINDERS = [
  { days: 1, level: 2 },
  { days: 7, level: 1 },
] as const;

/** The notice about the key's daily quota that is due now, or null. Its level is the percentage. */
export function buildQuotaNotice({ day, perDay: limit, account }: KeyEntry, nowMs: number): NewNotice | null {
  const used = countUsedToday(day, nowMs);
  const percent = QUOTA_PERCENTS.find((each) => used * 100 >= limit * each);
  if (limit === NO_LIMIT || percent === undefined) return null;
  const keys = day === account.days.tool ? "tool" : "account";
  const date = new Date(nowMs).toISOString().slice(0, 10);
  return {
    accountId: account.id,
    topic: `quota ${keys} ${date}`,
    level: percent,
    facts: { kind: "quota", keys, day: date, percent, used, limit },
  };
}

/** The reminder of the key's end that is due now, or null. Not for keys that were created with a shorter life. */
export function buildExpiryNotice(key: KeyEntry, nowMs: number): NewNotice | null {
  const leftMs = key.expiresAtMs - nowMs;
  const reminder = EXPIRY_REMINDERS.find(({ days }) => leftMs <= days * DAY_MS);
  if (reminder === undefined || leftMs <= 0 || key.revoked) return null;
  const { days, level } = reminder;
  const expiresAt = new Date(key.expiresAtMs).toISOString();
  return {
    accountId: key.accountId,
    topic: `end of key ${key.id} ${expiresAt}`,
    level,
    facts: { kind: "expiry", keyId: key.id, label: key.label, expiresAt, days },
    keyOlderThanMs: key.expiresAtMs - days * DAY_MS,
  };
}
