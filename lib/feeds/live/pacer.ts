import { setTimeout } from "node:timers/promises";
import type { Clock } from "@/lib/platform/timing/clock";

/** Spaces requests evenly, so that a venue's limit of requests a second holds. */
export class Pacer {
  readonly #everyMs: number;
  readonly #monotonic: Clock;
  #freeAtMs = 0;

  constructor(everyMs: number, monotonic: Clock) {
    this.#everyMs = everyMs;
    this.#monotonic = monotonic;
  }

  /** Resolves when the next request may be sent. Rejects if the signal is aborted meanwhile. */
  async wait(signal: AbortSignal): Promise<void> {
    const nowMs = this.#monotonic();
    const atMs = Math.max(nowMs, this.#freeAtMs);
    this.#freeAtMs = atMs + this.#everyMs;
    if (atMs > nowMs) await setTimeout(atMs - nowMs, undefined, { signal });
  }
}
