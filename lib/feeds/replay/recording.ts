import { listSeries } from "@/lib/feeds/replay/list-series";
import {
  type OnRecordingProblem,
  openSeries,
  type RecordedTick,
  type SeriesCursor,
} from "@/lib/feeds/replay/recorded-series";

export interface RecordingOptions {
  /** Folder of recordings, in any of the layouts of list-series.ts. */
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
