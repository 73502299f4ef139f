import type { Pool, PoolClient } from "pg";

/**
 * The lease that one of the servers on a database holds: only its holder records. Each holder gets a new number, the
 * fence, which every write checks. Times are those of the database, so the servers' clocks need not agree.
 */

/** Another server may take the lease over when it was not renewed for this long. */
const LEASE_SECONDS = 3;

/** This server does not hold the lease, or no longer. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  constructor() {
    super("Another server records on this database");
  }
}

/** What the holder publishes for the other servers. */
export interface RecordingProgress {
  /** Recording is complete up to this moment of the market clock: UTC milliseconds. */
  readonly completeUntilMs: number;
  /** Changes whenever closed hours are added, rewritten or removed. */
  readonly revision: number;
}

/**
 * Whether the lease was renewed within its time. One that was renewed in the future is not: the clock of the database has
 * gone back, and would let nobody record until it has caught up.
 */
const IS_RENEWED = `renewed_at BETWEEN clock_timestamp() - interval '${LEASE_SECONDS} s'
                             AND clock_timestamp() + interval '${LEASE_SECONDS} s'`;

export interface LeaseState extends RecordingProgress {
  /** The server that recorded last, for the operator. */
  readonly holder: string;
}

/**
 * Takes the lease if it has expired, or in any case if `isExclusive`: no other server can use the database. Returns the
 * fence; null while another server holds the lease. A server that starts gives its market clock as `completeUntilMs`; one
 * that takes over leaves what the last one has published.
 */
export async function acquireLease(
  pool: Pool,
  holder: string,
  isExclusive: boolean,
  completeUntilMs: number | null = null,
): Promise<number | null> {
  const { rows } = await pool.query<{ fence: number }>(
    `UPDATE recorder_lease SET fence = fence + 1, holder = $1, renewed_at = clock_timestamp(), revision = revision + 1,
            complete_until = coalesce($2::int8, complete_until)
      WHERE ${isExclusive ? "true" : `NOT (${IS_RENEWED})`} RETURNING fence`,
    [holder, completeUntilMs],
  );
  return rows[0]?.fence ?? null;
}

/** Extends the lease, and publishes the progress. Throws LeaseLost. */
export async function renewLease(pool: Pool, fence: number, progress: RecordingProgress): Promise<void> {
  const { rowCount } = await pool.query(
    `UPDATE recorder_lease
        SET renewed_at = clock_timestamp(), complete_until = $2, revision = $3
      WHERE fence = $1`,
    [fence, Math.floor(progress.completeUntilMs), progress.revision],
  );
  if (rowCount === 0) throw new LeaseLost();
}

/** Lets another server take the lease at once. Does nothing if one already has it. */
export async function releaseLease(pool: Pool, fence: number, progress: RecordingProgress): Promise<void> {
  await pool.query(
    "UPDATE recorder_lease SET renewed_at = '-infinity', complete_until = $2, revision = $3 WHERE fence = $1",
    [fence, Math.floor(progress.completeUntilMs), progress.revision],
  );
}

export async function readLease(pool: Pool): Promise<LeaseState> {
  const { rows } = await pool.query<LeaseState>(
    `SELECT holder, complete_until::float8 AS "completeUntilMs", revision FROM recorder_lease`,
  );
  const [lease] = rows;
  if (lease === undefined) throw new Error("The table recorder_lease has no row");
  return lease;
}

/**
 * How far the recorder of a running server has come, in UTC milliseconds of its market clock; null if none has published
 * that within the last seconds.
 */
export async function readRecorderClock(client: PoolClient): Promise<number | null> {
  const { rows } = await client.query<{ completeUntilMs: number }>(
    `SELECT complete_until::float8 AS "completeUntilMs" FROM recorder_lease
      WHERE ${IS_RENEWED}`,
  );
  return rows[0]?.completeUntilMs ?? null;
}

/**
 * Keeps the lease until the caller's transaction ends, so that no other server can write before. Throws LeaseLost. The
 * transaction of a process that is paused ends when its lease does, so that a takeover does not wait for it.
 */
export async function requireLease(client: PoolClient, fence: number): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT set_config('idle_in_transaction_session_timeout', '${LEASE_SECONDS}s', true)
       FROM recorder_lease WHERE fence = $1 FOR KEY SHARE`,
    [fence],
  );
  if (rowCount === 0) throw new LeaseLost();
}
