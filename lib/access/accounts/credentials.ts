import { AccessError } from "@/lib/access/access-error";
import { type Account, changeAccount, normaliseEmail, toAccount } from "@/lib/access/accounts/account";
import { type Actor, anonymous, OPERATOR_CLI } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { change, type Refreshable } from "@/lib/access/revision";
import { endSessions } from "@/lib/access/sign-in/account-sessions";
import { createPasswords, findPasswordProblem, type Passwords } from "@/lib/access/sign-in/passwords";
import {
  type Attempts,
  createAttempts,
  getConfirmLimit,
  getSignInLimits,
  hasSignedInFrom,
  type RefusedSignIn,
} from "@/lib/access/sign-in/sign-in-limits";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";

/** Checks and changes passwords. A failed check takes the same time and has the same result for an unknown account. */
export type Credentials = ReturnType<typeof createCredentials>;

export interface PasswordChange {
  readonly old: string;
  readonly password: string;
}

interface Options {
  readonly now: Clock;
  /** Refreshed before a change is acknowledged. */
  readonly directory?: Refreshable;
  readonly passwords?: Passwords;
  readonly log?: Logger;
  /** Called for every refused sign-in. */
  readonly onRefused?: (refused: RefusedSignIn) => void;
}

export function createCredentials(database: Database, options: Options) {
  const { now, directory, passwords = createPasswords(), log, onRefused } = options;
  const accounts = database.prisma.account;
  const attempts = createAttempts(database, { now });

  /** Whether this is the account's password. Rejects with "too_many_attempts" for 15 minutes after five wrong ones. */
  async function confirmPassword(id: string, password: string): Promise<boolean> {
    if (!isId(id)) return false;
    const limit = getConfirmLimit(id);
    const { exhausted, untilMs } = await attempts.take(limit);
    if (exhausted !== null) {
      const minutes = Math.max(1, Math.ceil((untilMs - now()) / MINUTE_MS));
      const wait = `${minutes} minute${minutes === 1 ? "" : "s"}`;
      throw new AccessError("too_many_attempts", `Too many wrong passwords. Try again in ${wait}.`);
    }
    const row = await accounts.findUnique({ where: { id } });
    const isRight = await passwords.verify(password, row?.passwordHash ?? null).catch(async (error: unknown) => {
      await attempts.giveBack(limit);
      throw error;
    });
    if (isRight) await attempts.forget(limit);
    return isRight;
  }

  /** Sets a new password and ends the account's sessions, except the one with the id `keptSession`. */
  async function setPassword(
    id: string,
    password: string,
    by: Actor = OPERATOR_CLI,
    keptSession?: string,
  ): Promise<Account> {
    const account = isId(id) ? await accounts.findUnique({ where: { id } }) : null;
    const problem = findPasswordProblem(password, account?.email ?? "");
    if (problem !== null) throw new AccessError("invalid_password", problem);
    const passwordHash = await passwords.hash(password);
    const row = await changeAccount(database, { id, by, atMs: now() }, async ({ transaction, save }) =>
      save("account.set_password", { passwordHash }, await endSessions(transaction, id, { allBut: keptSession })),
    );
    await directory?.refresh();
    return toAccount(row, now());
  }

  /** Replaces the password if the old one is right; see setPassword. */
  async function changePassword(
    id: string,
    { old, password }: PasswordChange,
    by: Actor,
    keptSession: string,
  ): Promise<Account> {
    if (!(await confirmPassword(id, old))) throw new AccessError("wrong_password", "The password is not right.");
    return setPassword(id, password, by, keptSession);
  }

  const onUnrecorded = (error: unknown) => log?.error({ err: error }, "a limit of sign-ins cannot be recorded");
  const authenticate = createAuthenticate({ database, now, attempts, passwords, onUnrecorded, onRefused });
  return { authenticate, confirmPassword, setPassword, changePassword };
}

interface Parts {
  readonly database: Database;
  readonly now: Clock;
  readonly attempts: Attempts;
  readonly passwords: Passwords;
  /** Receives the error if a reached limit cannot be recorded. */
  readonly onUnrecorded: (error: unknown) => void;
  readonly onRefused: ((refused: RefusedSignIn) => void) | undefined;
}

/** Longer than any e-mail address. */
const MAX_EMAIL_LENGTH = 320;

/**
 * Returns the function that signs in by e-mail address and password. It resolves with the account, which may be
 * suspended; or with null, also for a right password after too many wrong ones. `address` is the network address. The
 * wrong ones of other networks do not count where the account has signed in from this one before.
 */
function createAuthenticate(parts: Parts) {
  const { database, now, attempts, passwords, onRefused } = parts;
  return async function authenticate(
    emailText: string,
    password: string,
    address: string | null = null,
  ): Promise<Account | null> {
    const email = normaliseEmail(emailText).slice(0, MAX_EMAIL_LENGTH);
    const { network, pair, account } = getSignInLimits(email, address);
    const limits = [network, pair, account];
    const { exhausted, last } = await attempts.take(...limits);
    const isHeld =
      exhausted === account ? !(await hasSignedInFrom(database, email, { address, nowMs: now() })) : exhausted !== null;
    if (isHeld) {
      onRefused?.({ reason: "locked_out", address });
      return null;
    }
    const row = await database.prisma.account.findUnique({ where: { email } });
    const isRight = await passwords.verify(password, row?.passwordHash ?? null).catch(async (error: unknown) => {
      await attempts.giveBack(...limits);
      throw error;
    });
    if (isRight && row !== null) {
      // Only the guesses at this account are forgiven: signing in to one account must not allow more guesses at others.
      await attempts.giveBack(network, account);
      await attempts.forget(pair);
      return toAccount(row, now());
    }
    onRefused?.({ reason: "password", address, accountId: row?.id ?? null });
    const reachedLimit = last.some((limit) => limit === pair || limit === account);
    // Not awaited: only an address with an account has an event, and the time of the answer must not show that.
    if (row !== null && reachedLimit) void recordBlock(parts, row.id, address).catch(parts.onUnrecorded);
    return null;
  };
}

/** Recorded when a limit is reached, not per guess: six times an hour at most, so guessing cannot fill the log. */
async function recordBlock({ database, now }: Parts, accountId: string, address: string | null): Promise<void> {
  const by = anonymous(address);
  await change(database, (transaction) =>
    record(transaction, { atMs: now(), event: "account.sign_in_held", by, accountId }),
  );
}
