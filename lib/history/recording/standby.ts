import type { Pool } from "pg";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import { readLease } from "@/lib/history/recording/recorder-lease";

/** How late the recorder may store a second, in seconds of the market clock. */
const LATE_SECONDS = 70;

/** Keeps the open hours of a server that does not record equal to the journal that another server writes. */
export class Standby {
  readonly #pool: Pool;
  readonly #keeper: HistoryKeeper;
  #seenRevision: number | null = null;
  #holder = "";

  constructor(pool: Pool, keeper: HistoryKeeper) {
    this.#pool = pool;
    this.#keeper = keeper;
  }

  /** The server that recorded last. */
  get holder(): string {
    return this.#holder;
  }

  /** Reads what the recorder has written since the last call. */
  async follow(): Promise<void> {
    const { openHours } = this.#keeper;
    const { holder, completeUntilMs, revision } = await readLease(this.#pool);
    this.#holder = holder;
    if (revision !== this.#seenRevision) await this.#keeper.followClosedHours();
    this.#seenRevision = revision;
    await this.#keeper.readRecentRows(Math.floor(openHours.completeUntilMs / 1000) - LATE_SECONDS);
    this.#keeper.onRecorded([], completeUntilMs);
  }
}
