import type { Pool } from "pg";
import { isId } from "@/lib/access/id";
import { listSteps, type UsageQuery } from "@/lib/access/usage/usage-report";
import { formatCsv } from "@/lib/text/csv";

const COLUMNS = ["hour", "key_id", "key", "endpoint", "status", "calls", "credits"];

/** Hours of use as CSV. `labels` names the keys by their ids. */
export function formatUsageCsv(lines: readonly UsageLine[], labels: ReadonlyMap<string, string>): string {
  const rows = lines.map(({ hourMs, keyId, endpoint, status, calls, credits }) => [
    new Date(hourMs).toISOString(),
    keyId,
    labels.get(keyId) ?? "",
    endpoint,
    status,
    calls,
    credits,
  ]);
  return formatCsv(COLUMNS, rows);
}

interface UsageLine {
  readonly hourMs: number;
  readonly keyId: string;
  readonly endpoint: string;
  readonly status: number;
  readonly calls: number;
  readonly credits: number;
}

/** The newest `limit` hours of use, oldest first. */
export async function readUsageLines(
  pool: Pool,
  query: UsageQuery,
  nowMs: number,
  limit: number,
): Promise<UsageLine[]> {
  const { accountId, period, keyId = null, endpoint = null } = query;
  if (!isId(accountId) || (keyId !== null && !isId(keyId))) return [];
  const { rows } = await pool.query<UsageLine>(
    `SELECT (extract(epoch FROM hour) * 1000)::float8 AS "hourMs", key_id AS "keyId", endpoint, status, calls, credits
       FROM usage_hour
      WHERE account_id = $1 AND hour >= to_timestamp($2::float8 / 1000)
        AND ($3::uuid IS NULL OR key_id = $3) AND ($4::text IS NULL OR endpoint = $4)
      ORDER BY hour DESC, key_id, endpoint, status LIMIT $5`,
    [accountId, listSteps(period, nowMs).startsMs[0], keyId, endpoint, limit],
  );
  return rows.reverse();
}
