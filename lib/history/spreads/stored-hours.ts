import type { Pool } from "pg";
import { getPeriodStart } from "@/lib/history/spreads/spread-period";
import { readSpreadHours, type StoredHour } from "@/lib/history/spreads/spread-rows";
import { HOUR_MS } from "@/lib/time/units";

interface Track {
  hours: readonly StoredHour[];
  isCurrent: boolean;
  reading: Promise<readonly StoredHour[]> | null;
}

/** Each symbol's stored hours of the last 30 days in memory: read on first use, and again once they have changed. */
export class StoredHours {
  readonly #pool: Pool;
  readonly #tracks = new Map<string, Track>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * All stored hours, oldest first; the latest day's with their minutes. The array is replaced, never changed. Synchronous
   * when it is in memory; rejects when the database cannot be read.
   */
  getHours(symbol: string, nowMs: number): readonly StoredHour[] | Promise<readonly StoredHour[]> {
    let track = this.#tracks.get(symbol);
    if (track === undefined) this.#tracks.set(symbol, (track = { hours: [], isCurrent: false, reading: null }));
    if (track.reading !== null) return track.reading;
    return track.isCurrent ? track.hours : (track.reading = this.#read(symbol, track, nowMs));
  }

  /** Drops cached hours, because hours were written or removed. */
  invalidate(): void {
    for (const track of this.#tracks.values()) track.isCurrent = false;
  }

  async #read(symbol: string, track: Track, nowMs: number): Promise<readonly StoredHour[]> {
    try {
      // The result may or may not contain rows that are written during the read.
      do {
        track.isCurrent = true;
        const fromMs = getPeriodStart("30d", nowMs);
        const minutesFromMs = Math.floor(getPeriodStart("24h", nowMs) / HOUR_MS) * HOUR_MS;
        track.hours = await readSpreadHours(this.#pool, { symbol, kind: "served", fromMs, minutesFromMs });
      } while (!track.isCurrent);
      return track.hours;
    } catch (error) {
      track.isCurrent = false;
      throw error;
    } finally {
      track.reading = null;
    }
  }
}
