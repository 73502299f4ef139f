import type { KindTerms } from "@/features/keys/kind-field";
import type { Account } from "@/lib/access/accounts/accounts";
import { formatLimit, formatPlan } from "@/lib/access/plan-text";
import { getEntitlements, KEY_KINDS } from "@/lib/access/plans";

/** What each kind of key may do on this account. */
export function kindTerms({ plan, perMinuteLimit, perDayLimit }: Account): KindTerms[] {
  return KEY_KINDS.map((kind) => {
    const terms = getEntitlements(plan, kind);
    return {
      kind,
      title: kind === "standard" ? "Standard" : "Tool",
      text:
        kind === "standard"
          ? `For your own programs, on the terms of your ${formatPlan(plan)} plan.`
          : "For agents, sheets and bots, on terms of its own: the calendar without released figures.",
      perMinute: formatLimit(perMinuteLimit ?? terms.perMinute),
      perDay: formatLimit(perDayLimit ?? terms.perDay),
    };
  });
}
