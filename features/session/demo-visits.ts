import { MINUTE_MS } from "@/lib/time/units";

/** A page with its data takes about ten requests. */
const MAX_PER_MINUTE = 300;
const MAX_ADDRESSES = 10_000;

/** Counts the requests of the demo by address, in memory, because anyone can send them. */
export class DemoVisits {
  #counts = new Map<string, number>();
  #minute = 0;

  /** Counts one request. Returns false for one too many within this minute, and when too many addresses come at once. */
  count(address: string, nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) this.#counts = new Map();
    this.#minute = minute;
    const count = (this.#counts.get(address) ?? 0) + 1;
    if (count > MAX_PER_MINUTE || (count === 1 && this.#counts.size >= MAX_ADDRESSES)) return false;
    this.#counts.set(address, count);
    return true;
  }
}
