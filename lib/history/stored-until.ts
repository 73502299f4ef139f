import type { Pool } from "pg";

/** The end of the newest H1 bar, which exists wherever shorter bars do. It is looked up in the index, symbol by symbol. */
const NEWEST_BAR_END = `
  WITH RECURSIVE series AS (
    SELECT min(symbol) AS symbol FROM bar
    UNION ALL
    SELECT (SELECT min(symbol) FROM bar WHERE bar.symbol > series.symbol) FROM series WHERE series.symbol IS NOT NULL
  )
  SELECT max((SELECT max(time) FROM bar WHERE bar.symbol = series.symbol AND timeframe = 60)) + 3600 FROM series`;

/**
 * Returns the time of the newest stored second, or the end of the newest closed hour or bar: UTC milliseconds; null if
 * none. An import of bars stores nothing but bars.
 */
export async function readStoredUntil(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ second: number | null }>(
    `SELECT greatest((SELECT max(second) FROM tick_second), (SELECT max(hour) + 1 FROM tick_hour) * 3600,
                     (SELECT max(second) + 3600 FROM closed_hour), (${NEWEST_BAR_END})) AS second`,
  );
  const second = rows[0]?.second ?? null;
  return second === null ? null : second * 1000;
}
