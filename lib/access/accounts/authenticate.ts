import { type Account, toAccount } from "@/lib/access/accounts/account";
import { normaliseEmail } from "@/lib/access/accounts/email";
import { anonymous } from "@/lib/access/actor";
import { record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import type { Attempts } from "@/lib/access/sign-in/attempts";
import type { Passwords } from "@/lib/access/sign-in/passwords";
import type { RefusedSignIn } from "@/lib/access/sign-in/refused-sign-ins";
import { getSignInLimits } from "@/lib/access/sign-in/sign-in-limits";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";

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
 * suspended; or with null, also for a right password after too many wrong ones. `address` is the network address.
 */
export function createAuthenticate(parts: Parts) {
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
    if (exhausted !== null) {
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
