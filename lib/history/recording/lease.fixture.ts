import type { Pool } from "pg";
import type { SecondRow } from "@/lib/history/hour-columns";
import { appendSeconds, openJournalHour } from "@/lib/history/journal";
import { getHourStart } from "@/lib/history/open-hours";

/** The fence of a new database, whose lease no server has taken yet. */
export const FIRST_FENCE = 0;

/** The fence of the server that took the lease last. */
export async function readFence(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ fence: number }>("SELECT fence FROM recorder_lease");
  return rows[0]?.fence ?? FIRST_FENCE;
}

/** Writes rows to the journal of a new database, as its recorder would. */
export async function journalRows(pool: Pool, rows: readonly SecondRow[]): Promise<void> {
  for (const hourMs of new Set(rows.map(({ second }) => getHourStart(second)))) await openJournalHour(pool, hourMs);
  await appendSeconds(pool, FIRST_FENCE, rows);
}
