import type { Pool } from "pg";
import { periodStart } from "@/lib/history/spreads/spread-period";
import { readSpreadHours, type WrittenHour } from "@/lib/history/spreads/spread-rows";
import { HOUR_MS } from "@/lib/time/units";

/** One symbol's written hours of the last 30 days in memory: read when first asked for, and again once they have changed. */
export interface WrittenHours {
  /**
   * Every written hour, oldest first; the latest day's with their minutes. The array is replaced, never changed. At
   * once when it is in memory; rejects when the database cannot be read.
   */
  of(symbol: string, nowMs: number): readonly WrittenHour[] | Promise<readonly WrittenHour[]>;
  /** Hours were written or removed. */
  changed(): void;
}

interface Track {
  hours: readonly WrittenHour[];
  isCurrent: boolean;
  reading: Promise<readonly WrittenHour[]> | null;
}

export function createWrittenHours(pool: Pool): WrittenHours {
  const tracks = new Map<string, Track>();

  async function read(symbol: string, track: Track, nowMs: number): Promise<readonly WrittenHour[]> {
    try {
      // What is written while the database is asked may be in the answer, or not.
      do {
        track.isCurrent = true;
        const fromMs = periodStart("30d", nowMs);
        const minutesFromMs = Math.floor(periodStart("24h", nowMs) / HOUR_MS) * HOUR_MS;
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
    of(symbol, nowMs) {
      let track = tracks.get(symbol);
      if (track === undefined) tracks.set(symbol, (track = { hours: [], isCurrent: false, reading: null }));
      if (track.reading !== null) return track.reading;
      return track.isCurrent ? track.hours : (track.reading = read(symbol, track, nowMs));
    },
    changed() {
      for (const track of tracks.values()) track.isCurrent = false;
    },
  };
}
