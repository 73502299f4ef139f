import type { Facts } from "@/lib/access/audit/audit-chain";
import { planAt, type PlanName } from "@/lib/access/plans";
import type { Account as AccountRow } from "@/prisma/generated/client";

/** An account as its owner and the operator see it; everything but the password. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly role: "operator" | "member";
  /** The plan in force: a trial that has ended reads "free". */
  readonly plan: PlanName;
  /** UTC milliseconds, while a trial lasts. */
  readonly trialEndsAtMs: number | null;
  /** Limits set by the operator; null follows the plan, NO_LIMIT is none. */
  readonly perMinuteLimit: number | null;
  readonly perDayLimit: number | null;
  /** What is left of the credits paid in advance, which calls on pay as you go spend; below zero is owed. */
  readonly prepaidCredits: number;
  readonly suspendedAtMs: number | null;
  /** False for an account that signs in with somebody else only. */
  readonly hasPassword: boolean;
  /** Why, where the operator said so. */
  readonly suspendedReason: string | null;
  readonly createdAtMs: number;
}

export function viewAt(row: AccountRow, nowMs: number): Account {
  const trialEndsAtMs = row.trialEndsAt?.getTime() ?? null;
  const plan = planAt(row.plan, trialEndsAtMs, nowMs);
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
    hasPassword: row.passwordHash !== null,
    suspendedReason: row.suspendedReason,
    createdAtMs: row.createdAt.getTime(),
  };
}

/**
 * What the audit log keeps of an account: never its password, nor the hash of it; and not its e-mail address, since
 * nothing can be taken out of the log when the account is closed.
 */
export function factsOf(row: AccountRow): Facts {
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
