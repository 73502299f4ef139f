import { hostname } from "node:os";
import type { Pool, PoolClient } from "pg";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import type { Logger } from "@/lib/platform/log/log";
import { type Clock, systemClock } from "@/lib/platform/timing/clock";
import { repeat } from "@/lib/platform/timing/repeat";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

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
interface RecordingProgress {
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
        SET renewed_at = clock_timestamp(), complete_until = greatest(complete_until, $2), revision = $3
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

interface Options {
  readonly pool: Pool;
  readonly keeper: HistoryKeeper;
  /** Whether no other server can use the database. */
  readonly isExclusive: boolean;
  /** Called when another server has taken the lease over. */
  readonly onLose: () => void;
  readonly log: Logger;
  readonly system?: Clock;
}

const RENEW_MS = SECOND_MS;
/** How often a standby tries to take over. */
const ACQUIRE_MS = 250;
/** A recorder that is this far behind the system clock may be overtaken by imports. They never have the last minutes. */
const BEHIND_MS = MINUTE_MS;

/** This server's part in the lease: acquires it, renews it every second, and releases it. */
export class LeaseHolder {
  readonly #options: Options;
  readonly #renewal: ReturnType<typeof repeat>;
  #watch: ReturnType<typeof repeat> | null = null;
  #fence: number | null = null;
  #revision = 0;

  constructor(options: Options) {
    const { keeper, log } = options;
    this.#options = options;
    const raiseRevision = () => void this.#revision++;
    keeper.follow({ onRecorded: () => {}, onClosed: raiseRevision, onRewritten: raiseRevision });
    this.#renewal = repeat(() => this.#renew(), {
      pauseMs: RENEW_MS,
      onFailure: (error) => log.warn({ err: error }, "renewing the recorder's lease failed"),
      onRecovery: () => log.info("renewing the recorder's lease succeeded"),
    });
  }

  get isHeld(): boolean {
    return this.#fence !== null;
  }

  /** The number that every write of this server checks. Throws LeaseLost while the lease is not held. */
  get fence(): number {
    if (this.#fence === null) throw new LeaseLost();
    return this.#fence;
  }

  /** The same; null without the lease. */
  get heldFence(): number | null {
    return this.#fence;
  }

  /** Returns whether this server now holds the lease. For `completeUntilMs` see `acquireLease`. */
  async acquire(completeUntilMs: number | null = null): Promise<boolean> {
    const { pool, isExclusive } = this.#options;
    const holder = `${hostname()}, process ${process.pid}`;
    const fence = await acquireLease(pool, holder, isExclusive, completeUntilMs);
    if (fence === null) return false;
    this.#revision = (await readLease(pool)).revision;
    this.#fence = fence;
    this.#renewal.start();
    return true;
  }

  /** Tries to acquire the lease whenever it is not held, and calls `onAcquired` then. */
  watch(onAcquired: () => Promise<void>): void {
    const tryAcquire = async () => {
      if (!this.isHeld && (await this.acquire())) await onAcquired();
    };
    // That the database cannot be reached is reported by the work that needs the lease.
    const ignore = () => {};
    this.#watch = repeat(tryAcquire, { pauseMs: ACQUIRE_MS, onFailure: ignore, onRecovery: ignore });
    this.#watch.start();
  }

  /** Call it after another server took the lease over. */
  lose(): void {
    this.#end();
    this.#options.onLose();
  }

  async release(): Promise<void> {
    this.#watch?.stop();
    const fence = this.#fence;
    this.#end();
    if (fence !== null) await releaseLease(this.#options.pool, fence, this.#readProgress());
  }

  #end(): void {
    this.#fence = null;
    this.#renewal.stop();
  }

  async #renew(): Promise<void> {
    const fence = this.#fence;
    if (fence === null) return;
    const { pool, isExclusive, system = systemClock } = this.#options;
    const progress = this.#readProgress();
    // Without another server only imports read the progress, and only where they could overtake it.
    if (isExclusive && system() - progress.completeUntilMs <= BEHIND_MS) return;
    try {
      await renewLease(pool, fence, progress);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      // It may have been acquired again meanwhile.
      if (this.#fence === fence) this.lose();
    }
  }

  #readProgress(): RecordingProgress {
    return { completeUntilMs: this.#options.keeper.openHours.completeUntilMs, revision: this.#revision };
  }
}

/** What runs while this server records. */
export interface RecorderWork {
  stop(): void | Promise<void>;
}

/** @param fence the number that writes of this work check: another recorder has a higher one */
type StartWork = (fence: number) => RecorderWork | Promise<RecorderWork>;

const RETRY_MS = SECOND_MS;

/**
 * Runs the work of the server that records: it starts when the server begins to record, and stops when another one has
 * taken over. Starts and stops of one piece of work never overlap.
 */
export class WhileRecording {
  /** Resolves once this server records for the first time. */
  readonly begun: Promise<void>;
  readonly #log: Logger;
  readonly #steps = new Set<() => void>();
  #fence: number | null = null;
  #onBegin: () => void = () => {};

  constructor(log: Logger) {
    this.#log = log;
    this.begun = new Promise((resolve) => (this.#onBegin = resolve));
  }

  begin(fence: number): void {
    this.#fence = fence;
    this.#onBegin();
    for (const step of this.#steps) step();
  }

  end(): void {
    this.#fence = null;
    for (const step of this.#steps) step();
  }

  /** Resolves once the work has started, or at once on a standby. Rejects if the first start fails. */
  async run(start: StartWork): Promise<RecorderWork> {
    let running: { readonly work: RecorderWork; readonly fence: number } | null = null;
    let isStopped = false;
    let steps = Promise.resolve();

    const change = async (): Promise<void> => {
      const fence = isStopped ? null : this.#fence;
      if (running !== null && running.fence !== fence) {
        const { work } = running;
        running = null;
        await work.stop();
      }
      if (running === null && fence !== null) running = { work: await start(fence), fence };
    };
    const retry = (error: unknown): void => {
      this.#log.error({ err: error }, "the work of the recorder cannot be started or stopped; trying again");
      setTimeout(step, RETRY_MS).unref();
    };
    const step = (): void => void (steps = steps.then(change).catch(retry));

    await change();
    this.#steps.add(step);
    // Another server may have taken over meanwhile.
    step();
    return {
      stop: async () => {
        isStopped = true;
        this.#steps.delete(step);
        step();
        await steps;
      },
    };
  }
}
