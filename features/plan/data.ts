import type { EndpointCost } from "@/features/plan/endpoint-costs";
import type { PlanGain } from "@/features/plan/plan-gains";
import type { Account } from "@/lib/access/accounts/accounts";
import { formatPlan } from "@/lib/access/plan-text";
import { type Entitlements, getEntitlements, PLAN_NAMES } from "@/lib/access/plans";
import { gains } from "@/lib/access/usage/plan-outlook";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { endpoints } from "@/lib/api/registry";

/** What an account's standard keys may do: its plan's terms under the limits that the operator set for it. */
function ownTerms({ plan, perMinuteLimit, perDayLimit }: Account): Entitlements {
  const terms = getEntitlements(plan, "standard");
  return { ...terms, perMinute: perMinuteLimit ?? terms.perMinute, perDay: perDayLimit ?? terms.perDay };
}

/** The plans that have something the account has not. A trial is nothing one moves up to. */
export function gainsOf(account: Account): PlanGain[] {
  const own = ownTerms(account);
  return PLAN_NAMES.filter((name) => name !== "trial")
    .map((name) => {
      const terms = getEntitlements(name, "standard");
      const opened = keyed.filter((each) => openness(each, own) !== "yes" && openness(each, terms) === "yes");
      const paths = opened.map(({ path }) => path);
      return { label: formatPlan(name), gained: gains(own, terms), lost: gains(terms, own), opened: paths };
    })
    .filter(({ gained }) => gained.length > 0);
}

const keyed = endpoints.filter(({ access }) => access === "key");

function openness({ entitlement, needsEntitlement }: Endpoint, terms: Entitlements): EndpointCost["open"] {
  if (entitlement === null || terms[entitlement]) return "yes";
  return needsEntitlement === undefined ? "no" : "partly";
}

/** What a call of each endpoint costs, told by the endpoints themselves. */
export function costsOf(account: Account): EndpointCost[] {
  const own = ownTerms(account);
  return keyed.map((each) => {
    const { method, path, summary, weight } = each;
    return { method, path, summary, credits: weight, open: openness(each, own) };
  });
}
