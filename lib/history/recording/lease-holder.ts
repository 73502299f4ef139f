import { hostname } from "node:os";
import type { Pool } from "pg";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import {
  acquireLease,
  LeaseLost,
  readLease,
  type RecordingProgress,
  releaseLease,
  renewLease,
} from "@/lib/history/recording/recorder-lease";
import type { Logger } from "@/lib/platform/log/log";
import { type Clock, systemClock } from "@/lib/platform/timing/clock";
import { repeat } from "@/lib/platform/timing/repeat";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

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
