import type { Pool } from "pg";
import { isId } from "@/lib/access/id";
import { listSteps } from "@/lib/access/usage/usage-report";
import { HOUR_MS } from "@/lib/time/units";

/** The calls of one hour of a key. */
export interface HourOfKey {
  readonly startMs: number;
  readonly answered: number;
  /** Refused, over a limit or failed. */
  readonly refused: number;
}

/** Reads the last 24 hours of an account's keys, oldest hour first. Keys without calls are not in the map. */
export async function readKeyHours(
  pool: Pool,
  accountId: string,
  nowMs: number,
): Promise<ReadonlyMap<string, readonly HourOfKey[]>> {
  const { startsMs } = listSteps("24h", nowMs);
  const [firstMs = 0] = startsMs;
  const hours = new Map<string, { startMs: number; answered: number; refused: number }[]>();
  if (!isId(accountId)) return hours;
  const { rows } = await pool.query<{ keyId: string; hourMs: number; answered: number; refused: number }>(
    `SELECT key_id AS "keyId", (extract(epoch FROM hour) * 1000)::float8 AS "hourMs",
            coalesce(sum(calls) FILTER (WHERE status < 400), 0)::float8 AS answered,
            coalesce(sum(calls) FILTER (WHERE status >= 400), 0)::float8 AS refused
       FROM usage_hour WHERE account_id = $1 AND hour >= to_timestamp($2::float8 / 1000)
      GROUP BY key_id, hour`,
    [accountId, firstMs],
  );
  for (const { keyId, hourMs, answered, refused } of rows) {
    let ofKey = hours.get(keyId);
    if (ofKey === undefined) {
      ofKey = startsMs.map((startMs) => ({ startMs, answered: 0, refused: 0 }));
      hours.set(keyId, ofKey);
    }
    const at = (hourMs - firstMs) / HOUR_MS;
    if (at < ofKey.length) ofKey[at] = { startMs: hourMs, answered, refused };
  }
  return hours;
}

/** All calls of a key in its hours. */
export function sumCalls(hours: readonly HourOfKey[] = []): number {
  return hours.reduce((sum, { answered, refused }) => sum + answered + refused, 0);
}
