import { createHash, randomUUID } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import { normaliseEmail } from "@/lib/access/accounts/account";
import type { Credentials } from "@/lib/access/accounts/credentials";
import { isId } from "@/lib/access/id";
import { createAttempts, getResetLimits, hasSignedInFrom } from "@/lib/access/sign-in/sign-in-limits";
import { createTickets } from "@/lib/access/sign-in/tickets";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import type { Mailer } from "@/lib/platform/mail";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";

interface Options {
  readonly now: Clock;
  readonly secret: string;
  readonly setPassword: Credentials["setPassword"];
  readonly log: Pick<Logger, "error">;
}

interface ResetTicket {
  readonly accountId: string;
  readonly replaces: string;
}

/** How long a link works. */
export const RESET_MINUTES = 30;

/**
 * Links by mail that set a new password. A link names the account and a hash of its password hash, so that it works
 * once, and not at all after the password was changed in another way. Nothing is stored.
 */
export function createPasswordReset(database: Database, { now, secret, setPassword, log }: Options) {
  const tickets = createTickets<ResetTicket>({
    secret,
    purpose: "password reset",
    now,
    lifeMs: RESET_MINUTES * MINUTE_MS,
  });
  const attempts = createAttempts(database, { now });
  const accounts = database.prisma.account;

  /** The account of a link, or null if the link is not valid any more. */
  async function find(token: string): Promise<{ readonly id: string; readonly email: string } | null> {
    const ticket = tickets.read(token);
    if (ticket === null || !isId(ticket.accountId)) return null;
    const row = await accounts.findUnique({ where: { id: ticket.accountId } });
    if (row === null || row.passwordHash === null || hash(row.passwordHash) !== ticket.replaces) return null;
    return { id: row.id, email: row.email };
  }

  return {
    find,

    /**
     * Mails a link to an account. Resolves with false if there were too many requests. Sends nothing without an account,
     * or if it has no password because it signs in with a provider. `address` is the network address.
     */
    async request(email: string, address: string | null, { mailer, publicUrl }: MailParts): Promise<boolean> {
      const normal = normaliseEmail(email);
      const limits = getResetLimits(normal, address);
      const { exhausted } = await attempts.take(...limits);
      const isOfOthers = exhausted !== null && exhausted === limits.at(-1);
      if (isOfOthers ? !(await hasSignedInFrom(database, normal, { address, nowMs: now() })) : exhausted !== null)
        return false;
      const row = await accounts.findUnique({ where: { email: normal } });
      if (row === null || row.passwordHash === null) return true;
      const token = tickets.issue({ accountId: row.id, replaces: hash(row.passwordHash) });
      const text = formatMail(`${publicUrl}/sign-in/reset?token=${token}`, publicUrl);
      const mail = { to: row.email, subject: "Set a new Spotline password", text, id: randomUUID() };
      // Not awaited: the time of the answer must not show that there is an account.
      mailer.send(mail).catch((error: unknown) => log.error({ err: error }, "the mail of a password reset failed"));
      return true;
    },

    /** Sets the password as the account's owner, and ends all sessions. Rejects with "reset_not_valid" or "invalid_password". */
    async complete(token: string, password: string, address: string | null): Promise<void> {
      const account = await find(token);
      if (account === null)
        throw new AccessError("reset_not_valid", "This link is not valid any more. Request another.");
      await setPassword(account.id, password, { kind: "owner", accountId: account.id, address });
    },
  };
}

interface MailParts {
  readonly mailer: Mailer;
  /** The base of the link, without a slash at its end. */
  readonly publicUrl: string;
}

/** A password hash never leaves the database, not even sealed. */
const hash = (passwordHash: string) => createHash("sha256").update(passwordHash).digest("base64url");

function formatMail(link: string, publicUrl: string): string {
  return [
    `Somebody requested a new password for your account at ${publicUrl}.`,
    "",
    `To set one, open this link within ${RESET_MINUTES} minutes:`,
    link,
    "",
    "It works once, and signs you out everywhere. Your second factor stays.",
    "If it was not you, ignore this mail. Your password stays as it is.",
    "",
  ].join("\n");
}
