import { AccessError } from "@/lib/access/access-error";
import type { Facts } from "@/lib/access/audit-event";
import { getPlanAt, PLAN_NAMES, type PlanName, TRIAL_DAYS } from "@/lib/access/plans";
import { DAY_MS } from "@/lib/time/units";
import type { Account as AccountRow } from "@/prisma/generated/client";

/** An account as its owner and the operator see it: everything but the password. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly role: "operator" | "member";
  /** The active plan: "free" after a trial has ended. */
  readonly plan: PlanName;
  /** UTC milliseconds; null without an active trial. */
  readonly trialEndsAtMs: number | null;
  /** Limits set by the operator. Null follows the plan; NO_LIMIT is none. */
  readonly perMinuteLimit: number | null;
  readonly perDayLimit: number | null;
  /** Credits paid in advance, which pay-as-you-go calls spend. Negative when the account owes. */
  readonly prepaidCredits: number;
  readonly suspendedAtMs: number | null;
  /** The operator's reason for the suspension, if any. */
  readonly suspendedReason: string | null;
  /** False for an account that signs in with an identity provider only. */
  readonly hasPassword: boolean;
  readonly createdAtMs: number;
}

export function toAccount(row: AccountRow, nowMs: number): Account {
  const trialEndsAtMs = row.trialEndsAt?.getTime() ?? null;
  const plan = getPlanAt(row.plan, trialEndsAtMs, nowMs);
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    plan,
    trialEndsAtMs: plan === "trial" ? trialEndsAtMs : null,
    perMinuteLimit: row.perMinuteLimit,
    perDayLimit: row.perDayLimit,
    prepaidCredits: row.prepaidCredits,
    suspendedAtMs: row.suspendedAt?.getTime() ?? null,
    suspendedReason: row.suspendedReason,
    hasPassword: row.passwordHash !== null,
    createdAtMs: row.createdAt.getTime(),
  };
}

/**
 * The account as the audit log records it. No password hash and no e-mail address: nothing can be removed from the log
 * when the account is closed.
 */
export function toAccountFacts(row: AccountRow): Facts {
  return {
    plan: row.plan,
    trial_ends_at: row.trialEndsAt?.toISOString() ?? null,
    per_minute: row.perMinuteLimit,
    per_day: row.perDayLimit,
    prepaid_credits: row.prepaidCredits,
    suspended: row.suspendedAt !== null,
    reason: row.suspendedReason,
  };
}

export function checkPlan(plan: string): void {
  if (!PLAN_NAMES.some((name) => name === plan)) {
    throw new AccessError("invalid_plan", `The plan must be one of ${PLAN_NAMES.join(", ")}.`);
  }
}

/** When a plan that starts now ends; null for every plan but "trial". */
export function computeTrialEnd(plan: PlanName, nowMs: number): Date | null {
  return plan === "trial" ? new Date(nowMs + TRIAL_DAYS * DAY_MS) : null;
}
