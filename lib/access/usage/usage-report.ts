import type { Pool } from "pg";
import { isId } from "@/lib/access/id";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

/** An account's usage over a period, for its owner. Up to a second late. */

export const USAGE_PERIODS = ["24h", "7d", "30d"] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

/** Calls by result, and the credits of the answered ones. */
export interface UsageCounts {
  /** 2xx, and 304 Not Modified. */
  readonly answered: number;
  /** 4xx except 429. */
  readonly refused: number;
  /** 429: over the rate limit or the daily quota. */
  readonly limited: number;
  /** 5xx. */
  readonly failed: number;
  readonly credits: number;
}

export interface UsageReport {
  /** The length of a step, an hour or a day. */
  readonly stepMs: number;
  readonly total: UsageCounts;
  /** Every step of the period, oldest first. The last one is not over. */
  readonly steps: readonly (UsageCounts & { readonly startMs: number })[];
  /** By endpoint and by key, most calls first. */
  readonly endpoints: readonly (UsageCounts & { readonly endpoint: string })[];
  readonly keys: readonly (UsageCounts & { readonly keyId: string })[];
}

export interface UsageQuery {
  readonly accountId: string;
  readonly period: UsagePeriod;
  /** Only calls with this key. */
  readonly keyId?: string | undefined;
  /** Only calls of the endpoint at this path. */
  readonly endpoint?: string | undefined;
}

interface Row extends UsageCounts {
  readonly startMs: number | null;
  readonly endpoint: string | null;
  readonly keyId: string | null;
}

const STEPS = {
  "24h": { stepMs: HOUR_MS, steps: 24 },
  "7d": { stepMs: DAY_MS, steps: 7 },
  "30d": { stepMs: DAY_MS, steps: 30 },
} as const satisfies Record<UsagePeriod, object>;

const NO_USAGE: UsageCounts = { answered: 0, refused: 0, limited: 0, failed: 0, credits: 0 };

/** The steps of a period that ends now: whole hours or UTC days, including the current one. */
export function listSteps(period: UsagePeriod, nowMs: number): { stepMs: number; startsMs: readonly number[] } {
  const { stepMs, steps } = STEPS[period];
  const lastMs = Math.floor(nowMs / stepMs) * stepMs;
  return { stepMs, startsMs: Array.from({ length: steps }, (_, index) => lastMs - (steps - 1 - index) * stepMs) };
}

export async function readUsage(pool: Pool, query: UsageQuery, nowMs: number): Promise<UsageReport> {
  const { accountId, period, keyId = null, endpoint = null } = query;
  const { stepMs, startsMs } = listSteps(period, nowMs);
  const isPossible = isId(accountId) && (keyId === null || isId(keyId));
  const { rows } = !isPossible
    ? { rows: [] }
    : await pool.query<Row>(
        `SELECT (extract(epoch FROM start) * 1000)::float8 AS "startMs", endpoint, key_id AS "keyId",
                coalesce(sum(calls) FILTER (WHERE status < 400), 0)::float8 AS answered,
                coalesce(sum(calls) FILTER (WHERE status BETWEEN 400 AND 499 AND status <> 429), 0)::float8 AS refused,
                coalesce(sum(calls) FILTER (WHERE status = 429), 0)::float8 AS limited,
                coalesce(sum(calls) FILTER (WHERE status >= 500), 0)::float8 AS failed,
                coalesce(sum(credits), 0)::float8 AS credits
           FROM (SELECT *, date_trunc($5, hour, 'UTC') AS start FROM usage_hour
                  WHERE account_id = $1 AND hour >= to_timestamp($2::float8 / 1000)
                    AND ($3::uuid IS NULL OR key_id = $3) AND ($4::text IS NULL OR endpoint = $4)) AS used
          GROUP BY GROUPING SETS ((), (start), (endpoint), (key_id))
          ORDER BY coalesce(sum(calls), 0) DESC, endpoint, key_id`,
        [accountId, startsMs[0], keyId, endpoint, stepMs === DAY_MS ? "day" : "hour"],
      );
  const byStart = new Map<number, UsageCounts>();
  const endpoints: (UsageCounts & { endpoint: string })[] = [];
  const keys: (UsageCounts & { keyId: string })[] = [];
  let total = NO_USAGE;
  for (const { startMs, endpoint: path, keyId: id, ...counts } of rows) {
    if (startMs !== null) byStart.set(startMs, counts);
    else if (path !== null) endpoints.push({ endpoint: path, ...counts });
    else if (id !== null) keys.push({ keyId: id, ...counts });
    else total = counts;
  }
  const steps = startsMs.map((startMs) => ({ startMs, ...(byStart.get(startMs) ?? NO_USAGE) }));
  return { stepMs, total, steps, endpoints, keys };
}
