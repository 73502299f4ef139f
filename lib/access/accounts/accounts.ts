import { AccessError } from "@/lib/access/access-error";
import {
  type Account,
  type AccountData,
  changeAccount,
  checkPlan,
  computeTrialEnd,
  normaliseEmail,
  toAccount,
} from "@/lib/access/accounts/account";
import { createRegistration, type RegistrationOptions } from "@/lib/access/accounts/registration";
import { type Actor, OPERATOR_CLI } from "@/lib/access/actor";
import type { EventName } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { NO_LIMIT, type PlanName } from "@/lib/access/plans";
import type { Database } from "@/lib/platform/database/database";
import type { Account as AccountRow } from "@/prisma/generated/client";

export type { Account } from "@/lib/access/accounts/account";

/**
 * The people and organisations that sign in and own keys. Every method rejects with an AccessError for what the caller
 * can correct.
 */
export type Accounts = ReturnType<typeof createAccounts>;

/** Undefined leaves a limit as it is. */
export interface Limits {
  readonly perMinute?: number | null;
  readonly perDay?: number | null;
}

const MAX_CREDITS = 1_000_000_000;

export function createAccounts(database: Database, options: RegistrationOptions) {
  const { now, directory } = options;
  const accounts = database.prisma.account;
  const view = (row: AccountRow): Account => toAccount(row, now());

  async function update(id: string, event: EventName, by: Actor, data: AccountData): Promise<Account> {
    const row = await changeAccount(database, { id, by, atMs: now() }, ({ save }) => save(event, data));
    await directory?.refresh();
    return view(row);
  }

  return {
    create: createRegistration(database, options),

    async find(id: string): Promise<Account | null> {
      const row = isId(id) ? await accounts.findUnique({ where: { id } }) : null;
      return row && view(row);
    },

    async findByEmail(email: string): Promise<Account | null> {
      const row = await accounts.findUnique({ where: { email: normaliseEmail(email) } });
      return row && view(row);
    },

    /** Every account, oldest first. */
    async list(): Promise<Account[]> {
      return (await accounts.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] })).map(view);
    },

    count(): Promise<number> {
      return accounts.count();
    },

    /** Changes the plan now. The plan "trial" starts a new trial, even if one is active. */
    async setPlan(id: string, plan: PlanName, by: Actor = OPERATOR_CLI): Promise<Account> {
      checkPlan(plan);
      return update(id, "account.set_plan", by, { plan, trialEndsAt: computeTrialEnd(plan, now()) });
    },

    /** Sets the account's own limits: a number, NO_LIMIT for none, or null to follow the plan. */
    async setLimits(id: string, { perMinute, perDay }: Limits, by: Actor = OPERATOR_CLI): Promise<Account> {
      const data: AccountData = {};
      if (perMinute !== undefined) data.perMinuteLimit = checkLimit(perMinute);
      if (perDay !== undefined) data.perDayLimit = checkLimit(perDay);
      return update(id, "account.set_limits", by, data);
    },

    /** Sets the credits left of those paid in advance: a whole number from 0 up. */
    async setPrepaidCredits(id: string, credits: number, by: Actor = OPERATOR_CLI): Promise<Account> {
      if (!(Number.isInteger(credits) && credits >= 0 && credits <= MAX_CREDITS)) {
        throw new AccessError("invalid_credits", `Credits must be a whole number from 0 to ${MAX_CREDITS}.`);
      }
      return update(id, "account.set_credits", by, { prepaidCredits: credits });
    },
  };
}

function checkLimit(limit: number | null): number | null {
  if (limit !== null && !(Number.isInteger(limit) && limit >= 1 && limit <= NO_LIMIT)) {
    throw new AccessError("invalid_limit", "A limit must be a whole number from 1 up, or none.");
  }
  return limit;
}
