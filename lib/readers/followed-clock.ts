import type { Clock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

/** A clock that is set back by more was changed; by less, its message may only have been late. */
const MAX_LATE_MS = 5 * SECOND_MS;
/** A clock that is behind for this long was changed. */
const CONFIRM_MS = SECOND_MS;

/** The market clock of a writer, as a reader knows it from the writer's messages. */
export class FollowedClock {
  readonly #monotonic: Clock;
  #offsetMs = 0;
  #confirmedAtMs = 0;

  constructor(monotonic: Clock) {
    this.#monotonic = monotonic;
  }

  /** UTC milliseconds, once it was set. */
  readonly now = (): number => Math.floor(this.#monotonic() + this.#offsetMs);

  /**
   * Sets the clock by a message. One that a busy writer sent late, which nothing else shows, would set it back, and prices
   * would look younger than they are.
   *
   * @param sentAtMs when the message was sent, by the reader's clock
   * @param isRecording whether the writer replays a recording, whose time need not pass as fast as ours
   */
  set(marketNowMs: number, sentAtMs: number, isRecording: boolean): void {
    const offsetMs = marketNowMs - sentAtMs;
    const behindMs = this.#offsetMs - offsetMs;
    const isLate = behindMs > 0 && behindMs <= MAX_LATE_MS && sentAtMs - this.#confirmedAtMs < CONFIRM_MS;
    if (isLate && !isRecording) return;
    this.#offsetMs = offsetMs;
    this.#confirmedAtMs = sentAtMs;
  }
}
