import type { Pool } from "pg";
import type { Facts } from "@/lib/access/audit-event";
import type { NewNotice } from "@/lib/access/notices/notices";
import { formatPlan } from "@/lib/access/plan-text";
import { PLAN_NAMES, type PlanName } from "@/lib/access/plans";

/** Notices about requests for another plan: to the operators about a new one, to its account about the answer. */

export type PlanFacts =
  | {
      readonly kind: "plan";
      readonly event: "requested";
      readonly email: string;
      readonly plan: PlanName;
    }
  | { readonly kind: "plan"; readonly event: "approved"; readonly plan: PlanName }
  | { readonly kind: "plan"; readonly event: "declined"; readonly plan: PlanName; readonly reason: string };

interface PlanEvent {
  readonly atMs: number;
  readonly accountId: string;
  readonly after: Facts | null;
}

/** One notice to each operator who can sign in; at most one a day about an account and a plan. */
export async function buildRequestNotices(pool: Pool, { atMs, accountId, after }: PlanEvent): Promise<NewNotice[]> {
  const plan = toPlan(after);
  const { rows } = await pool.query<{ id: string; email: string }>(
    `SELECT operator.id, account.email FROM account, account AS operator
      WHERE account.id = $1 AND operator.role = 'operator' AND operator.suspended_at IS NULL`,
    [accountId],
  );
  const topic = `plan ${plan} asked by ${accountId} ${new Date(atMs).toISOString().slice(0, 10)}`;
  return rows.map(({ id, email }) => ({
    accountId: id,
    topic,
    level: 1,
    facts: { kind: "plan", event: "requested", email, plan },
  }));
}

/** The notice about an approved request; none where an operator changed the plan without one. */
export function buildApprovalNotice({ accountId, after }: PlanEvent): NewNotice | null {
  const request = after?.approved_request;
  if (request === undefined) return null;
  const facts: PlanFacts = { kind: "plan", event: "approved", plan: toPlan(after) };
  return { accountId, topic: `plan approved ${String(request)}`, level: 1, facts };
}

export function buildRefusalNotice({ accountId, after }: PlanEvent): NewNotice {
  const facts: PlanFacts = { kind: "plan", event: "declined", plan: toPlan(after), reason: String(after?.reason) };
  return { accountId, topic: `plan declined ${String(after?.request)}`, level: 1, facts };
}

export function formatPlanTitle(facts: PlanFacts): string {
  if (facts.event === "requested") return `${facts.email} asks for the ${formatPlan(facts.plan)} plan`;
  if (facts.event === "approved") return `Your account is on the ${formatPlan(facts.plan)} plan`;
  return `Your request for the ${formatPlan(facts.plan)} plan was declined`;
}

export function formatPlanText(facts: PlanFacts): string {
  if (facts.event === "requested") return "Approve or decline it on the page Plan requests.";
  if (facts.event === "approved") return "An operator approved your request. The limits of the plan apply now.";
  return `The operator’s reason: ${facts.reason}`;
}

export function findPlanPath({ event }: PlanFacts): string {
  return event === "requested" ? "/operator/plan-requests" : "/plan";
}

function toPlan(facts: Facts | null): PlanName {
  return PLAN_NAMES.find((name) => name === facts?.plan) ?? "free";
}
