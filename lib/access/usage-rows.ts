import type { Pool } from "pg";
import type { UsageCell } from "@/lib/access/usage-cells";

/** Usage in the database. Bulk, so raw SQL with `unnest` rather than Prisma. */

export interface UsageBatch {
  /** Names the process that writes; unlike any other's. */
  readonly writer: string;
  /** Unlike any other of this writer. */
  readonly mark: string;
  readonly cells: readonly UsageCell[];
}

const writerLifetimeMs = 86_400_000;

/**
 * Adds a batch to the counts, in one statement that happens whole or not at all. The writer's mark is kept with it:
 * the batch that carried the present mark has been added, so writing it again changes nothing.
 */
export async function writeBatch(pool: Pool, { writer, mark, cells }: UsageBatch): Promise<void> {
  const column = <Value>(pick: (cell: UsageCell) => Value) => cells.map(pick);
  await pool.query(
    `WITH marked AS (
       INSERT INTO setting (name, value) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE setting.value <> excluded.value
       RETURNING 1
     )
     INSERT INTO usage_hour (key_id, account_id, hour, endpoint, status, calls, credits)
     SELECT key_id, account_id, to_timestamp(hour_ms / 1000), endpoint, status, sum(calls), sum(credits)
       FROM unnest($3::uuid[], $4::uuid[], $5::float8[], $6::text[], $7::int2[], $8::int4[], $9::int4[])
            AS cell (key_id, account_id, hour_ms, endpoint, status, calls, credits)
      WHERE EXISTS (SELECT FROM marked)
      GROUP BY key_id, account_id, hour_ms, endpoint, status
      ORDER BY key_id, hour_ms, endpoint, status
     ON CONFLICT (key_id, hour, endpoint, status) DO UPDATE
        SET calls = usage_hour.calls + excluded.calls, credits = usage_hour.credits + excluded.credits`,
    [
      writer,
      mark,
      column((cell) => cell.keyId),
      column((cell) => cell.accountId),
      column((cell) => cell.hourMs),
      column((cell) => cell.endpoint),
      column((cell) => cell.status),
      column((cell) => cell.calls),
      column((cell) => cell.credits),
    ],
  );
}

/** Calls since midnight that count toward the daily quota, by key: those answered with a 2xx status. */
export async function readDay(pool: Pool, dayMs: number): Promise<{ keyId: string; calls: number }[]> {
  const { rows } = await pool.query<{ keyId: string; calls: number }>(
    `SELECT day.key_id AS "keyId", sum(day.calls)::float8 AS calls
       FROM account, LATERAL (
              SELECT key_id, calls FROM usage_hour
               WHERE account_id = account.id AND hour >= to_timestamp($1::float8 / 1000) AND status BETWEEN 200 AND 299
            ) AS day
      GROUP BY day.key_id`,
    [dayMs],
  );
  return rows;
}

/** Clears the marks of processes that ended without doing so; a mark begins with the time it was made. */
export async function forgetOldWriters(pool: Pool, nowMs: number): Promise<void> {
  await pool.query(
    `DELETE FROM setting WHERE name LIKE 'usage-writer:%' AND split_part(value, '-', 1)::float8 < $1::float8`,
    [nowMs - writerLifetimeMs],
  );
}
