import type { VenueTimes } from "@/lib/feeds/live/connector";
import { MINUTE_MS } from "@/lib/time/units";

/** A connection that lasted this long after its subscription was a good one. */
const STABLE_MS = MINUTE_MS;

/**
 * The pauses between attempts to connect: each twice the one before, within the venue's limits, and up to half as long
 * again by chance, so that many clients do not return at the same moment.
 */
export class RetryPause {
  readonly #times: VenueTimes;
  readonly #random: () => number;
  #failures = 0;

  constructor(times: VenueTimes, random: () => number) {
    this.#times = times;
    this.#random = random;
  }

  /**
   * Returns the milliseconds to wait after a connection ended.
   * @param lastedMs how long it had been subscribed; 0 if never
   */
  next(lastedMs: number, demandedMs = 0): number {
    const { retryMs, maxRetryMs } = this.#times;
    if (lastedMs >= STABLE_MS) this.#failures = 0;
    const pauseMs = Math.min(retryMs * 2 ** this.#failures, maxRetryMs);
    this.#failures = Math.min(this.#failures + 1, 30);
    return Math.max(pauseMs, demandedMs) * (1 + this.#random() / 2);
  }
}
