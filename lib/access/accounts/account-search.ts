import type { Pool } from "pg";
import type { Account } from "@/lib/access/accounts/account";
import { getDayStart } from "@/lib/access/admission/day-window";
import type { AuditContent } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { type Key, toKey } from "@/lib/access/keys/key";
import { getDisplayParts, isWellFormed, KEY_PREFIX } from "@/lib/access/keys/key-format";
import { getPlanAt, type PlanName } from "@/lib/access/plans";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";

/** Finds accounts and keys of every owner, for the operator. */
export type Overview = ReturnType<typeof createOverview>;

export interface OwnedKey extends Key {
  readonly ownerEmail: string;
}

const START_LENGTH = KEY_PREFIX.length + 4;
const WITH_OWNER = { account: { select: { email: true } } } as const;

export function createOverview({ pool, prisma }: Database, { now }: { readonly now: Clock }) {
  return {
    accounts: (query: AccountQuery): Promise<FoundAccounts> => searchAccounts(pool, query, now()),
    today: (accountId: string): Promise<EndpointUse[]> => readUsageToday(pool, accountId, now()),

    /** Keys by their visible characters, newest first: "fxk_live_3f9a", "3f9a", "fxk_live_3f9a…Qx7b". */
    async keys(shown: string, limit: number): Promise<OwnedKey[]> {
      const parts = parseShownKey(shown);
      if (parts === null) return [];
      const rows = await prisma.apiKey.findMany({
        // Prisma does not escape these for LIKE.
        where: { start: { startsWith: escapeLike(parts.start) }, last4: { startsWith: escapeLike(parts.last4) } },
        include: WITH_OWNER,
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        take: limit,
      });
      return rows.map(({ account, ...row }) => ({ ...toKey(row, now()), ownerEmail: account.email }));
    },

    async key(id: string): Promise<OwnedKey | null> {
      if (!isId(id)) return null;
      const row = await prisma.apiKey.findUnique({ where: { id }, include: WITH_OWNER });
      return row && { ...toKey(row, now()), ownerEmail: row.account.email };
    },

    /** The e-mail addresses of the accounts in these events, by id. Closed accounts have none. */
    async findEmails(events: readonly AuditContent[]): Promise<Map<string, string>> {
      const ids = new Set(events.flatMap(({ accountId, actor }) => [accountId, actor]).filter(isId));
      const rows = await prisma.account.findMany({
        where: { id: { in: [...ids] } },
        select: { id: true, email: true },
      });
      return new Map(rows.map(({ id, email }) => [id, email]));
    },

    /** The keys in these events that still exist. */
    async findKeys(events: readonly AuditContent[]): Promise<Key[]> {
      const ids = new Set(events.flatMap(({ keyId }) => keyId ?? []));
      const rows = await prisma.apiKey.findMany({ where: { id: { in: [...ids] } } });
      return rows.map((row) => toKey(row, now()));
    },
  };
}

/** Reads the visible characters of a key from a search text, which may hold fewer of them or the whole key. */
function parseShownKey(input: string): { start: string; last4: string } | null {
  const text = input.trim();
  if (isWellFormed(text)) return getDisplayParts(text);
  const [, head = "", tail = ""] = /^([\w-]+)(?:(?:…|\.{3})(\w{1,4}))?$/.exec(text) ?? [];
  if (head === "") return null;
  const start = KEY_PREFIX.startsWith(head.slice(0, KEY_PREFIX.length)) ? head : `${KEY_PREFIX}${head}`;
  return { start: start.slice(0, START_LENGTH), last4: tail };
}

export interface AccountQuery {
  /** Part of the e-mail address, the start of the id, or the start of a key; empty finds all. */
  readonly search?: string | undefined;
  readonly state?: "active" | "suspended" | undefined;
  readonly plan?: PlanName | undefined;
  readonly offset?: number;
  readonly limit: number;
}

export interface AccountLine extends Pick<
  Account,
  "id" | "email" | "role" | "plan" | "perMinuteLimit" | "perDayLimit" | "suspendedAtMs" | "createdAtMs"
> {
  /** The number of active keys, and of all keys. */
  readonly activeKeys: number;
  readonly keys: number;
  /** Calls answered with a 2xx status since midnight UTC; up to a second late. */
  readonly callsToday: number;
}

