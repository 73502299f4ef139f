import { randomBytes } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import { type EventName, type Facts, record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { change } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";
import type { Prisma, Session as SessionRow } from "@/prisma/generated/client";

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

    /** Finds the sessions that have not ended; for connections that they opened. */
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

interface NewSession {
  readonly accountId: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The token of the browser's previous session, which ends. */
  readonly replaces?: string | undefined;
}

/** A session with the token for its cookie, which cannot be read again. */
type StartedSession = AccountSession & { readonly token: string };

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

export const SESSION_LIFE_MS = 14 * DAY_MS;

/** A browser that is signed in. */
export interface AccountSession {
  /** Not secret: identifies the session in lists. */
  readonly id: string;
  readonly accountId: string;
  /** Times in UTC milliseconds. */
  readonly createdAtMs: number;
  /** The latest page or action, or one at most a minute older. */
  readonly lastSeenAtMs: number;
  readonly expiresAtMs: number;
  /** When the owner last entered the password again or used a passkey; null if neither. */
  readonly confirmedAtMs: number | null;
  /** The latest network address, if known. */
  readonly address: string | null;
  /** "Firefox on Linux". */
  readonly browser: string;
}

function toAccountSession(row: SessionRow): AccountSession {
  return {
    id: row.id,
    accountId: row.accountId,
    createdAtMs: row.createdAt.getTime(),
    lastSeenAtMs: row.lastSeenAt.getTime(),
    expiresAtMs: row.expiresAt.getTime(),
    confirmedAtMs: row.confirmedAt?.getTime() ?? null,
    address: row.address,
    browser: row.browser,
  };
}

/** Ends an account's sessions in the transaction that makes them invalid. Resolves with a fact for its audit event. */
export async function endSessions(
  transaction: Prisma.TransactionClient,
  accountId: string,
  { allBut }: { readonly allBut: string | undefined },
): Promise<Facts> {
  const others = allBut === undefined ? {} : { id: { not: allBut } };
  const { count } = await transaction.session.deleteMany({ where: { accountId, ...others } });
  return { sessions_ended: count };
}

/** In this order, because nearly every browser also claims to be the later ones. */
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\bOPR\/|\bOpera\b/],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
  ["curl", /^curl\//],
];

const SYSTEMS: typeof BROWSERS = [
  ["Windows", /\bWindows\b/],
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["Linux", /\bLinux\b|\bX11\b/],
];

/** Returns browser and system of a User-Agent header: "Firefox on Linux". For display only, because callers can forge it. */
export function describeBrowser(userAgent: string | null): string {
  const text = (userAgent ?? "").slice(0, 1_000);
  const findName = (list: typeof BROWSERS) => list.find(([, pattern]) => pattern.test(text))?.[0];
  const [browser, system] = [findName(BROWSERS), findName(SYSTEMS)];
  if (browser === undefined) return system === undefined ? "Unknown browser" : `Unknown browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
