import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS } from "@/lib/time/units";

interface Newest {
  timeMs: number;
  receivedAtMs: number;
}

/** More hours than can be open at once. */
const MAX_HOURS = 8;

/**
 * When the newest price of each hour was received, by a clock that cannot be set. If the market clock was set ahead, an
 * hour looks over while its prices still arrive; closing it would refuse them.
 */
export class HourArrivals {
  readonly #elapsed: Clock;
  readonly #hours = new Map<number, Newest>();

  constructor(elapsed: Clock) {
    this.#elapsed = elapsed;
  }

  onPrice(timeMs: number): void {
    const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
    const newest = this.#hours.get(hourMs);
    if (newest === undefined) this.#add(hourMs, timeMs);
    else if (timeMs > newest.timeMs) {
      newest.timeMs = timeMs;
      newest.receivedAtMs = this.#elapsed();
    }
  }

  /** Whether `untilMs` can have come since the newest price of the hour. True for an hour without prices. */
  canBe(hourMs: number, untilMs: number): boolean {
    const newest = this.#hours.get(hourMs);
    if (newest === undefined) return true;
    return this.#elapsed() - newest.receivedAtMs >= untilMs - newest.timeMs;
  }

  #add(hourMs: number, timeMs: number): void {
    this.#hours.set(hourMs, { timeMs, receivedAtMs: this.#elapsed() });
    const [oldest] = this.#hours.keys();
    if (this.#hours.size > MAX_HOURS && oldest !== undefined) this.#hours.delete(oldest);
  }
}
