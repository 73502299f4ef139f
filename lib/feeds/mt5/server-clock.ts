import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const QUARTER_MS = 15 * MINUTE_MS;
const MAX_OFFSET_MS = 14 * HOUR_MS;
/** How far the newest tick of a live batch may be from the time when the batch was built. */
const FRESH_MS = MINUTE_MS;
/** Batches that must agree on another offset before it is believed. */
const AGREEING = 3;
/** How long ticks of before a change may still come. */
const OVERLAP_MS = 10 * MINUTE_MS;
const STRADDLE_MS = HOUR_MS / 2;

/**
 * Measures the offset of a trade server's clock, which shows the broker's wall time. A live batch's newest tick is only
 * moments old, so its time less the UTC time at which the batch was built is the offset, in quarters of an hour. Old
 * ticks, such as those of a closed market, say nothing. Times are milliseconds.
 */
export class ServerClock {
  /** Trade-server time less UTC; null until it is known. */
  offsetMs: number | null = null;
  #previousMs: number | null = null;
  #changedAtMs = 0;
  #candidateMs: number | null = null;
  #agreeing = 0;
  #newestMs: number | null = null;

  /**
   * Reads the newest tick of a batch. Returns false while the times of this batch are unknown: the offset is unknown,
   * or the batch suggests another one. The batch is then to be kept until a later call returns true.
   *
   * @param newestMs trade-server time of the newest tick; null for a batch without ticks
   * @param builtAtMs UTC time at which the terminal built the batch
   */
  observe(newestMs: number | null, builtAtMs: number): boolean {
    if (newestMs === null) return this.#candidateMs === null && this.offsetMs !== null;
    const isNew = newestMs !== this.#newestMs;
    this.#newestMs = newestMs;
    const aheadMs = newestMs - builtAtMs;
    // Without minus zero.
    const measuredMs = Math.round(aheadMs / QUARTER_MS) * QUARTER_MS + 0;
    const isFresh = Math.abs(aheadMs - measuredMs) <= FRESH_MS && Math.abs(measuredMs) <= MAX_OFFSET_MS;
    if (!isFresh) return this.offsetMs !== null;
    if (measuredMs === this.offsetMs) {
      this.#forgetCandidate();
      return true;
    }
    if (isNew) this.#count(measuredMs);
    if (this.#agreeing < AGREEING) return false;
    this.#previousMs = this.offsetMs;
    this.#changedAtMs = builtAtMs;
    this.offsetMs = measuredMs;
    this.#forgetCandidate();
    return true;
  }

  /**
   * UTC of a tick. Near a change of the offset, ticks of before and after it may be in one batch. Throws an Error while
   * the offset is unknown.
   */
  toUtc(serverMs: number, builtAtMs: number): number {
    if (this.offsetMs === null) throw new Error("The offset of the trade server is not known yet.");
    const utcMs = serverMs - this.offsetMs;
    if (this.#previousMs === null || builtAtMs - this.#changedAtMs > OVERLAP_MS) return utcMs;
    const isNear = (ms: number) => ms <= builtAtMs + FRESH_MS && ms >= builtAtMs - STRADDLE_MS;
    const earlierMs = serverMs - this.#previousMs;
    return !isNear(utcMs) && isNear(earlierMs) ? earlierMs : utcMs;
  }

  #count(measuredMs: number): void {
    this.#agreeing = measuredMs === this.#candidateMs ? this.#agreeing + 1 : 1;
    this.#candidateMs = measuredMs;
  }

  #forgetCandidate(): void {
    this.#candidateMs = null;
    this.#agreeing = 0;
  }
}
