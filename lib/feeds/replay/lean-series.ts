import { readFileSync } from "node:fs";
import { zonedTimeToUtcMs } from "@/lib/market/civil-time";
import type { LeanDay, LeanSeries } from "@/lib/feeds/replay/lean-folder";
import { openLeanRows, type LeanRows } from "@/lib/feeds/replay/lean-rows";

/** The tick a reader stands on. It is the same object all along, moved by `next`. */
export interface RecordedTick {
  readonly source: string;
  readonly brokerSymbol: string;
  timeMs: number;
  bid: number;
  ask: number;
}

export interface SeriesCursor extends RecordedTick {
  /** Moves to the series' next tick, over any number of days; false at the end. */
  next(): boolean;
}

/** Called for a file that could not be read (or not to its end), and for a file with malformed rows once it is done. */
export type OnRecordingProblem = (problem: RecordingProblem) => void;
export interface RecordingProblem {
  readonly source: string;
  readonly path: string;
  readonly malformedRows: number;
  /** Null where only rows were malformed. */
  readonly error: Error | null;
}

const HOUR_MS = 3_600_000;

/**
 * Reads one symbol of one broker, day after day, holding one day's archive at a time. `zone` is the IANA zone whose
 * midnight the rows count from. Ticks before `fromMs` are passed over, and days before it not opened at all.
 */
export function openSeries(series: LeanSeries, zone: string, fromMs: number, onProblem: OnRecordingProblem) {
  let nextDay = 0;
  let day: LeanDay | undefined;
  let rows: LeanRows | undefined;
  let hourStartsMs: readonly number[] = [];

  function openNextDay(): boolean {
    day = series.days[nextDay++];
    if (day === undefined) return false;
    hourStartsMs = hourStarts(day.date, zone);
    rows = undefined;
    if ((hourStartsMs[24] as number) <= fromMs) return true;
    try {
      rows = openLeanRows(readFileSync(day.path));
    } catch (error) {
      report(error);
    }
    return true;
  }

  function nextRow(): boolean {
    if (rows === undefined) return false;
    try {
      if (rows.next()) return true;
      if (rows.malformed > 0) report(null);
    } catch (error) {
      report(error);
    }
    rows = undefined;
    return false;
  }

  function report(error: unknown) {
    onProblem({
      source: series.source,
      path: day?.path ?? "",
      malformedRows: rows?.malformed ?? 0,
      error: error === null ? null : error instanceof Error ? error : new Error(String(error)),
    });
  }

  const cursor: SeriesCursor = {
    source: series.source,
    brokerSymbol: series.brokerSymbol,
    timeMs: 0,
    bid: 0,
    ask: 0,
    next() {
      for (;;) {
        while (nextRow()) {
          const { ms, bid, ask } = rows as LeanRows;
          const hour = Math.floor(ms / HOUR_MS);
          const timeMs = (hourStartsMs[hour] as number) + Math.floor(ms - hour * HOUR_MS);
          if (timeMs < fromMs) continue;
          cursor.timeMs = timeMs;
          cursor.bid = bid;
          cursor.ask = ask;
          return true;
        }
        if (!openNextDay()) return false;
      }
    },
  };
  return cursor;
}

/** UTC moments of the 25 full hours of a civil day, first and last midnight included: exact over a clock change. */
function hourStarts(date: string, zone: string): number[] {
  const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6)].map(Number) as [
    number,
    number,
    number,
  ];
  return Array.from({ length: 25 }, (_, hour) => zonedTimeToUtcMs(zone, year, month, day, hour * HOUR_MS));
}
