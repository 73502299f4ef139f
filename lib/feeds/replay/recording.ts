import { listSeries } from "@/lib/feeds/replay/folders";
import type { RecordedFile, RecordedSeries, TickRows } from "@/lib/feeds/replay/recorded-series";
import { describeError } from "@/lib/text/describe-error";

export interface RecordingOptions {
  /** Folder of recordings, in any of the layouts of folders.ts. */
  readonly dir: string;
  /** The IANA zone of each broker's times; without one, the format's own. "Etc/GMT+5" is a fixed UTC−5. */
  readonly zones: Readonly<Record<string, string>>;
  /** Skips ticks before this UTC moment. */
  readonly fromMs?: number | null;
  readonly onProblem?: OnRecordingProblem;
}

/** Every recorded series of a folder, merged in time order; at equal times in the folder's order. */
export interface Recording {
  /** The current tick; undefined at the end. `next` changes the object, so copy what is needed later. */
  readonly current: RecordedTick | undefined;
  next(): void;
}

export function openRecording({ dir, zones, fromMs, onProblem = () => {} }: RecordingOptions): Recording {
  // A binary heap with the earliest series on top, because a folder may hold hundreds of them.
  const heap: { readonly cursor: SeriesCursor; readonly order: number }[] = [];

  function isBefore(a: number, b: number): boolean {
    const [x, y] = [heap[a], heap[b]];
    if (x === undefined || y === undefined) return x !== undefined;
    return x.cursor.timeMs < y.cursor.timeMs || (x.cursor.timeMs === y.cursor.timeMs && x.order < y.order);
  }

  function sink(at: number) {
    for (;;) {
      const left = 2 * at + 1;
      const child = isBefore(left + 1, left) ? left + 1 : left;
      if (!isBefore(child, at)) return;
      [heap[at], heap[child]] = [heap[child]!, heap[at]!];
      at = child;
    }
  }

  for (const [order, series] of listSeries(dir).entries()) {
    const cursor = openSeries(series, zones[series.source], fromMs ?? -Infinity, onProblem);
    if (cursor.next()) heap.push({ cursor, order });
  }
  for (let at = heap.length >> 1; at >= 0; at--) sink(at);

  return {
    get current() {
      return heap[0]?.cursor;
    },
    next() {
      const top = heap[0];
      if (top === undefined) return;
      if (!top.cursor.next()) {
        const last = heap.pop();
        if (last === undefined || heap.length === 0) return;
        heap[0] = last;
      }
      sink(0);
    },
  };
}

/**
 * Reads a whole recording in time order, without delays. Every tick yielded is the same object, so copy what is needed
 * later.
 */
export function* readRecordedTicks(options: RecordingOptions): Generator<Readonly<RecordedTick>, void, undefined> {
  const recording = openRecording(options);
  while (recording.current !== undefined) {
    yield recording.current;
    recording.next();
  }
}

/** The current tick of a reader: always the same object, changed by `next`. */
interface RecordedTick {
  readonly source: string;
  readonly brokerSymbol: string;
  timeMs: number;
  bid: number;
  ask: number;
}

interface SeriesCursor extends RecordedTick {
  /** Moves to the series' next tick, across files; false at the end. */
  next(): boolean;
}

/** Called for a file that could not be read to its end, and for a file with malformed rows once it has been read. */
type OnRecordingProblem = (problem: RecordingProblem) => void;
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
      error: error === null ? null : error instanceof Error ? error : new Error(describeError(error)),
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
