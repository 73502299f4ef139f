import { AccessError } from "@/lib/access/access-error";
import { type Account, viewAt } from "@/lib/access/accounts/account";
import { normaliseEmail } from "@/lib/access/accounts/email";
import { anonymous } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/audit";
import { change, isId } from "@/lib/access/revision";
import { createAttempts } from "@/lib/access/sign-in/attempts";
import type { Passwords } from "@/lib/access/sign-in/passwords";
import { confirmLimit, signInLimits } from "@/lib/access/sign-in/sign-in-limits";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";
import { MINUTE_MS } from "@/lib/time/units";

/** Checking passwords. What is told of a wrong one, and how long that takes, is the same whether an account exists or not. */

interface Options {
  readonly now: Clock;
  readonly passwords: Passwords;
}

/** Longer than any address may be. */
const maxEmailLength = 320;

export function createCredentials(database: Database, { now, passwords }: Options) {
  const accounts = database.prisma.account;
  const attempts = createAttempts(database, { now });

  return {
    /**
     * The account with this e-mail address and password, asked for from this network address; or null, also for a
     * right password after too many wrong ones. The account may be suspended; what to do then is the caller's choice.
     */
    async authenticate(emailText: string, password: string, address: string | null = null): Promise<Account | null> {
      const email = normaliseEmail(emailText).slice(0, maxEmailLength);
      const { place, pair, account } = signInLimits(email, address);
      const limits = [...place, pair, account];
      const { exhausted, last } = await attempts.take(...limits);
      if (exhausted !== null) return null;
      const row = await accounts.findUnique({ where: { email } });
      const isRight = await passwords.verify(password, row?.passwordHash ?? null).catch(async (error: unknown) => {
        await attempts.giveBack(...limits);
        throw error;
      });
      if (isRight && row !== null) {
        // Only this account's guesses are forgiven: an account of one's own must not buy more at others.
        await attempts.giveBack(...place, account);
        await attempts.forget(pair);
        return viewAt(row, now());
      }
      const reached = last.filter((limit) => limit === pair || limit === account);
      if (row !== null && reached.length > 0) await tellOfBurst(row.id, address);
      return null;
    },

    /**
     * Whether this is the account's password; for an owner who is signed in and asks for something that matters. After
     * five wrong ones rejects with "too_many_attempts" for the rest of a quarter of an hour.
     */
    async confirmPassword(id: string, password: string): Promise<boolean> {
      if (!isId(id)) return false;
      const limit = confirmLimit(id);
      const { exhausted, untilMs } = await attempts.take(limit);
      if (exhausted !== null) {
        const minutes = Math.max(1, Math.ceil((untilMs - now()) / MINUTE_MS));
        const wait = `${minutes} minute${minutes === 1 ? "" : "s"}`;
        throw new AccessError("too_many_attempts", `Too many wrong passwords. Try again in ${wait}.`);
      }
      const row = await accounts.findUnique({ where: { id } });
      const isRight = await passwords.verify(password, row?.passwordHash ?? null);
      if (isRight) await attempts.forget(limit);
      return isRight;
    },
  };

  /** Once for each limit reached, so guessing cannot fill the log: six times an hour at most, from however many places. */
  async function tellOfBurst(accountId: string, address: string | null): Promise<void> {
    await change(database, (transaction) =>
      record(transaction, { atMs: now(), event: "account.sign_in_held", by: anonymous(address), accountId }),
    );
  }
}
