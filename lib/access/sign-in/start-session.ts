import { randomBytes } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import { isId } from "@/lib/access/id";
import { record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";
import { type AccountSession, SESSION_LIFE_MS, toAccountSession } from "@/lib/access/sign-in/account-session";
import { describeBrowser } from "@/lib/access/sign-in/browser-name";
import type { Database } from "@/lib/platform/database/database";
import type { Prisma } from "@/prisma/generated/client";

export interface NewSession {
  readonly accountId: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The token of the browser's previous session, which ends. */
  readonly replaces?: string | undefined;
}

/** A session with the token for its cookie, which cannot be read again. */
export type StartedSession = AccountSession & { readonly token: string };

const MAX_SESSIONS = 50;

/** Signs a browser in. Rejects with "account_suspended" for a suspended account. */
export async function startSession(database: Database, input: NewSession, nowMs: number): Promise<StartedSession> {
  const { accountId, address, userAgent, replaces } = input;
  const token = randomBytes(32).toString("base64url");
  const row = await change(database, async (transaction) => {
    await requireActiveAccount(transaction, accountId);
    const ended = [{ expiresAt: { lte: new Date(nowMs) } }, { tokenHash: hashSecret(replaces ?? "") }];
    await transaction.session.deleteMany({ where: { OR: ended } });
    await endOldest(transaction, accountId);
    const started = await transaction.session.create({
      data: {
        tokenHash: hashSecret(token),
        accountId,
        createdAt: new Date(nowMs),
        lastSeenAt: new Date(nowMs),
        expiresAt: new Date(nowMs + SESSION_LIFE_MS),
        address,
        browser: describeBrowser(userAgent),
      },
    });
    await record(transaction, {
      atMs: nowMs,
      event: "session.start",
      by: { kind: "owner", accountId, address },
      accountId,
      after: { session: started.id, browser: started.browser },
    });
    return started;
  });
  return { ...toAccountSession(row), token };
}

/** Checked in the transaction: the account may have been suspended since its password was checked. */
async function requireActiveAccount(transaction: Prisma.TransactionClient, id: string): Promise<void> {
  const account = isId(id) ? await transaction.account.findUnique({ where: { id } }) : null;
  if (account === null) throw new AccessError("account_not_found", "There is no such account.");
  if (account.suspendedAt !== null) throw new AccessError("account_suspended", "This account is suspended.");
}

/** Ends the oldest sessions, so that a program that signs in repeatedly cannot fill the table. */
async function endOldest(transaction: Prisma.TransactionClient, accountId: string): Promise<void> {
  const oldest = await transaction.session.findMany({
    where: { accountId },
    orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
    skip: MAX_SESSIONS - 1,
    select: { id: true },
  });
  if (oldest.length > 0) await transaction.session.deleteMany({ where: { id: { in: oldest.map(({ id }) => id) } } });
}
