import type { Pool } from "pg";
import type { UsageCell } from "@/lib/access/usage/usage-cells";
import { DAY_MS } from "@/lib/time/units";

/** Usage in the database. Bulk, so raw SQL with `unnest` rather than Prisma. */

export interface UsageBatch {
  /** Unique to the process that writes. */
  readonly writer: string;
  /** Unique among the batches of this writer. */
  readonly mark: string;
  readonly cells: readonly UsageCell[];
}

const WRITER_LIFETIME_MS = DAY_MS;

/**
 * Adds a batch to the counts, in one atomic statement. It stores the batch's mark too, so writing the same batch again
 * changes nothing. Standard keys on pay-as-you-go spend their account's prepaid credits. Accounts are locked in the order
 * of their ids, so that two writers cannot deadlock. Usage of closed accounts is left out.
 */
export async function writeBatch(pool: Pool, { writer, mark, cells }: UsageBatch): Promise<void> {
  const column = <Value>(pick: (cell: UsageCell) => Value) => cells.map(pick);
  await pool.query(
    `WITH marked AS (
       INSERT INTO setting (name, value) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE setting.value <> excluded.value
       RETURNING 1
     ), cell AS (
       SELECT *
         FROM unnest($3::uuid[], $4::uuid[], $5::float8[], $6::text[], $7::int2[], $8::int4[], $9::int4[])
              AS given (key_id, account_id, hour_ms, endpoint, status, calls, credits)
        WHERE EXISTS (SELECT FROM marked)
     ), spent AS (
       SELECT cell.account_id, sum(cell.credits) AS credits
         FROM cell JOIN api_key ON api_key.id = cell.key_id AND api_key.kind = 'standard'
        GROUP BY cell.account_id HAVING sum(cell.credits) > 0
     ), paid AS (
       UPDATE account SET prepaid_credits = prepaid_credits - owed.credits
         FROM (SELECT payer.id, spent.credits
                 FROM account AS payer JOIN spent ON spent.account_id = payer.id
                WHERE payer.plan = 'payg' ORDER BY payer.id FOR NO KEY UPDATE OF payer) AS owed
        WHERE account.id = owed.id
     ), living AS (
       SELECT id FROM account WHERE id = ANY($4::uuid[]) FOR KEY SHARE
     )
     INSERT INTO usage_hour (key_id, account_id, hour, endpoint, status, calls, credits)
     SELECT key_id, account_id, to_timestamp(hour_ms / 1000), endpoint, status, sum(calls), sum(credits)
       FROM cell
      WHERE account_id IN (SELECT id FROM living)
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

interface KeyDay {
  readonly keyId: string;
  readonly calls: number;
  readonly credits: number;
}

/** Calls since midnight that count toward the daily quota, by key: those answered with a 2xx status. */
export async function readDay(pool: Pool, dayMs: number): Promise<KeyDay[]> {
  const { rows } = await pool.query<KeyDay>(
    `SELECT day.key_id AS "keyId", sum(day.calls)::float8 AS calls, sum(day.credits)::float8 AS credits
       FROM account, LATERAL (
              SELECT key_id, calls, credits FROM usage_hour
               WHERE account_id = account.id AND hour >= to_timestamp($1::float8 / 1000) AND status BETWEEN 200 AND 299
            ) AS day
      GROUP BY day.key_id`,
    [dayMs],
  );
  return rows;
}

/** Deletes the marks of processes that crashed. A mark begins with the time it was created. */
export async function deleteOldWriters(pool: Pool, nowMs: number): Promise<void> {
  await pool.query(
    `DELETE FROM setting WHERE name LIKE 'usage-writer:%' AND split_part(value, '-', 1)::float8 < $1::float8`,
    [nowMs - WRITER_LIFETIME_MS],
  );
}
