import type { Account } from "@/lib/access/accounts/account";
import { startOfDay } from "@/lib/access/admission/day-window";
import type { AuditContent } from "@/lib/access/audit/audit-chain";
import { type Key, toKey } from "@/lib/access/keys/key";
import { displayParts, isWellFormed, KEY_PREFIX } from "@/lib/access/keys/key-format";
import { planAt, type PlanName } from "@/lib/access/plans";
import { isId } from "@/lib/access/revision";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";

/** Accounts and keys as the operator looks through them, whoever's they are. */

export interface AccountQuery {
  /** Part of the e-mail address, the beginning of the id, or what is shown of a key; empty finds all. */
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
  /** Keys that work, and keys there have been. */
  readonly activeKeys: number;
  readonly keys: number;
  /** Answered with a 2xx status since midnight UTC; up to a second behind the calls themselves. */
  readonly callsToday: number;
}

interface FoundAccounts {
  /** Newest first. */
  readonly lines: readonly AccountLine[];
  /** How many there are on all pages. */
  readonly total: number;
}

interface Row extends Omit<AccountLine, "plan"> {
  readonly plan: PlanName;
  readonly trialEndsAtMs: number | null;
}

export interface OwnedKey extends Key {
  readonly ownerEmail: string;
}

export interface EndpointUse {
  readonly endpoint: string;
  /** Answered with a 2xx status, and with any other. */
  readonly calls: number;
  readonly refused: number;
  readonly credits: number;
}

/** Longer than any address: what is longer finds nothing that its beginning would not. */
const maxSearchLength = 254;

export type Overview = ReturnType<typeof createOverview>;

