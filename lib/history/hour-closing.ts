import type { Pool } from "pg";
import type { HourStore } from "@/lib/history/history";
import type { HourColumns } from "@/lib/history/hour-columns";
import { closeJournalHour } from "@/lib/history/journal";

/**
 * Writes a closed hour for good: every store its part, and the journal's rows of it gone, in one transaction. Doing it
 * again changes nothing. `hourMs` is when the hour began, UTC milliseconds.
 */
export async function writeHour(
  pool: Pool,
  stores: readonly HourStore[],
  hourMs: number,
  columns: readonly HourColumns[],
): Promise<void> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query("BEGIN");
    for (const store of stores) await store.writeHour(client, columns);
    await closeJournalHour(client, hourMs);
    await client.query("COMMIT");
    broken = false;
  } catch (error) {
    await client.query("ROLLBACK").then(
      () => (broken = false),
      () => {},
    );
    throw error;
  } finally {
    // A connection that would not even roll back is not one to give to the next.
    client.release(broken);
  }
}
