import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import { isId } from "@/lib/access/id";
import { type EventName, record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";
import { type AccountSession, toAccountSession } from "@/lib/access/sign-in/account-session";
import { type NewSession, type StartedSession, startSession } from "@/lib/access/sign-in/start-session";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";
import type { Prisma } from "@/prisma/generated/client";

export type { AccountSession } from "@/lib/access/sign-in/account-session";

/**
 * Browsers that are signed in. A browser's cookie holds a random token; only its hash is stored. Deleting the row ends
 * the session in every process.
 */
export type AccountSessions = ReturnType<typeof createAccountSessions>;

/** How often a session's last use is written. */
const SEEN_INTERVAL_MS = MINUTE_MS;

export function createAccountSessions(database: Database, { now }: { now: Clock }) {
  const sessions = database.prisma.session;
  const unexpired = () => ({ expiresAt: { gt: new Date(now()) } });

  async function endAll(accountId: string, event: EventName, by: Actor, which: Prisma.SessionWhereInput) {
    if (!isId(accountId)) return 0;
    return change(database, async (transaction) => {
      const { count } = await transaction.session.deleteMany({ where: { ...which, accountId, ...unexpired() } });
      if (count > 0) await record(transaction, { atMs: now(), event, by, accountId, after: { sessions_ended: count } });
      return count;
    });
  }

  return {
    start: (input: NewSession): Promise<StartedSession> => startSession(database, input, now()),

    /** The session of this token, or null if it has ended. Updates when and where it was last seen. */
    async find(token: string, address: string | null): Promise<AccountSession | null> {
      const row = await sessions.findFirst({ where: { tokenHash: hashSecret(token), ...unexpired() } });
      if (row === null) return null;
      const nowMs = now();
      if (nowMs - row.lastSeenAt.getTime() < SEEN_INTERVAL_MS) return toAccountSession(row);
      const seen = { lastSeenAt: new Date(nowMs), address: address ?? row.address };
      // `updateMany`, because the session may have ended since it was read.
      const { count } = await sessions.updateMany({ where: { id: row.id }, data: seen });
      return count === 0 ? null : toAccountSession({ ...row, ...seen });
    },

    /** Those of the sessions that have not ended; for connections that they opened. */
    async findAlive(ids: readonly string[]): Promise<ReadonlySet<string>> {
      const where = { id: { in: ids.filter(isId) }, ...unexpired() };
      return new Set((await sessions.findMany({ where, select: { id: true } })).map(({ id }) => id));
    },

    /** An account's sessions, most recently seen first. */
    async list(accountId: string): Promise<AccountSession[]> {
      if (!isId(accountId)) return [];
      const rows = await sessions.findMany({
        where: { accountId, ...unexpired() },
        orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
      });
      return rows.map(toAccountSession);
    },

    /** Records that the owner entered the password or used a passkey in this session now. */
    async confirm(id: string): Promise<void> {
      await sessions.updateMany({ where: { id }, data: { confirmedAt: new Date(now()) } });
    },

    /** Signs the browser with this token out; does nothing if its session has ended. */
    async end(token: string, address: string | null): Promise<void> {
      await change(database, async (transaction) => {
        const row = await transaction.session.findUnique({ where: { tokenHash: hashSecret(token) } });
        if (row === null) return;
        const { id, accountId } = row;
        await transaction.session.delete({ where: { id } });
        const by = { kind: "owner", accountId, address } as const;
        await record(transaction, { atMs: now(), event: "session.end", by, accountId, after: { session: id } });
      });
    },

    /** Ends one session of an account. Rejects with "session_not_found" if the account has no such session. */
    async revoke(accountId: string, id: string, by: Actor): Promise<void> {
      if (!isId(id) || !isId(accountId)) throw createNotFoundError();
      await change(database, async (transaction) => {
        const row = await transaction.session.findFirst({ where: { id, accountId, ...unexpired() } });
        if (row === null) throw createNotFoundError();
        await transaction.session.delete({ where: { id } });
        const after = { session: id, browser: row.browser };
        await record(transaction, { atMs: now(), event: "session.revoke", by, accountId, after });
      });
    },

    /** Ends an account's sessions except one. Resolves with their number. */
    revokeOthers: (accountId: string, keptId: string, by: Actor): Promise<number> =>
      endAll(accountId, "session.revoke_others", by, { id: { not: keptId } }),

    /** Ends all sessions of an account. Resolves with their number. */
    revokeAll: (accountId: string, by: Actor): Promise<number> => endAll(accountId, "session.revoke_all", by, {}),
  };
}

function createNotFoundError(): AccessError {
  return new AccessError("session_not_found", "This session has ended already.");
}
