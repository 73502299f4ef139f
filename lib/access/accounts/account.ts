import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import { type EventName, type Facts, record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { getPlanAt, PLAN_NAMES, type PlanName, TRIAL_DAYS } from "@/lib/access/plans";
import { change } from "@/lib/access/revision";
import type { Database } from "@/lib/platform/database/database";
import { DAY_MS } from "@/lib/time/units";
import type { Account as AccountRow, Prisma } from "@/prisma/generated/client";

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

/** One account inside the transaction that changes it. */
interface AccountChange {
  readonly row: AccountRow;
  readonly transaction: Prisma.TransactionClient;
  readonly revision: bigint;
  /** Writes the change and its audit event. `facts` are added to the event. */
  save(event: EventName, data: AccountData, facts?: Facts): Promise<AccountRow>;
}

export type AccountData = Partial<Omit<AccountRow, "id">>;

interface Target {
  readonly id: string;
  readonly by: Actor;
  readonly atMs: number;
}

/** Runs one change to one account. Rejects with the AccessError "account_not_found" if there is none. */
export async function changeAccount<Result>(
  database: Database,
  { id, by, atMs }: Target,
  work: (account: AccountChange) => Promise<Result>,
): Promise<Result> {
  if (!isId(id)) throw createNotFoundError();
  return change(database, async (transaction, revision) => {
    const row = await transaction.account.findUnique({ where: { id } });
    if (row === null) throw createNotFoundError();
    const save: AccountChange["save"] = async (event, data, facts = {}) => {
      const changed = await transaction.account.update({ where: { id }, data: { ...data, revision } });
      const [before, after] = [toAccountFacts(row), { ...toAccountFacts(changed), ...facts }];
      await record(transaction, { atMs, event, by, accountId: id, before, after });
      return changed;
    };
    return work({ row, transaction, revision, save });
  });
}

function createNotFoundError(): AccessError {
  return new AccessError("account_not_found", "There is no such account.");
}

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Lower case without surrounding blanks, as addresses are stored and compared. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * Normalises an address and checks its form. ASCII only, because look-alike letters of other scripts would allow a second
 * account that people cannot tell apart. Throws the AccessError "invalid_email".
 */
export function checkEmail(text: string): string {
  const email = normaliseEmail(text);
  const at = email.lastIndexOf("@");
  const labels = email.slice(at + 1).split(".");
  const isValid =
    at > 0 &&
    at <= 64 &&
    email.length <= 254 &&
    LOCAL_PART.test(email.slice(0, at)) &&
    labels.length >= 2 &&
    labels.every((label) => DOMAIN_LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "");
  if (!isValid) throw new AccessError("invalid_email", "Enter an e-mail address, such as name@example.com.");
  return email;
}
