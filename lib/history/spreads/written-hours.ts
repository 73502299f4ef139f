import type { Pool } from "pg";
import { HOUR_MS } from "@/lib/history/hour-columns";
import { periodStart } from "@/lib/history/spreads/spread-period";
import { readSpreadHours, type WrittenHour } from "@/lib/history/spreads/spread-rows";
import type { OpenHours } from "@/lib/history/history";

/**
 * One symbol's written hours of the last 30 days in memory. They are read when first asked for, and again when an hour
 * has been closed since. What a command beside the server writes is therefore seen with the next hour.
 */
export interface WrittenHours {
  /**
   * Every hour that is not open, oldest first; the latest day's with their minutes. The array is replaced, never
   * changed. At once when it is in memory; rejects when the database cannot be read.
   */
  of(symbol: string, nowMs: number): readonly WrittenHour[] | Promise<readonly WrittenHour[]>;
}

interface Track {
  hours: readonly WrittenHour[];
  /** Hours that began before this were closed when they were read. */
  knownUntilMs: number;
  reading: Promise<readonly WrittenHour[]> | null;
}

export function createWrittenHours({
  pool,
  openHours,
}: {
  pool: Pool;
  openHours: Pick<OpenHours, "of">;
}): WrittenHours {
  const tracks = new Map<string, Track>();

  function isComplete(symbol: string, { knownUntilMs }: Track, nowMs: number): boolean {
    const currentMs = hourOf(nowMs);
    if (knownUntilMs === currentMs) return true;
    const open = openHours.of(symbol);
    for (let hourMs = knownUntilMs; hourMs < currentMs; hourMs += HOUR_MS) {
      if (!open.some((columns) => columns.hourMs === hourMs)) return false;
    }
    return true;
  }

  async function read(symbol: string, track: Track, nowMs: number): Promise<readonly WrittenHour[]> {
    do {
      // An hour that is open now may be closed while the database is asked, before or after it looks.
      const knownUntilMs = Math.min(hourOf(nowMs), ...openHours.of(symbol).map(({ hourMs }) => hourMs));
      const fromMs = periodStart("30d", nowMs);
      const minutesFromMs = hourOf(periodStart("24h", nowMs));
      track.hours = await readSpreadHours(pool, { symbol, of: "served", fromMs, minutesFromMs });
      track.knownUntilMs = knownUntilMs;
    } while (!isComplete(symbol, track, nowMs));
    return track.hours;
  }

  return {
    of(symbol, nowMs) {
      let track = tracks.get(symbol);
      if (track === undefined) tracks.set(symbol, (track = { hours: [], knownUntilMs: -Infinity, reading: null }));
      if (isComplete(symbol, track, nowMs)) return track.hours;
      const { reading } = track;
      if (reading !== null) return reading;
      const settled = track;
      return (track.reading = read(symbol, track, nowMs).finally(() => (settled.reading = null)));
    },
  };
}

function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}
