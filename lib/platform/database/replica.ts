import pg from "pg";
import type { Logger } from "../log/log";
import { repeat, type Repetition } from "../timing/repeat";
import { REMOTE_TIMEOUTS } from "./database";
import { createClientClass, requireSession, retryWithoutOptions, type SessionSetup } from "./session";

/** Runs a read on a pool, and perhaps again on another one. It must change nothing. */
export type Read = <Result>(work: (pool: pg.Pool) => Promise<Result>) => Promise<Result>;

interface Options {
  /** The address of a physical replica of the primary. */
  readonly url: string;
  readonly primary: pg.Pool;
  readonly log: Logger;
  readonly pollMs?: number;
}

const POOL_SIZE = 8;
const POLL_MS = 500;
/** How often, and how many times, a check reads whether the replica has what the primary had. */
const REACH_MS = 20;
const REACH_TRIES = 25;

/**
 * Reads from a replica of the database. What the replica lacks must not look empty, so it is read only while it is known
 * to have replayed everything that the primary had when the data last changed, and half a second ago or later. Otherwise
 * and after any failure the primary is read.
 */
export class Replica {
  readonly #options: Options;
  readonly #pool: pg.Pool;
  readonly #setup: SessionSetup = { sendsOptions: true };
  readonly #checking: Repetition;
  #isCurrent = false;
  #changes = 0;

  constructor(options: Options) {
    const { url, log, pollMs = POLL_MS } = options;
    this.#options = options;
    this.#pool = new pg.Pool({
      ...{ connectionString: url, max: POOL_SIZE, ...REMOTE_TIMEOUTS },
      Client: createClientClass(this.#setup),
      // oxlint-disable-next-line typescript/no-misused-promises -- pg waits for it, whatever its type says
      onConnect: requireSession,
    });
    // Without listeners, a connection that is lost ends the process. The next check reports it.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => void client.on("error", () => {}));
    this.#checking = repeat(() => this.check(), {
      pauseMs: pollMs,
      onFailure: (error) =>
        log.warn({ err: error }, "the replica cannot be used; the history is read from the primary"),
      onRecovery: () => log.info("the history is read from the replica again"),
    });
  }

  start(): void {
    this.#checking.start();
  }

  async stop(): Promise<void> {
    this.#checking.stop();
    this.#isCurrent = false;
    await this.#pool.end();
  }

  /** Call it when the data has changed, once that can be read from the primary: the replica may lack it. */
  readonly onChange = (): void => {
    this.#changes++;
    this.#isCurrent = false;
  };

  readonly read: Read = async (work) => {
    const { primary } = this.#options;
    if (!this.#isCurrent) return work(primary);
    try {
      return await work(this.#pool);
    } catch {
      // The next check tells whether it was more than this read, such as a conflict with what is replayed.
      this.#isCurrent = false;
      return work(primary);
    }
  };

  /** Finds out whether the replica has what the primary has now. Rejects if it cannot be read or is far behind. */
  async check(): Promise<void> {
    const changes = this.#changes;
    try {
      const { rows } = await this.#options.primary.query<{ at: string }>("SELECT pg_current_wal_lsn()::text AS at");
      await retryWithoutOptions(this.#setup, () => this.#reach(rows[0]?.at ?? ""));
      this.#isCurrent = changes === this.#changes;
    } catch (error) {
      this.#isCurrent = false;
      throw error;
    }
  }

  async #reach(position: string): Promise<void> {
    for (let tries = 0; tries < REACH_TRIES; tries++) {
      const { rows } = await this.#pool.query<{ isReached: boolean | null }>(
        `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() >= $1::pg_lsn END AS "isReached"`,
        [position],
      );
      const isReached = rows[0]?.isReached ?? null;
      if (isReached === true) return;
      if (isReached === null) throw new Error("DATABASE_READ_URL is not a replica that follows a primary");
      await new Promise((resolve) => setTimeout(resolve, REACH_MS).unref());
    }
    throw new Error("The replica is behind the primary");
  }
}
