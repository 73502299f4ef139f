import type { Pool } from "pg";
import { getPeriodStart } from "@/lib/history/spreads/spread-period";
import { readSpreadHours, type StoredHour } from "@/lib/history/spreads/spread-rows";
import { HOUR_MS } from "@/lib/time/units";

/** One symbol's written hours of the last 30 days in memory: read when first asked for, and again once they have changed. */
export interface StoredHours {
  /**
   * Every written hour, oldest first; the latest day's with their minutes. The array is replaced, never changed. At
   * once when it is in memory; rejects when the database cannot be read.
   */
  getHours(symbol: string, nowMs: number): readonly StoredHour[] | Promise<readonly StoredHour[]>;
  /** Hours were written or removed. */
  invalidate(): void;
}

interface Track {
  hours: readonly StoredHour[];
  isCurrent: boolean;
  reading: Promise<readonly StoredHour[]> | null;
}

export function createStoredHours(pool: Pool): StoredHours {
  const tracks = new Map<string, Track>();

  async function read(symbol: string, track: Track, nowMs: number): Promise<readonly StoredHour[]> {
    try {
      // What is written while the database is asked may be in the answer, or not.
      do {
        track.isCurrent = true;
        const fromMs = getPeriodStart("30d", nowMs);
        const minutesFromMs = Math.floor(getPeriodStart("24h", nowMs) / HOUR_MS) * HOUR_MS;
        track.hours = await readSpreadHours(pool, { symbol, of: "served", fromMs, minutesFromMs });
      } while (!track.isCurrent);
      return track.hours;
    } catch (error) {
      track.isCurrent = false;
      throw error;
    } finally {
      track.reading = null;
    }
  }

  return {
    getHours(symbol, nowMs) {
      let track = tracks.get(symbol);
      if (track === undefined) tracks.set(symbol, (track = { hours: [], isCurrent: false, reading: null }));
      if (track.reading !== null) return track.reading;
      return track.isCurrent ? track.hours : (track.reading = read(symbol, track, nowMs));
    },
    invalidate() {
      for (const track of tracks.values()) track.isCurrent = false;
    },
  };
}
