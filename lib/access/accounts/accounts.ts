import { AccessError } from "@/lib/access/access-error";
import { type Account, factsOf, viewAt } from "@/lib/access/accounts/account";
import { type AccountData, changeAccount } from "@/lib/access/accounts/account-change";
import { createStanding } from "@/lib/access/accounts/account-standing";
import { createCredentials } from "@/lib/access/accounts/credentials";
import { checkEmail, normaliseEmail } from "@/lib/access/accounts/email";
import { addIdentity, type ToldIdentity } from "@/lib/access/accounts/identities";
import { type Admission, admit, markUsed, type SignUpMode } from "@/lib/access/accounts/sign-up";
import { type Actor, type Anonymous, anonymous, OPERATOR_CLI, type OperatorCli } from "@/lib/access/actor";
import { type EventName, record } from "@/lib/access/audit/audit";
import { NO_LIMIT, type PlanName, planNames, trialDays } from "@/lib/access/plans";
import { change, isId, type Onlooker } from "@/lib/access/revision";
import { endSessions, type SessionsToEnd } from "@/lib/access/sign-in/account-sessions";
import { createAttempts } from "@/lib/access/sign-in/attempts";
import { createPasswords, passwordProblem, type Passwords } from "@/lib/access/sign-in/passwords";
import { signUpLimits } from "@/lib/access/sign-in/sign-in-limits";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";
import { DAY_MS } from "@/lib/time/units";
import type { Account as AccountRow, Prisma } from "@/prisma/generated/client";

export type { Account } from "@/lib/access/accounts/account";

/**
 * The people and organisations that sign in and own keys. The first account of an installation is its operator's.
 * Every method rejects with an AccessError for what the caller can put right.
 */

export interface NewAccount {
  readonly email: string;
  /** Null for an account that signs in with `identity` only. */
  readonly password: string | null;
  readonly identity?: ToldIdentity;
  /** What the invitation says, or free, unless said otherwise. */
  readonly plan?: PlanName;
  /** The secret of the link by which somebody was invited. */
  readonly invitation?: string | undefined;
}

export interface Limits {
  readonly perMinute?: number | null;
  readonly perDay?: number | null;
}

export interface PasswordChange {
  readonly old: string;
  readonly password: string;
}

export type Accounts = ReturnType<typeof createAccounts>;

interface Options {
  readonly now: Clock;
  /** Brought up to date before a change is acknowledged, where keys are served by this process. */
  readonly directory?: Onlooker;
  readonly passwords?: Passwords;
  /** Who may sign up; everybody, unless said otherwise. */
  readonly signUp?: SignUpMode;
}

const mostCredits = 1_000_000_000;

