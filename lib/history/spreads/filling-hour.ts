import { MINUTES_PER_HOUR } from "@/lib/history/hour-columns";
import type { SpreadHour } from "@/lib/history/spreads/spread-hour";
import { type Histogram, RollupBuilder, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";

/** Minute, spread in points and samples. */
const FIELDS = 3;
const FIRST_CAPACITY = 64 * FIELDS;

/**
 * An hour of spreads that is still being counted. Only the newest minute has a Map, since those of all minutes, sources
 * and symbols would take tens of megabytes.
 */
export class FillingHour implements SpreadHour {
  readonly symbol: string;
  readonly source: string;
  readonly hourMs: number;
  #packed = new Int32Array(FIRST_CAPACITY);
  #length = 0;
  #minute = 0;
  readonly #newest = new Map<number, number>();

  /** @param minutes what another process has counted of the hour */
  constructor({ symbol, source, hourMs }: Omit<SpreadHour, "minutes">, minutes: readonly Histogram[] = []) {
    this.symbol = symbol;
    this.source = source;
    this.hourMs = hourMs;
    for (const [minute, histogram] of minutes.entries()) {
      for (const [spread, samples] of histogram) this.count(minute, spread, samples);
    }
  }

  get minutes(): readonly Histogram[] {
    const minutes = Array.from({ length: MINUTES_PER_HOUR }, () => new Map<number, number>());
    const add = (minute: number, spread: number, samples: number) => {
      const histogram = minutes[minute];
      histogram?.set(spread, (histogram.get(spread) ?? 0) + samples);
    };
    for (let at = 0; at < this.#length; at += FIELDS) {
      const [minute = 0, spread = 0, samples = 0] = this.#packed.subarray(at, at + FIELDS);
      add(minute, spread, samples);
    }
    for (const [spread, samples] of this.#newest) add(this.#minute, spread, samples);
    return minutes;
  }

  /** The roll-up of the hour from one of its minutes on, without a Map for each of them. */
  rollUp(fromMinute = 0): SpreadRollup {
    const total = new RollupBuilder();
    for (let at = 0; at < this.#length; at += FIELDS) {
      if ((this.#packed[at] as number) >= fromMinute) {
        total.add(this.#packed[at + 1] as number, this.#packed[at + 2] as number);
      }
    }
    if (this.#minute >= fromMinute) for (const [spread, samples] of this.#newest) total.add(spread, samples);
    return total.build();
  }

  /** Returns the first minute from `fromMinute` on that has a sample; null if there is none. */
  findFirstMinute(fromMinute = 0): number | null {
    const sampled = this.#newest.size > 0 ? [this.#minute] : [];
    for (let at = 0; at < this.#length; at += FIELDS) sampled.push(this.#packed[at] as number);
    const found = sampled.filter((minute) => minute >= fromMinute);
    return found.length === 0 ? null : Math.min(...found);
  }

  /** Adds samples of a spread, in points, to a minute of the hour. */
  count(minute: number, spread: number, samples = 1): void {
    if (minute !== this.#minute) {
      this.#pack();
      this.#minute = minute;
    }
    this.#newest.set(spread, (this.#newest.get(spread) ?? 0) + samples);
  }

  #pack(): void {
    const needed = this.#length + this.#newest.size * FIELDS;
    if (needed > this.#packed.length) {
      const larger = new Int32Array(Math.max(needed, 2 * this.#packed.length));
      larger.set(this.#packed);
      this.#packed = larger;
    }
    for (const [spread, samples] of this.#newest) {
      this.#packed.set([this.#minute, spread, samples], this.#length);
      this.#length += FIELDS;
    }
    this.#newest.clear();
  }
}
