import { planLabel } from "@/components/shell/plan-label";
import type { KindTerms } from "@/features/keys/kind-field";
import type { Account } from "@/lib/access/accounts/accounts";
import { entitlementsOf, keyKinds, NO_LIMIT } from "@/lib/access/plans";

const count = (limit: number): string => (limit >= NO_LIMIT ? "no limit" : limit.toLocaleString("en-US"));

/** What each kind of key may do on this account. */
export function kindTerms({ plan, perMinuteLimit, perDayLimit }: Account): KindTerms[] {
  return keyKinds.map((kind) => {
    const terms = entitlementsOf(plan, kind);
    return {
      kind,
      title: kind === "standard" ? "Standard" : "Tool",
      text:
        kind === "standard"
          ? `For your own programs, on the terms of your ${planLabel(plan)} plan.`
          : "For agents, sheets and bots, on terms of its own: the calendar without released figures.",
      perMinute: count(perMinuteLimit ?? terms.perMinute),
      perDay: count(perDayLimit ?? terms.perDay),
    };
  });
}
