import type { Pool, PoolClient } from "pg";
import type { HourColumns } from "@/lib/history/hour-columns";
import { closeJournalHour } from "@/lib/history/journal";

/** A store that is filled one closed hour at a time. */
export interface HourStore {
  /** Writes a closed hour of all symbols inside the caller's transaction. Writing it again changes nothing. */
  writeHour(client: PoolClient, columns: readonly HourColumns[]): Promise<void>;
}

/**
 * Writes a closed hour to every store and removes its rows from the journal, in one transaction. Doing it again changes
 * nothing. `hourMs` is when the hour began, in UTC milliseconds.
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
    // A connection that cannot even roll back must not be reused.
    client.release(broken);
  }
}
