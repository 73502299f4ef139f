import type { Database } from "@/lib/platform/database";

/** What an account has used over a span of time, for its usage page. */

interface UsageTotals {
  /** Answered with a 2xx status: what counts toward the daily quota. */
  readonly calls: number;
  /** Answered with any other status. */
  readonly refused: number;
  readonly credits: number;
}

export interface UsageReport {
  readonly total: UsageTotals;
  /** By UTC day, oldest first; days without calls are left out. */
  readonly days: readonly (UsageTotals & { readonly dayMs: number })[];
  /** By endpoint and by key, most calls first. */
  readonly endpoints: readonly (UsageTotals & { readonly endpoint: string })[];
  readonly keys: readonly (UsageTotals & { readonly keyId: string })[];
}

interface Row extends UsageTotals {
  readonly dayMs: number | null;
  readonly endpoint: string | null;
  readonly keyId: string | null;
}

/** Sums the hours that begin in [fromMs, toMs), UTC milliseconds. Runs up to a second behind the calls themselves. */
export async function readUsage(
  database: Database,
  accountId: string,
  fromMs: number,
  toMs: number,
): Promise<UsageReport> {
  const { rows } = await database.pool.query<Row>(
    `SELECT (extract(epoch FROM day) * 1000)::float8 AS "dayMs", endpoint, key_id AS "keyId",
            coalesce(sum(calls) FILTER (WHERE status BETWEEN 200 AND 299), 0)::float8 AS calls,
            coalesce(sum(calls) FILTER (WHERE status NOT BETWEEN 200 AND 299), 0)::float8 AS refused,
            coalesce(sum(credits), 0)::float8 AS credits
       FROM (SELECT *, date_trunc('day', hour, 'UTC') AS day FROM usage_hour
              WHERE account_id = $1 AND hour >= to_timestamp($2::float8 / 1000) AND hour < to_timestamp($3::float8 / 1000)
            ) AS used
      GROUP BY GROUPING SETS ((), (day), (endpoint), (key_id))
      ORDER BY day, calls DESC, endpoint, key_id`,
    [accountId, fromMs, toMs],
  );
  const days: (UsageTotals & { dayMs: number })[] = [];
  const endpoints: (UsageTotals & { endpoint: string })[] = [];
  const keys: (UsageTotals & { keyId: string })[] = [];
  let total: UsageTotals = { calls: 0, refused: 0, credits: 0 };
  for (const { dayMs, endpoint, keyId, ...totals } of rows) {
    if (dayMs !== null) days.push({ dayMs, ...totals });
    else if (endpoint !== null) endpoints.push({ endpoint, ...totals });
    else if (keyId !== null) keys.push({ keyId, ...totals });
    else total = totals;
  }
  return { total, days, endpoints, keys };
}
