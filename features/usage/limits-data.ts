import type { DayQuotaLine } from "@/features/usage/day-quota";
import type { LimitsSheet } from "@/features/usage/limits-now";
import type { Account } from "@/lib/access/accounts/accounts";
import type { Counters } from "@/lib/access/admission/counters";
import type { Key } from "@/lib/access/keys/key";
import { getEntitlements } from "@/lib/access/plans";
import type { Runtime } from "@/lib/runtime";

/** What the limits of an account with these keys stand at, by the counters that calls are admitted by. */
export async function readLimits(
  { counters, now }: Pick<Runtime, "counters" | "now">,
  account: Account,
  own: readonly Key[],
): Promise<LimitsSheet> {
  const counted = await counters(account.id);
  const known = new Map(own.map((key) => [key.id, key]));
  return {
    nowMs: now(),
    quotas: quotasOf(account, own, counted),
    minutes: counted.minutes.flatMap((minute) => {
      const key = known.get(minute.keyId);
      return key === undefined ? [] : [{ ...minute, label: key.label, last4: key.last4 }];
    }),
  };
}

/** The quotas the account has today. Tool keys have one of their own, unless the operator set one for all keys. */
function quotasOf({ plan, perDayLimit }: Account, keys: readonly Key[], { days }: Counters): DayQuotaLine[] {
  if (perDayLimit !== null) return [{ name: "All keys", ...days.standard, perDay: perDayLimit }];
  const perDay = (kind: Key["kind"]) => getEntitlements(plan, kind).perDay;
  const ofTools = { name: "Tool keys", ...days.tool, perDay: perDay("tool") };
  const hasTools = days.tool.calls > 0 || keys.some(({ kind, state }) => kind === "tool" && state === "active");
  return [{ name: "Standard keys", ...days.standard, perDay: perDay("standard") }, ...(hasTools ? [ofTools] : [])];
}
