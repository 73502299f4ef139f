import { checkLimit } from "@/lib/access/keys/key-settings";
import { getEntitlements, getPlanAt, type KeyKind } from "@/lib/access/plans";
import type { Account, ApiKey } from "@/prisma/generated/client";

type Limits = Pick<ApiKey, "perMinuteLimit" | "perDayLimit">;

/** The limits that an account gives to its keys of a kind: the operator's, else the plan's. */
export function getAccountLimits(account: Account, kind: KeyKind, nowMs: number) {
  const terms = getEntitlements(getPlanAt(account.plan, account.trialEndsAt?.getTime() ?? null, nowMs), kind);
  return { perMinute: account.perMinuteLimit ?? terms.perMinute, perDay: account.perDayLimit ?? terms.perDay };
}

/**
 * Checks a key's own limits. One that does not change is not refused, since the plan may have become smaller: the lower
 * of both limits applies.
 */
export function checkKeyLimits(
  { perMinuteLimit, perDayLimit }: Limits,
  before: Limits,
  most: ReturnType<typeof getAccountLimits>,
): void {
  if (perMinuteLimit !== before.perMinuteLimit) checkLimit(perMinuteLimit, most.perMinute, "minute");
  if (perDayLimit !== before.perDayLimit) checkLimit(perDayLimit, most.perDay, "day");
}
