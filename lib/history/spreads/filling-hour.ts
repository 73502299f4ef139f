import { MINUTES_PER_HOUR } from "@/lib/history/hour-columns";
import type { SpreadHour } from "@/lib/history/spreads/spread-hour";
import { type Histogram, RollupBuilder, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";
import { readChange, readVarint, writeChange, writeVarint } from "@/lib/history/ticks/varint";

const FIRST_CAPACITY = 128;

/** Bytes that a variable-length integer takes at most. */
const MAX_INTEGER = 5;

/**
 * An hour of spreads that is still being counted. Only the newest minute has a Map. Each earlier minute is packed: its
 * number, how many different spreads it has, and for each of them the change from the one below and its samples. Maps of
 * all minutes, sources and symbols would take tens of megabytes.
 */
export class FillingHour implements SpreadHour {
  readonly symbol: string;
  readonly source: string;
  readonly hourMs: number;
  #packed = new Uint8Array(FIRST_CAPACITY);
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
    this.#forEach((minute, spread, samples) => {
      const histogram = minutes[minute];
      histogram?.set(spread, (histogram.get(spread) ?? 0) + samples);
    });
    return minutes;
  }

  /** The roll-up of the hour from one of its minutes on, without a Map for each of them. */
  rollUp(fromMinute = 0): SpreadRollup {
    const total = new RollupBuilder();
    this.#forEach((minute, spread, samples) => {
      if (minute >= fromMinute) total.add(spread, samples);
    });
    return total.build();
  }

  /** Returns the first minute from `fromMinute` on that has a sample; null if there is none. */
  findFirstMinute(fromMinute = 0): number | null {
    let first: number | null = null;
    this.#forEach((minute) => {
      if (minute >= fromMinute && (first === null || minute < first)) first = minute;
    });
    return first;
  }

  /** Adds samples of a spread, in points, to a minute of the hour. */
  count(minute: number, spread: number, samples = 1): void {
    if (minute !== this.#minute) {
      this.#pack();
      this.#minute = minute;
    }
    this.#newest.set(spread, (this.#newest.get(spread) ?? 0) + samples);
  }

  /** Frees the memory that is reserved for more minutes. A late sample can still be counted. */
  trim(): void {
    this.#pack();
    this.#packed = this.#packed.slice(0, this.#length);
  }

  #forEach(visit: (minute: number, spread: number, samples: number) => void): void {
    const reader = { payload: this.#packed, at: 0 };
    while (reader.at < this.#length) {
      const minute = readVarint(reader);
      let spread = 0;
      for (let left = readVarint(reader); left > 0; left--) {
        spread += readChange(reader);
        visit(minute, spread, readVarint(reader));
      }
    }
    for (const [spread, samples] of this.#newest) visit(this.#minute, spread, samples);
  }

  #pack(): void {
    if (this.#newest.size === 0) return;
    const needed = this.#length + 2 * MAX_INTEGER * (1 + this.#newest.size);
    if (needed > this.#packed.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#packed.length));
      larger.set(this.#packed);
      this.#packed = larger;
    }
    let at = writeVarint(this.#packed, this.#length, this.#minute);
    at = writeVarint(this.#packed, at, this.#newest.size);
    let below = 0;
    for (const [spread, samples] of [...this.#newest].sort(([one], [other]) => one - other)) {
      at = writeChange(this.#packed, at, spread - below);
      at = writeVarint(this.#packed, at, samples);
      below = spread;
    }
    this.#length = at;
    this.#newest.clear();
  }
}
