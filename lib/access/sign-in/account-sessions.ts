import { createHash, randomBytes } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import { type EventName, record } from "@/lib/access/audit/audit";
import type { Facts } from "@/lib/access/audit/audit-chain";
import { change, isId } from "@/lib/access/revision";
import { browserName } from "@/lib/access/sign-in/browser-name";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";
import type { Prisma, Session as SessionRow } from "@/prisma/generated/client";

/**
 * The browsers that are signed in. A browser's cookie carries a random token; only its hash is stored, and a session
 * ends when its row goes, for every process at once. A password changed or an account suspended ends them in the same
 * transaction, see accounts.ts.
 */

export interface AccountSession {
  /** Not secret: sessions are listed and revoked by it. */
  readonly id: string;
  readonly accountId: string;
  /** Times in UTC milliseconds. */
  readonly createdAtMs: number;
  /** The latest page or action, or one at most a minute older. */
  readonly lastSeenAtMs: number;
  readonly expiresAtMs: number;
  /** When the password was last given again; null when it was not. */
  readonly confirmedAtMs: number | null;
  /** Where it was last seen; null where that is not known. */
  readonly address: string | null;
  /** "Firefox on Linux". */
  readonly browser: string;
}

interface NewSession {
  readonly accountId: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The token of the session that this browser had until now: it ends. */
  readonly replaces?: string | undefined;
}

export type AccountSessions = ReturnType<typeof createAccountSessions>;

export const SESSION_LIFE_MS = 14 * DAY_MS;
const seenEveryMs = MINUTE_MS;
const mostPerAccount = 50;

