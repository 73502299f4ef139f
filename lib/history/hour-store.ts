import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { createHourColumns, type HourColumns, writeSecond } from "@/lib/history/hour-columns";
import { closeJournalHour, type JournalRow, type PackedSeconds, unpackRows } from "@/lib/history/journal";
import { requireLease } from "@/lib/history/recording/recorder-lease";

/** A store that is filled one closed hour at a time. */
export interface HourStore {
  /** Writes a closed hour of all symbols inside the caller's transaction. Writing it again changes nothing. */
  writeHour(client: PoolClient, columns: readonly HourColumns[]): Promise<void>;
}

interface CloseOptions {
  readonly stores: readonly HourStore[];
  readonly fence: number;
  /** When the hour began: UTC milliseconds. */
  readonly hourMs: number;
}

/**
 * Moves an hour from the journal to every store, in one transaction, and returns it. Returns null if an earlier call has
 * already done so. Throws LeaseLost unless `fence` holds the lease.
 */
export async function closeHour(
  pool: Pool,
  { stores, fence, hourMs }: CloseOptions,
): Promise<readonly HourColumns[] | null> {
  return inLeasedTransaction(pool, fence, async (client) => {
    const columns: HourColumns[] = [];
    const isClosed = await closeJournalHour(client, hourMs, async (packed) => {
      for (const rows of packed) {
        // Also of an instrument that was removed or merged meanwhile.
        columns.push(toColumns(rows, hourMs));
        // The event loop answers calls in between: a symbol takes about a millisecond.
        await nextTurn();
      }
    });
    if (!isClosed) return null;
    for (const store of stores) await store.writeHour(client, columns);
    return columns;
  });
}

function toColumns(rows: PackedSeconds, hourMs: number): HourColumns {
  const unpacked = unpackRows(rows);
  const hour = createHourColumns(rows.symbol, unpacked[0]?.digits ?? 0, hourMs);
  for (const row of unpacked) writeSecond(hour, row);
  if (unpacked.some(({ cause }) => cause !== 0)) hour.origins = listOrigins(unpacked, hourMs);
  return hour;
}

function listOrigins(rows: JournalRow[], hourMs: number): number[] {
  const origins: number[] = [];
  for (const { second, cause } of rows.sort((a, b) => a.second - b.second)) {
    if (origins.at(-1) !== cause) origins.push(origins.length === 0 ? 0 : second - hourMs / 1000, cause);
  }
  return origins;
}

/** Runs work in one transaction. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken = true;
  try {
    const result = await withinTransaction(
      client,
      () => work(client),
      () => (broken = false),
    );
    broken = false;
    return result;
  } finally {
    // A connection that cannot even roll back must not be reused.
    client.release(broken);
  }
}

/** The same for a write of the recorder. Throws LeaseLost unless `fence` holds the lease, which it keeps until the end. */
export async function inLeasedTransaction<Result>(
  pool: Pool,
  fence: number,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, async (client) => {
    await requireLease(client, fence);
    return work(client);
  });
}

/**
 * The same as `inTransaction` on a connection that the caller has. `onRolledBack` is called when a failure has undone all
 * of it.
 */
export async function withinTransaction<Result>(
  client: PoolClient,
  work: () => Promise<Result>,
  onRolledBack: () => void = () => {},
): Promise<Result> {
  try {
    await client.query("BEGIN");
    // A process that is paused here must not keep others from taking the lease over.
    await client.query("SET LOCAL idle_in_transaction_session_timeout = '10s'");
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").then(onRolledBack, () => {});
    throw error;
  }
}

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
