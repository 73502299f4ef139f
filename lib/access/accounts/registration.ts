import { AccessError } from "@/lib/access/access-error";
import { type Account, checkPlan, computeTrialEnd, toAccount, toAccountFacts } from "@/lib/access/accounts/account";
import { checkEmail } from "@/lib/access/accounts/email";
import { addIdentity, type ProviderIdentity } from "@/lib/access/accounts/identities";
import { admitSignUp, markUsed, type SignUpMode, type SignUpTerms } from "@/lib/access/accounts/sign-up";
import { type Anonymous, OPERATOR_CLI, type OperatorCli } from "@/lib/access/actor";
import type { PlanName } from "@/lib/access/plans";
import { record } from "@/lib/access/record";
import { change, type Refreshable } from "@/lib/access/revision";
import { createAttempts } from "@/lib/access/sign-in/attempts";
import { createPasswords, findPasswordProblem, type Passwords } from "@/lib/access/sign-in/passwords";
import { getSignUpLimit } from "@/lib/access/sign-in/sign-in-limits";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import type { Prisma } from "@/prisma/generated/client";

export interface NewAccount {
  readonly email: string;
  /** Null for an account that signs in with `identity` only. */
  readonly password: string | null;
  readonly identity?: ProviderIdentity;
  /** Default: the invitation's plan, else "free". */
  readonly plan?: PlanName;
  /** The secret of the invitation link. */
  readonly invitation?: string | undefined;
  /** The code of the setup link, which the first account needs. */
  readonly setupCode?: string | undefined;
}

export interface RegistrationOptions {
  readonly now: Clock;
  /** Refreshed before a change is acknowledged. */
  readonly directory?: Refreshable;
  readonly passwords?: Passwords;
  /** Default "open". */
  readonly signUp?: SignUpMode;
  /** The right code of the setup link. Without it, no visitor creates the first account. */
  readonly setupCode?: string;
}

type Registrar = Anonymous | OperatorCli;

/** Returns the function that creates accounts. The first account of an installation becomes its operator. */
export function createRegistration(database: Database, options: RegistrationOptions) {
  const { now, directory, passwords = createPasswords(), signUp = "open", setupCode } = options;
  const attempts = createAttempts(database, { now });

  /** Rejects if the account may not be created; else resolves with the terms it starts on. */
  async function admit(client: Prisma.TransactionClient, input: NewAccount, by: Registrar): Promise<SignUpTerms> {
    if (by.kind === "operator-cli") return { id: undefined, plan: input.plan ?? "free" };
    const email = checkEmail(input.email);
    const setup = { sent: input.setupCode, code: setupCode };
    return admitSignUp(client, { mode: signUp, email, invitation: input.invitation, setup, nowMs: now() });
  }

  async function insert(transaction: Prisma.TransactionClient, input: NewAccount, by: Registrar, values: Values) {
    const { email, passwordHash, revision } = values;
    if ((await transaction.account.count({ where: { email } })) > 0) {
      throw new AccessError("email_taken", "There is an account with this e-mail address already.");
    }
    const role = (await transaction.account.count()) === 0 ? "operator" : "member";
    const { id, plan: admittedPlan } = await admit(transaction, input, by);
    if (id !== undefined) await markUsed(transaction, id, now());
    const plan = input.plan ?? admittedPlan;
    const terms = { plan, trialEndsAt: computeTrialEnd(plan, now()) };
    const identified = id === undefined ? {} : { id };
    const row = await transaction.account.create({
      data: { ...identified, email, passwordHash, role, ...terms, revision },
    });
    const owner = { kind: "owner", accountId: row.id, address: by.kind === "anonymous" ? by.address : null } as const;
    await record(transaction, {
      atMs: now(),
      event: "account.create",
      by: by.kind === "anonymous" ? owner : OPERATOR_CLI,
      accountId: row.id,
      after: { role, ...toAccountFacts(row) },
    });
    const { identity } = input;
    if (identity !== undefined && by.kind === "anonymous") await addIdentity(transaction, identity, owner, now());
    return row;
  }

  return async function create(input: NewAccount, by: Registrar = OPERATOR_CLI): Promise<Account> {
    const { password } = input;
    const email = checkEmail(input.email);
    const problem = password === null ? null : findPasswordProblem(password, email);
    if (problem !== null) throw new AccessError("invalid_password", problem);
    checkPlan(input.plan ?? "free");
    if (by.kind === "anonymous" && (await attempts.take(getSignUpLimit(by.address))).exhausted !== null) {
      throw new AccessError("too_many_attempts", "Too many sign-ups came from this network. Try again in an hour.");
    }
    // Checked before the password is hashed, which is expensive, and again in the transaction.
    await admit(database.prisma, input, by);
    const passwordHash = password === null ? null : await passwords.hash(password);
    const row = await change(database, (transaction, revision) =>
      insert(transaction, input, by, { email, passwordHash, revision }),
    );
    // The account exists now. An error would make the caller try again, and fail with "email_taken".
    await directory?.refresh().catch(() => {});
    return toAccount(row, now());
  };
}

interface Values {
  readonly email: string;
  readonly passwordHash: string | null;
  readonly revision: bigint;
}