export function createAccountSessions(database: Database, { now }: { now: Clock }) {
  const sessions = database.prisma.session;

  /** Rows whose time is over, which nobody can use any more, count as gone. */
  const alive = () => ({ expiresAt: { gt: new Date(now()) } });

  async function endAll(accountId: string, event: EventName, by: Actor, which: Prisma.SessionWhereInput) {
    if (!isId(accountId)) return 0;
    return change(database, async (transaction) => {
      const { count } = await transaction.session.deleteMany({ where: { ...which, accountId, ...alive() } });
      if (count > 0) await record(transaction, { atMs: now(), event, by, accountId, after: { sessions_ended: count } });
      return count;
    });
  }

  return {
    /** Signs a browser in. The token goes into its cookie; it cannot be had again. Rejects for a suspended account. */
    async start({ accountId, address, userAgent, replaces }: NewSession): Promise<AccountSession & { token: string }> {
      const token = randomBytes(32).toString("base64url");
      const row = await change(database, async (transaction) => {
        // The password was checked before this transaction: the account may have been suspended since.
        const account = isId(accountId) ? await transaction.account.findUnique({ where: { id: accountId } }) : null;
        if (account === null) throw new AccessError("account_not_found", "There is no such account.");
        if (account.suspendedAt !== null) throw new AccessError("account_suspended", "This account is suspended.");
        const atMs = now();
        const gone = [{ expiresAt: { lte: new Date(atMs) } }, { tokenHash: hashToken(replaces ?? "") }];
        await transaction.session.deleteMany({ where: { OR: gone } });
        await makeRoom(transaction, accountId);
        const started = await transaction.session.create({
          data: {
            tokenHash: hashToken(token),
            accountId,
            createdAt: new Date(atMs),
            lastSeenAt: new Date(atMs),
            expiresAt: new Date(atMs + SESSION_LIFE_MS),
            address,
            browser: browserName(userAgent),
          },
        });
        const after = { session: started.id, browser: started.browser };
        await record(transaction, {
          atMs,
          event: "session.start",
          by: { kind: "owner", accountId, address },
          accountId,
          after,
        });
        return started;
      });
      return { ...viewOf(row), token };
    },

    /** The session of this token, or null when it has ended. Notes that it was seen, from this address. */
    async find(token: string, address: string | null): Promise<AccountSession | null> {
      const row = await sessions.findFirst({ where: { tokenHash: hashToken(token), ...alive() } });
      if (row === null) return null;
      const nowMs = now();
      if (nowMs - row.lastSeenAt.getTime() < seenEveryMs) return viewOf(row);
      const seen = { lastSeenAt: new Date(nowMs), address: address ?? row.address };
      // It may have ended since it was read, and an update must not fail for that.
      const { count } = await sessions.updateMany({ where: { id: row.id }, data: seen });
      return count === 0 ? null : viewOf({ ...row, ...seen });
    },

    /** Whether the session is still going on; for what was opened by it and stays open. */
    async isAlive(id: string): Promise<boolean> {
      return isId(id) && (await sessions.count({ where: { id, ...alive() } })) > 0;
    },

    /** The sessions of an account, the one seen last first. */
    async list(accountId: string): Promise<AccountSession[]> {
      if (!isId(accountId)) return [];
      const orderBy = [{ lastSeenAt: "desc" }, { id: "desc" }] as const;
      return (await sessions.findMany({ where: { accountId, ...alive() }, orderBy: [...orderBy] })).map(viewOf);
    },

    /** Notes that the account's password was given in this session now. */
    async confirm(id: string): Promise<void> {
      await sessions.updateMany({ where: { id }, data: { confirmedAt: new Date(now()) } });
    },

    /** Signs the browser with this token out; nothing happens where it is signed out already. */
    async end(token: string, address: string | null): Promise<void> {
      await change(database, async (transaction) => {
        const row = await transaction.session.findUnique({ where: { tokenHash: hashToken(token) } });
        if (row === null) return;
        const { id, accountId } = row;
        await transaction.session.delete({ where: { id } });
        const by = { kind: "owner", accountId, address } as const;
        await record(transaction, { atMs: now(), event: "session.end", by, accountId, after: { session: id } });
      });
    },

    /** Ends one session of an account. Rejects with "session_not_found" for anybody else's, as for one that has ended. */
    async revoke(accountId: string, id: string, by: Actor): Promise<void> {
      const notFound = () => new AccessError("session_not_found", "This session has ended already.");
      if (!isId(id) || !isId(accountId)) throw notFound();
      await change(database, async (transaction) => {
        const row = await transaction.session.findFirst({ where: { id, accountId, ...alive() } });
        if (row === null) throw notFound();
        await transaction.session.delete({ where: { id } });
        const after = { session: id, browser: row.browser };
        await record(transaction, { atMs: now(), event: "session.revoke", by, accountId, after });
      });
    },

    /** Ends all sessions of an account but one, and resolves with how many those were. */
    revokeOthers: (accountId: string, keptId: string, by: Actor): Promise<number> =>
      endAll(accountId, "session.revoke_others", by, { id: { not: keptId } }),

    /** Ends all sessions of an account, and resolves with how many those were. */
    revokeAll: (accountId: string, by: Actor): Promise<number> => endAll(accountId, "session.revoke_all", by, {}),
  };
}

export type SessionsToEnd = "none" | { readonly allBut: string | undefined };

/** Ends sessions in the transaction of what ends them, so that none outlives it. Resolves with a fact for its event. */
export async function endSessions(
  transaction: Prisma.TransactionClient,
  accountId: string,
  which: SessionsToEnd,
): Promise<Facts> {
  if (which === "none") return {};
  const kept = which.allBut === undefined ? {} : { id: { not: which.allBut } };
  const { count } = await transaction.session.deleteMany({ where: { accountId, ...kept } });
  return { sessions_ended: count };
}

/** A program that signs in again and again must not fill the table: its oldest sessions end. */
async function makeRoom(transaction: Prisma.TransactionClient, accountId: string): Promise<void> {
  const oldest = await transaction.session.findMany({
    where: { accountId },
    orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
    skip: mostPerAccount - 1,
    select: { id: true },
  });
  if (oldest.length > 0) await transaction.session.deleteMany({ where: { id: { in: oldest.map(({ id }) => id) } } });
}

/** The token is 32 random bytes, so a plain hash of it cannot be guessed back. */
function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function viewOf(row: SessionRow): AccountSession {
  const { id, accountId, address, browser, createdAt, lastSeenAt, expiresAt, confirmedAt } = row;
  return {
    id,
    accountId,
    createdAtMs: createdAt.getTime(),
    lastSeenAtMs: lastSeenAt.getTime(),
    expiresAtMs: expiresAt.getTime(),
    confirmedAtMs: confirmedAt?.getTime() ?? null,
    address,
    browser,
  };
}