interface FoundAccounts {
  /** One page, newest first. */
  readonly lines: readonly AccountLine[];
  /** The number of matches on all pages. */
  readonly total: number;
}

interface Row extends Omit<AccountLine, "plan"> {
  readonly plan: PlanName;
  readonly trialEndsAtMs: number | null;
}

/** Longer than any e-mail address. */
const MAX_SEARCH_LENGTH = 254;

/** As in getPlanAt: a trial that has ended counts as free. */
const ACTIVE_PLAN = `CASE WHEN plan = 'trial' AND (trial_ends_at IS NULL OR trial_ends_at <= to_timestamp($6::float8))
                          THEN 'free' ELSE plan::text END`;

const MATCHES = `
  WHERE ($1::text = '' OR email LIKE $2 OR id::text LIKE lower($3)
         OR EXISTS (SELECT FROM api_key WHERE account_id = account.id AND start LIKE $3))
    AND ($4::text IS NULL OR (suspended_at IS NOT NULL) = ($4 = 'suspended'))
    AND ($5::text IS NULL OR ${ACTIVE_PLAN} = $5)`;

async function searchAccounts(pool: Pool, query: AccountQuery, nowMs: number): Promise<FoundAccounts> {
  const { search = "", state, plan, offset = 0, limit } = query;
  const text = search.trim().slice(0, MAX_SEARCH_LENGTH);
  // E-mail addresses are stored in lower case; the start of a key is case-sensitive.
  const [address, start] = [`%${escapeLike(text.toLowerCase())}%`, `${escapeLike(text)}%`];
  const parameters = [text, address, start, state ?? null, plan ?? null, nowMs / 1000];
  const count = await pool.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM account ${MATCHES}`,
    parameters,
  );
  const { rows } = await pool.query<Row>(
    `SELECT id, email, role, plan, per_minute_limit AS "perMinuteLimit", per_day_limit AS "perDayLimit",
            (extract(epoch FROM trial_ends_at) * 1000)::float8 AS "trialEndsAtMs",
            (extract(epoch FROM suspended_at) * 1000)::float8 AS "suspendedAtMs",
            (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
            keys.active AS "activeKeys", keys.count AS "keys", today.calls AS "callsToday"
       FROM (SELECT * FROM account ${MATCHES} ORDER BY created_at DESC, id DESC LIMIT $7 OFFSET $8) AS account,
            LATERAL (SELECT count(*)::int AS count,
                            count(*) FILTER (
                              WHERE revoked_at IS NULL AND disabled_at IS NULL
                                AND (expires_at IS NULL OR expires_at > to_timestamp($6::float8)))::int AS active
                       FROM api_key WHERE account_id = account.id) AS keys,
            LATERAL (SELECT coalesce(sum(calls), 0)::float8 AS calls FROM usage_hour
                      WHERE account_id = account.id AND hour >= to_timestamp($9::float8)
                        AND status BETWEEN 200 AND 299) AS today
      ORDER BY created_at DESC, id DESC`,
    [...parameters, limit, offset, getDayStart(nowMs) / 1000],
  );
  const lines = rows.map(({ trialEndsAtMs, ...line }) => ({
    ...line,
    plan: getPlanAt(line.plan, trialEndsAtMs, nowMs),
  }));
  return { lines, total: count.rows[0]?.total ?? 0 };
}

/** Escapes a text for LIKE, so that it matches literally. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

export interface EndpointUse {
  readonly endpoint: string;
  /** Answered with a 2xx status, and with any other. */
  readonly calls: number;
  readonly refused: number;
  readonly credits: number;
}

/** An account's calls since midnight UTC by endpoint, most calls first; up to a second late. */
async function readUsageToday(pool: Pool, accountId: string, nowMs: number): Promise<EndpointUse[]> {
  const { rows } = await pool.query<EndpointUse>(
    `SELECT endpoint,
            coalesce(sum(calls) FILTER (WHERE status BETWEEN 200 AND 299), 0)::float8 AS calls,
            coalesce(sum(calls) FILTER (WHERE status NOT BETWEEN 200 AND 299), 0)::float8 AS refused,
            sum(credits)::float8 AS credits
       FROM usage_hour WHERE account_id = $1 AND hour >= to_timestamp($2::float8)
      GROUP BY endpoint ORDER BY sum(calls) DESC, endpoint`,
    [accountId, getDayStart(nowMs) / 1000],
  );
  return rows;
}
