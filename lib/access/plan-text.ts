import { type Entitlement, listPlansWith, NO_LIMIT, PLAN_NAMES, type PlanName } from "@/lib/access/plans";
import { formatCount } from "@/lib/text/text";

const PLAN_LABELS: Readonly<Record<PlanName, string>> = {
  free: "Free",
  trial: "Trial",
  payg: "Pay as you go",
  starter: "Starter",
  pro: "Pro",
  enterprise: "Enterprise",
};

/** The name of a plan as people read it. */
export function formatPlan(plan: PlanName): string {
  return PLAN_LABELS[plan];
}

/** A limit of a plan or an account: "1,000", "no limit". */
export function formatLimit(limit: number): string {
  return limit >= NO_LIMIT ? "no limit" : formatCount(limit);
}

/** The plans that include this data, cheapest first: "Starter, Pro and Enterprise". */
export function formatPlansWith(entitlement: Entitlement): string {
  const names: readonly string[] = listPlansWith(entitlement);
  return LIST_FORMAT.format(PLAN_NAMES.filter((name) => names.includes(name)).map(formatPlan));
}

const LIST_FORMAT = new Intl.ListFormat("en-GB");
