import { AccessError } from "@/lib/access/access-error";
import { type Account, changeAccount, toAccount } from "@/lib/access/accounts/account";
import type { Operator, Owner } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { PLAN_NAMES, type PlanName } from "@/lib/access/plans";
import type { Refreshable } from "@/lib/access/revision";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import type { PlanRequest as PlanRequestRow } from "@/prisma/generated/client";

/**
 * Accounts ask for another plan, and an operator approves or declines. An account has at most one request: a new one
 * replaces a declined one, and is refused while another is open. Every method rejects with an AccessError for what the
 * caller can correct.
 */
export type PlanRequests = ReturnType<typeof createPlanRequests>;

export interface PlanRequest {
  readonly id: string;
  readonly accountId: string;
  readonly plan: PlanName;
  readonly message: string | null;
  /** UTC milliseconds. */
  readonly createdAtMs: number;
  /** Null while the request is open. */
  readonly declined: { readonly atMs: number; readonly reason: string } | null;
}

/** A request with the account that made it. */
export interface OpenPlanRequest extends PlanRequest {
  readonly email: string;
  readonly currentPlan: PlanName;
  readonly isSuspended: boolean;
}

interface NewPlanRequest {
  readonly plan: string;
  readonly message: string;
}

interface Options {
  readonly now: Clock;
  /** Refreshed before an approval is acknowledged. */
  readonly directory?: Refreshable;
}

const MAX_LISTED = 500;

/** The plans that an account can ask for: all but its own and the trial. */
export function listRequestable({ plan }: Pick<Account, "plan">): PlanName[] {
  return PLAN_NAMES.filter((name) => name !== "trial" && name !== plan);
}

export function createPlanRequests(database: Database, { now, directory }: Options) {
  const requests = database.prisma.planRequest;

  /** The open request with this id, of the account that the form names. */
  async function findOpen(id: string): Promise<PlanRequestRow> {
    const row = isId(id) ? await requests.findFirst({ where: { id, declinedAt: null } }) : null;
    return row ?? rejectEnded();
  }

  return {
    /** The account's request: open, or the last one if it was declined. */
    async find(accountId: string): Promise<PlanRequest | null> {
      const row = isId(accountId) ? await requests.findUnique({ where: { accountId } }) : null;
      return row && toRequest(row);
    },

    countOpen(): Promise<number> {
      return requests.count({ where: { declinedAt: null } });
    },

    /** Open requests, oldest first, at most 500. */
    async listOpen(): Promise<OpenPlanRequest[]> {
      const rows = await requests.findMany({
        where: { declinedAt: null },
        include: { account: true },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        take: MAX_LISTED,
      });
      return rows.map(({ account, ...row }) => {
        const { email, plan: currentPlan, suspendedAtMs } = toAccount(account, now());
        return { ...toRequest(row), email, currentPlan, isSuspended: suspendedAtMs !== null };
      });
    },

    async create({ plan: name, message: text }: NewPlanRequest, by: Owner): Promise<void> {
      const message = checkLine(text, "invalid_message");
      const { accountId } = by;
      await changeAccount(database, { id: accountId, by, atMs: now() }, async ({ row, transaction }) => {
        const plan = listRequestable(toAccount(row, now())).find((each) => each === name);
        if (plan === undefined) throw new AccessError("invalid_plan", "Choose another plan than your own.");
        const earlier = await transaction.planRequest.findUnique({ where: { accountId } });
        if (earlier !== null && earlier.declinedAt === null) {
          throw new AccessError("plan_request_state", "You have an open request already. Withdraw it first.");
        }
        await transaction.planRequest.deleteMany({ where: { accountId } });
        await transaction.planRequest.create({ data: { accountId, plan, message, createdAt: new Date(now()) } });
        // Without the message, because nothing can be removed from the audit log.
        await record(transaction, { atMs: now(), event: "plan_request.create", by, accountId, after: { plan } });
      });
    },

    async withdraw(id: string, by: Owner): Promise<void> {
      const { accountId } = by;
      await changeAccount(database, { id: accountId, by, atMs: now() }, async ({ transaction }) => {
        const where = { id, accountId, declinedAt: null };
        const row = isId(id) ? await transaction.planRequest.findFirst({ where }) : null;
        if (row === null) return rejectEnded();
        await transaction.planRequest.delete({ where: { id } });
        const before = { plan: row.plan };
        await record(transaction, { atMs: now(), event: "plan_request.withdraw", by, accountId, before });
      });
    },

    /** Gives the account the plan that it requested, now. */
    async approve(id: string, by: Operator): Promise<void> {
      const { accountId, plan } = await findOpen(id);
      await changeAccount(database, { id: accountId, by, atMs: now() }, async ({ transaction, save }) => {
        const { count } = await transaction.planRequest.deleteMany({ where: { id, declinedAt: null } });
        if (count === 0) return rejectEnded();
        return save("account.set_plan", { plan, trialEndsAt: null }, { approved_request: id });
      });
      await directory?.refresh();
    },

    /** Declines a request with a reason, which the account sees and the audit log keeps. */
    async decline(id: string, text: string, by: Operator): Promise<void> {
      const reason = checkLine(text, "invalid_reason");
      if (reason === null) throw new AccessError("invalid_reason", "Enter a reason. The account sees it.");
      const { accountId, plan } = await findOpen(id);
      await changeAccount(database, { id: accountId, by, atMs: now() }, async ({ transaction }) => {
        const data = { declinedAt: new Date(now()), reason };
        const { count } = await transaction.planRequest.updateMany({ where: { id, declinedAt: null }, data });
        if (count === 0) return rejectEnded();
        const after = { request: id, plan, reason };
        await record(transaction, { atMs: now(), event: "plan_request.decline", by, accountId, after });
      });
    },
  };
}

function rejectEnded(): never {
  throw new AccessError("plan_request_state", "This request is no longer open.");
}

function toRequest({ id, accountId, plan, message, createdAt, declinedAt, reason }: PlanRequestRow): PlanRequest {
  const declined = declinedAt === null ? null : { atMs: declinedAt.getTime(), reason: reason ?? "" };
  return { id, accountId, plan, message, createdAtMs: createdAt.getTime(), declined };
}

/** The most characters of a reason or a message. */
export const MAX_LINE_LENGTH = 200;

const NAMES = { invalid_reason: "a reason", invalid_message: "a message" } as const;

/** Trims a line of text; null if it is empty. Rejects line breaks and what cannot be seen with this code. */
export function checkLine(text: string, code: keyof typeof NAMES): string | null {
  const line = text.trim();
  if ([...line].length > MAX_LINE_LENGTH || /[\p{C}\p{Zl}\p{Zp}]/u.test(line)) {
    throw new AccessError(code, `Give ${NAMES[code]} of at most ${MAX_LINE_LENGTH} visible characters.`);
  }
  return line === "" ? null : line;
}
