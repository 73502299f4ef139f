import type { PlanName } from "@/lib/access/plans";

const labels: Readonly<Record<PlanName, string>> = {
  free: "Free",
  trial: "Trial",
  payg: "Pay as you go",
  starter: "Starter",
  pro: "Pro",
  enterprise: "Enterprise",
};

/** A plan's name as people read it. */
export function planLabel(plan: PlanName): string {
  return labels[plan];
}
