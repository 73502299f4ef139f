import type { Pool } from "pg";
import type { Account } from "@/lib/access/accounts/account";
import { getDayStart } from "@/lib/access/admission/day-window";
import { getPlanAt, type PlanName } from "@/lib/access/plans";

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

export interface FoundAccounts {
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

export async function searchAccounts(pool: Pool, query: AccountQuery, nowMs: number): Promise<FoundAccounts> {
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
export function escapeLike(text: string): string {
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
export async function readUsageToday(pool: Pool, accountId: string, nowMs: number): Promise<EndpointUse[]> {
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
