import type { Pool } from "pg";

/** Returns the time of the newest stored second, or the end of the newest closed hour: UTC milliseconds; null if none. */
export async function readStoredUntil(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ second: number | null }>(
    `SELECT greatest((SELECT max(second) FROM tick_second), (SELECT max(hour) + 1 FROM tick_hour) * 3600,
                     (SELECT max(second) + 3600 FROM closed_hour)) AS second`,
  );
  const second = rows[0]?.second ?? null;
  return second === null ? null : second * 1000;
}
