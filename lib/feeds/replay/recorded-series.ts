import type { RecordedFile, RecordedSeries, TickRows } from "@/lib/feeds/replay/recorded-file";

/** The current tick of a reader: always the same object, changed by `next`. */
export interface RecordedTick {
  readonly source: string;
  readonly brokerSymbol: string;
  timeMs: number;
  bid: number;
  ask: number;
}

export interface SeriesCursor extends RecordedTick {
  /** Moves to the series' next tick, across files; false at the end. */
  next(): boolean;
}

/** Called for a file that could not be read to its end, and for a file with malformed rows once it has been read. */
export type OnRecordingProblem = (problem: RecordingProblem) => void;
export interface RecordingProblem {
  readonly source: string;
  readonly path: string;
  readonly malformedRows: number;
  /** Null if only rows were malformed. */
  readonly error: Error | null;
}

/**
 * Reads one symbol of one broker, file by file, with one file in memory at a time. `zone` is the IANA zone of its times
 * if it is not the format's own. Ticks before `fromMs` are skipped, and files that end before it are not opened.
 */
export function openSeries(
  series: RecordedSeries,
  zone: string | undefined,
  fromMs: number,
  onProblem: OnRecordingProblem,
) {
  let nextFile = 0;
  let file: RecordedFile | undefined;
  let rows: TickRows | undefined;

  function openNextFile(): boolean {
    file = series.files[nextFile++];
    rows = undefined;
    if (file === undefined) return false;
    try {
      if (file.endMs(zone) > fromMs) rows = file.open(zone);
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
      path: file?.path ?? "",
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
          const { timeMs, bid, ask } = rows as TickRows;
          if (timeMs < fromMs) continue;
          cursor.timeMs = timeMs;
          cursor.bid = bid;
          cursor.ask = ask;
          return true;
        }
        if (!openNextFile()) return false;
      }
    },
  };
  return cursor;
}