export function createOverview({ pool, prisma }: Database, { now }: { readonly now: Clock }) {
  return {
    /** The accounts wanted, a page at a time. */
    async accounts({ search = "", state, plan, offset = 0, limit }: AccountQuery): Promise<FoundAccounts> {
      const nowMs = now();
      const text = search.trim().slice(0, maxSearchLength);
      // One address is found however it was typed; what is shown of a key has large and small letters.
      const [address, beginning] = [`%${literally(text.toLowerCase())}%`, `${literally(text)}%`];
      const asked = [text, address, beginning, state ?? null, plan ?? null, nowMs / 1000];
      const total = await pool.query<{ total: number }>(
        `SELECT count(*)::int AS total FROM account ${asWanted}`,
        asked,
      );
      const { rows } = await pool.query<Row>(
        `SELECT id, email, role, plan, per_minute_limit AS "perMinuteLimit", per_day_limit AS "perDayLimit",
                (extract(epoch FROM trial_ends_at) * 1000)::float8 AS "trialEndsAtMs",
                (extract(epoch FROM suspended_at) * 1000)::float8 AS "suspendedAtMs",
                (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
                keys.active AS "activeKeys", keys.count AS "keys", today.calls AS "callsToday"
           FROM (SELECT * FROM account ${asWanted} ORDER BY created_at DESC, id DESC LIMIT $7 OFFSET $8) AS account,
                LATERAL (SELECT count(*)::int AS count,
                                count(*) FILTER (
                                  WHERE revoked_at IS NULL AND disabled_at IS NULL
                                    AND (expires_at IS NULL OR expires_at > to_timestamp($6::float8)))::int AS active
                           FROM api_key WHERE account_id = account.id) AS keys,
                LATERAL (SELECT coalesce(sum(calls), 0)::float8 AS calls FROM usage_hour
                          WHERE account_id = account.id AND hour >= to_timestamp($9::float8)
                            AND status BETWEEN 200 AND 299) AS today
          ORDER BY created_at DESC, id DESC`,
        [...asked, limit, offset, startOfDay(nowMs) / 1000],
      );
      const lines = rows.map(({ trialEndsAtMs, ...line }) => ({
        ...line,
        plan: planAt(line.plan, trialEndsAtMs, nowMs),
      }));
      return { lines, total: total.rows[0]?.total ?? 0 };
    },

    /** Keys by what is shown of them, newest first: "fxk_live_3f9a", "3f9a", "fxk_live_3f9a…Qx7b". */
    async keys(shown: string, limit: number): Promise<OwnedKey[]> {
      const parts = partsOf(shown);
      if (parts === null) return [];
      const rows = await prisma.apiKey.findMany({
        // Prisma hands these to LIKE as they are.
        where: { start: { startsWith: literally(parts.start) }, last4: { startsWith: literally(parts.last4) } },
        include: { account: { select: { email: true } } },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        take: limit,
      });
      return rows.map(({ account, ...row }) => ({ ...toKey(row, now()), ownerEmail: account.email }));
    },

    /** One key, with whose it is. */
    async key(id: string): Promise<OwnedKey | null> {
      if (!isId(id)) return null;
      const found = await prisma.apiKey.findUnique({
        where: { id },
        include: { account: { select: { email: true } } },
      });
      return found && { ...toKey(found, now()), ownerEmail: found.account.email };
    },

    /** The e-mail addresses of the accounts in these events, by id, as far as the accounts are still there. */
    async emailsIn(events: readonly AuditContent[]): Promise<Map<string, string>> {
      const ids = new Set(events.flatMap(({ accountId, actor }) => [accountId, actor]).filter(isId));
      const rows = await prisma.account.findMany({
        where: { id: { in: [...ids] } },
        select: { id: true, email: true },
      });
      return new Map(rows.map(({ id, email }) => [id, email]));
    },

    /** The keys in these events, as far as they are still there. */
    async keysIn(events: readonly AuditContent[]): Promise<Key[]> {
      const ids = new Set(events.flatMap(({ keyId }) => keyId ?? []));
      const rows = await prisma.apiKey.findMany({ where: { id: { in: [...ids] } } });
      return rows.map((row) => toKey(row, now()));
    },

    /** What an account has called since midnight UTC, most calls first; up to a second behind the calls themselves. */
    async today(accountId: string): Promise<EndpointUse[]> {
      const { rows } = await pool.query<EndpointUse>(
        `SELECT endpoint,
                coalesce(sum(calls) FILTER (WHERE status BETWEEN 200 AND 299), 0)::float8 AS calls,
                coalesce(sum(calls) FILTER (WHERE status NOT BETWEEN 200 AND 299), 0)::float8 AS refused,
                sum(credits)::float8 AS credits
           FROM usage_hour WHERE account_id = $1 AND hour >= to_timestamp($2::float8)
          GROUP BY endpoint ORDER BY sum(calls) DESC, endpoint`,
        [accountId, startOfDay(now()) / 1000],
      );
      return rows;
    },
  };
}

/** A trial that is over counts as free, as everywhere. */
const planInForce = `CASE WHEN plan = 'trial' AND (trial_ends_at IS NULL OR trial_ends_at <= to_timestamp($6::float8))
                          THEN 'free' ELSE plan::text END`;

const asWanted = `
  WHERE ($1::text = '' OR email LIKE $2 OR id::text LIKE lower($3)
         OR EXISTS (SELECT FROM api_key WHERE account_id = account.id AND start LIKE $3))
    AND ($4::text IS NULL OR (suspended_at IS NOT NULL) = ($4 = 'suspended'))
    AND ($5::text IS NULL OR ${planInForce} = $5)`;

const startLength = KEY_PREFIX.length + 4;

/** The shown parts of a key in what was typed, which may be less than all that is shown, or more. */
function partsOf(typed: string): { start: string; last4: string } | null {
  const text = typed.trim();
  if (isWellFormed(text)) return displayParts(text);
  const [, head = "", tail = ""] = /^([\w-]+)(?:(?:…|\.{3})(\w{1,4}))?$/.exec(text) ?? [];
  if (head === "") return null;
  const start = KEY_PREFIX.startsWith(head.slice(0, KEY_PREFIX.length)) ? head : `${KEY_PREFIX}${head}`;
  return { start: start.slice(0, startLength), last4: tail };
}

/** A text as LIKE takes it letter by letter. */
function literally(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
