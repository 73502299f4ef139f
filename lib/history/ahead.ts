import type { Pool } from "pg";
import { decodeBook, encodeBook, listChanges } from "@/lib/history/as-of/book-block";
import { inLeasedTransaction } from "@/lib/history/hour-store";
import { openJournalHour } from "@/lib/history/journal";

/** What is dated after the present, by a clock that was ahead: it is moved to tables that nothing reads. */

const COLUMNS = "symbol, second, bid, ask, open, high, low, updates, digits, wide, cause";

/**
 * Moves the seconds after a moment, UTC milliseconds, to `ahead_second`, and opens the hours after it again: a clock was
 * ahead. Returns the number of seconds, and the hours. Throws LeaseLost unless `fence` holds the lease.
 */
export async function setAsideSeconds(
  pool: Pool,
  fence: number,
  untilMs: number,
): Promise<{ readonly seconds: number; readonly hoursMs: readonly number[] }> {
  return inLeasedTransaction(pool, fence, async (client) => {
    const until = Math.floor(untilMs / 1000);
    const { rowCount } = await client.query(
      `WITH ahead AS (DELETE FROM tick_second WHERE second > $1 RETURNING ${COLUMNS})
       INSERT INTO ahead_second (${COLUMNS}) SELECT ${COLUMNS} FROM ahead`,
      [until],
    );
    const hours = "DELETE FROM closed_hour WHERE second > $1 RETURNING second";
    const { rows } = await client.query<{ second: number }>(hours, [until]);
    return { seconds: rowCount ?? 0, hoursMs: rows.map(({ second }) => second * 1000) };
  });
}

/**
 * Moves the seconds up to a moment, UTC milliseconds, back, of which no symbol has any and whose hours are open: the clock
 * was behind when they were set aside, and is not any more. Returns their number. Throws LeaseLost unless `fence` holds the
 * lease.
 */
export async function restoreSeconds(pool: Pool, fence: number, untilMs: number): Promise<number> {
  const missing = `second <= $1 AND second - second % 3600 NOT IN (SELECT second FROM closed_hour)
    AND NOT EXISTS (SELECT FROM tick_second WHERE tick_second.second = ahead_second.second)`;
  const until = [Math.floor(untilMs / 1000)];
  const hours = `SELECT DISTINCT second - second % 3600 AS second FROM ahead_second WHERE ${missing}`;
  const { rows } = await pool.query<{ second: number }>(hours, until);
  for (const { second } of rows) await openJournalHour(pool, second * 1000);
  if (rows.length === 0) return 0;
  return inLeasedTransaction(pool, fence, async (client) => {
    const { rowCount } = await client.query(
      `WITH back AS (DELETE FROM ahead_second WHERE ${missing} RETURNING ${COLUMNS})
       INSERT INTO tick_second (${COLUMNS}) SELECT ${COLUMNS} FROM back`,
      until,
    );
    return rowCount ?? 0;
  });
}

/** Rows of the log of the book are longer only if the market clock went on by so many seconds at once. */
const MOST_ROW_SECONDS = 100_000;

/**
 * Moves the rows of the log of the book that end after `until`, Unix time, to `ahead_book`, and leaves their changes before
 * it. Throws LeaseLost unless `fence` holds the lease.
 */
export async function setAsideBook(pool: Pool, fence: number, until: number): Promise<void> {
  await inLeasedTransaction(pool, fence, async (client) => {
    const { rows } = await client.query<{ since: number; whole: boolean; block: Buffer }>(
      `WITH ahead AS (DELETE FROM book_log WHERE since > $1 - ${MOST_ROW_SECONDS} AND until > $1 RETURNING *),
            aside AS (INSERT INTO ahead_book (since, until, whole, block) SELECT since, until, whole, block FROM ahead)
       SELECT * FROM ahead WHERE since < $1`,
      [until],
    );
    for (const { since, whole, block } of rows) {
      const changes = listChanges(decodeBook(since, block)).filter(({ second }) => second < until);
      const end = changes.reduce((most, { second }) => Math.max(most, second + 1), since);
      const row = [since, end, whole, encodeBook(since, changes)];
      if (whole || end > since) await client.query("INSERT INTO book_log VALUES ($1, $2, $3, $4)", row);
    }
  });
}
