import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import {
  type Account,
  checkEmail,
  checkPlan,
  computeTrialEnd,
  toAccount,
  toAccountFacts,
} from "@/lib/access/accounts/account";
import { addIdentity, type ProviderIdentity } from "@/lib/access/accounts/identities";
import { type Actor, type Anonymous, OPERATOR_CLI, type OperatorCli } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import type { PlanName } from "@/lib/access/plans";
import { change, type Refreshable } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";
import { createPasswords, findPasswordProblem, type Passwords } from "@/lib/access/sign-in/passwords";
import { createAttempts, getSignUpLimit } from "@/lib/access/sign-in/sign-in-limits";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { WEEK_MS } from "@/lib/time/units";
import type { Invitation as InvitationRow, Prisma } from "@/prisma/generated/client";

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

/** Who may sign up: everyone, everyone with an invitation, or no one. */
export type SignUpMode = "open" | "invitation" | "closed";

interface SignUp {
  readonly mode: SignUpMode;
  /** Normalised. */
  readonly email: string;
  /** The secret of the invitation link. */
  readonly invitation: string | undefined;
  /** The code of the setup link, as the visitor sent it and as it is. */
  readonly setup: { readonly sent: string | undefined; readonly code: string | undefined };
  readonly nowMs: number;
}

/** The terms of a new account. */
interface SignUpTerms {
  /** The invitation's id, which becomes the account's; undefined without an invitation. */
  readonly id: string | undefined;
  readonly plan: PlanName;
}

/**
 * Throws an AccessError if the person may not sign up. The first account of an installation, which is the operator's,
 * needs the code of the setup link. The answer is final only inside `change`.
 */
async function admitSignUp(client: Prisma.TransactionClient, signUp: SignUp): Promise<SignUpTerms> {
  const { mode, email, invitation: token, setup, nowMs } = signUp;
  const freeTerms: SignUpTerms = { id: undefined, plan: "free" };
  if ((await client.account.count()) === 0) {
    if (isSetupCode(setup.sent, setup.code)) return freeTerms;
    throw new AccessError("setup_required", "Open the setup link that the server wrote to its log at its start.");
  }
  if (mode === "closed") throw new AccessError("sign_up_closed", "Only the operator can create accounts.");
  if (token === undefined) {
    if (mode === "open") return freeTerms;
    throw new AccessError("sign_up_closed", "You need an invitation to sign up. Ask the operator for one.");
  }
  const invitation = await findOpenInvitation(client, token, nowMs);
  if (invitation === null) {
    throw new AccessError("invitation_not_found", "This invitation was used, revoked or has expired.");
  }
  if (invitation.email !== null && invitation.email !== email) {
    throw new AccessError("invitation_not_yours", "This invitation is for another e-mail address.");
  }
  return { id: invitation.id, plan: invitation.plan };
}

/** Marks an invitation as used. Only inside `change`. */
async function markUsed(client: Prisma.TransactionClient, id: string, atMs: number): Promise<void> {
  await client.invitation.update({ where: { id }, data: { usedAt: new Date(atMs) } });
}

/**
 * The code of the setup link, with which the first account is created. It proves access to the server's log. Every
 * process of an installation derives the same one; after the first account it has no use.
 *
 * @param secret the installation's session secret
 */
export function deriveSetupCode(secret: string): string {
  return createHmac("sha256", secret).update("setup code").digest("base64url").slice(0, 22);
}

/** Whether a visitor sent the right code. False if this process has none. */
export function isSetupCode(sent: string | undefined, code: string | undefined): boolean {
  if (sent === undefined || code === undefined) return false;
  const [given, right] = [Buffer.from(sent), Buffer.from(code)];
  return given.length === right.length && timingSafeEqual(given, right);
}

/**
 * Links that let one person each sign up. Only a hash of the link's secret is stored. The invitation's id becomes the
 * account's id, so the account's audit history starts with the invitation.
 */
export type Invitations = ReturnType<typeof createInvitations>;

export interface Invitation {
  readonly id: string;
  /** The only address that may use it; null for any. */
  readonly email: string | null;
  /** The plan of the new account. */
  readonly plan: PlanName;
  readonly state: "open" | "expired" | "used";
  /** UTC milliseconds, like all times here. */
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly usedAtMs: number | null;
}

interface NewInvitation {
  readonly email?: string | undefined;
  /** Default "free". */
  readonly plan?: PlanName | undefined;
}

const LIFETIME_MS = WEEK_MS;
const MAX_INVITATIONS = 1_000;

export function createInvitations(database: Database, { now }: { readonly now: Clock }) {
  return {
    /** Creates an invitation for a week, with the secret of its link, which cannot be shown again. */
    async create({ email: text, plan = "free" }: NewInvitation, by: Actor): Promise<Invitation & { token: string }> {
      const email = text === undefined || text.trim() === "" ? null : checkEmail(text);
      checkPlan(plan);
      const token = randomBytes(32).toString("base64url");
      const row = await change(database, async (transaction) => {
        if ((await transaction.invitation.count()) >= MAX_INVITATIONS) {
          throw new AccessError("too_many_invitations", `There are ${MAX_INVITATIONS} invitations: remove some first.`);
        }
        const times = { createdAt: new Date(now()), expiresAt: new Date(now() + LIFETIME_MS) };
        const invitation = await transaction.invitation.create({
          data: { tokenHash: hashSecret(token), email, plan, ...times },
        });
        // Without the address, because nothing can be removed from the audit log.
        const after = { plan, bound_to_address: email !== null, expires_at: invitation.expiresAt.toISOString() };
        await record(transaction, { atMs: now(), event: "invitation.create", by, accountId: invitation.id, after });
        return invitation;
      });
      return { ...toInvitation(row, now()), token };
    },

    /** Every invitation, newest first. */
    async list(): Promise<Invitation[]> {
      const rows = await database.prisma.invitation.findMany({ orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
      return rows.map((row) => toInvitation(row, now()));
    },

    /** The open invitation of this link, or null. */
    async find(token: string): Promise<Invitation | null> {
      const row = await findOpenInvitation(database.prisma, token, now());
      return row && toInvitation(row, now());
    },

    /** Revokes an open invitation, or removes an old one from the list. */
    async remove(id: string, by: Actor): Promise<void> {
      if (!isId(id)) throw createNotFoundError();
      await change(database, async (transaction) => {
        const { count } = await transaction.invitation.deleteMany({ where: { id } });
        if (count === 0) throw createNotFoundError();
        await record(transaction, { atMs: now(), event: "invitation.revoke", by, accountId: id });
      });
    },
  };
}

/** The invitation of this link, unless it was used or removed, or has expired. */
function findOpenInvitation(client: Prisma.TransactionClient, token: string, nowMs: number) {
  return client.invitation.findFirst({
    where: { tokenHash: hashSecret(token.slice(0, 200)), usedAt: null, expiresAt: { gt: new Date(nowMs) } },
  });
}

function createNotFoundError(): AccessError {
  return new AccessError("invitation_not_found", "There is no such invitation any more.");
}

function toInvitation(row: InvitationRow, nowMs: number): Invitation {
  const [expiresAtMs, usedAtMs] = [row.expiresAt.getTime(), row.usedAt?.getTime() ?? null];
  const state = usedAtMs !== null ? "used" : expiresAtMs <= nowMs ? "expired" : "open";
  const { id, email, plan } = row;
  return { id, email, plan, state, createdAtMs: row.createdAt.getTime(), expiresAtMs, usedAtMs };
}