export function createAccounts(database: Database, options: Options) {
  const { now, directory, passwords = createPasswords(), signUp = "open" } = options;
  const accounts = database.prisma.account;
  const view = (row: AccountRow): Account => viewAt(row, now());

  const attempts = createAttempts(database, { now });

  async function update(
    id: string,
    event: EventName,
    by: Actor,
    data: AccountData,
    sessionsToEnd: SessionsToEnd = "none",
  ): Promise<Account> {
    const row = await changeAccount(database, id, async ({ transaction, save }) =>
      save(now(), event, by, data, await endSessions(transaction, id, sessionsToEnd)),
    );
    await directory?.refresh();
    return view(row);
  }

  return {
    ...createCredentials(database, { now, passwords }),

    /** Makes an account; the first ever becomes the operator's, however many are made at the same moment. */
    async create(asked: NewAccount, by: Anonymous | OperatorCli = anonymous(null)): Promise<Account> {
      const { password, identity } = asked;
      const email = checkEmail(asked.email);
      const problem = password === null ? null : passwordProblem(password, email);
      if (problem !== null) throw new AccessError("invalid_password", problem);
      checkPlan(asked.plan ?? "free");
      if (by.kind === "anonymous" && (await attempts.take(...signUpLimits(by.address))).exhausted !== null) {
        throw new AccessError("too_many_attempts", "Too many accounts were asked for from here. Try again in an hour.");
      }
      const admission = (client: Prisma.TransactionClient): Promise<Admission> | Admission => {
        if (by.kind === "operator-cli") return { id: undefined, plan: asked.plan ?? "free" };
        return admit(client, { mode: signUp, email, invitation: asked.invitation, nowMs: now() });
      };
      // Whoever may not sign up is turned away before a hash is made for them.
      await admission(database.prisma);
      const passwordHash = password === null ? null : await passwords.hash(password);
      const row = await change(database, async (transaction, revision) => {
        if ((await transaction.account.count({ where: { email } })) > 0) {
          throw new AccessError("email_taken", "There is an account with this e-mail address already.");
        }
        const role = (await transaction.account.count()) === 0 ? "operator" : "member";
        const { id, plan: admitted } = await admission(transaction);
        const plan = asked.plan ?? admitted;
        if (id !== undefined) await markUsed(transaction, id, now());
        const trialEndsAt = trialEnd(plan, now());
        const made = await transaction.account.create({
          data: { ...(id === undefined ? {} : { id }), email, passwordHash, role, plan, trialEndsAt, revision },
        });
        const after = { role, ...factsOf(made) };
        const owner =
          by.kind === "anonymous" ? ({ kind: "owner", accountId: made.id, address: by.address } as const) : null;
        const event = "account.create";
        await record(transaction, { atMs: now(), event, by: owner ?? OPERATOR_CLI, accountId: made.id, after });
        if (identity !== undefined && owner !== null) await addIdentity(transaction, identity, owner, now());
        return made;
      });
      // The account exists now: an error would only make people try again and be told that it is taken.
      await directory?.refresh().catch(() => {});
      return view(row);
    },

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

    /** Puts the account on a plan from now on; a trial starts, and starts again, with this. */
    async setPlan(id: string, plan: PlanName, by: Actor = OPERATOR_CLI): Promise<Account> {
      checkPlan(plan);
      return update(id, "account.set_plan", by, { plan, trialEndsAt: trialEnd(plan, now()) });
    },

    /** Sets limits of the account's own: a number, NO_LIMIT for none, null to follow the plan; undefined keeps it. */
    async setLimits(id: string, { perMinute, perDay }: Limits, by: Actor = OPERATOR_CLI): Promise<Account> {
      for (const limit of [perMinute, perDay]) checkLimit(limit ?? null);
      return update(id, "account.set_limits", by, {
        ...(perMinute === undefined ? {} : { perMinuteLimit: perMinute }),
        ...(perDay === undefined ? {} : { perDayLimit: perDay }),
      });
    },

    /** Sets what is left of the credits paid in advance: a whole number from 0 up. */
    async setPrepaidCredits(id: string, credits: number, by: Actor = OPERATOR_CLI): Promise<Account> {
      if (!(Number.isInteger(credits) && credits >= 0 && credits <= mostCredits)) {
        throw new AccessError("invalid_credits", `Credits must be a whole number from 0 to ${mostCredits}.`);
      }
      return update(id, "account.set_credits", by, { prepaidCredits: credits });
    },

    /** Gives the account a new password, and ends its sessions but for the one with the id `kept`. */
    async setPassword(id: string, password: string, by: Actor = OPERATOR_CLI, kept?: string): Promise<Account> {
      const account = await this.find(id);
      const problem = passwordProblem(password, account?.email ?? "");
      if (problem !== null) throw new AccessError("invalid_password", problem);
      const passwordHash = await passwords.hash(password);
      return update(id, "account.set_password", by, { passwordHash }, { allBut: kept });
    },

    /** Exchanges the password for another, for an owner who knows it; see setPassword. */
    async changePassword(id: string, { old, password }: PasswordChange, by: Actor, kept: string): Promise<Account> {
      if (!(await this.confirmPassword(id, old))) throw new AccessError("wrong_password", "The password is not right.");
      return this.setPassword(id, password, by, kept);
    },

    ...createStanding(database, { now, directory }),
  };
}

function trialEnd(plan: PlanName, nowMs: number): Date | null {
  return plan === "trial" ? new Date(nowMs + trialDays * DAY_MS) : null;
}

function checkPlan(plan: string): void {
  if (!planNames.some((name) => name === plan)) {
    throw new AccessError("invalid_plan", `The plan must be one of ${planNames.join(", ")}.`);
  }
}

function checkLimit(limit: number | null): void {
  if (limit !== null && !(Number.isInteger(limit) && limit >= 1 && limit <= NO_LIMIT)) {
    throw new AccessError("invalid_limit", "A limit must be a whole number from 1 up, or none.");
  }
}
