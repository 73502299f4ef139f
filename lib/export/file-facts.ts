import type { Pool } from "pg";
import { findCalendarMode } from "@/lib/export/calendar-data";
import { type Dataset, formatMoment, getTimes } from "@/lib/export/dataset";
import type { Rows } from "@/lib/export/table";
import { type MarkedSpan, readMarked } from "@/lib/history/origins";
import type { DataMode } from "@/lib/market/bar";
import { MINUTE_MS } from "@/lib/time/units";

/** What a file says of where its rows come from: their data mode, and their sources. */

export interface FileFacts {
  readonly mode: DataMode | "mixed";
  /** Of a mixed file: the time of each row from which on the rows have another mode. */
  readonly modes?: { readonly from: string; readonly mode: DataMode }[];
  /** Of a table with a column of sources. */
  readonly sources?: string[];
}

interface Times {
  /** Null for a table of no symbol. */
  readonly symbol: string | null;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The times whose rows are not live, oldest first: a row is not if any of its time is not. */
export async function readRowMarks(pool: Pool, dataset: Dataset, { symbol, fromMs, toMs }: Times) {
  if (symbol === null) {
    const mode = await findCalendarMode(pool, fromMs, toMs);
    return mode === "live" ? [] : [{ mode, fromMs: -Infinity, toMs: Infinity }];
  }
  const marked = await readMarked(pool, symbol, fromMs, dataset.getEnd(toMs - 1));
  // A minute of an import is of one source: one in which the mode changes is not split.
  const toMinute = (ms: number, round: (value: number) => number) => round(ms / MINUTE_MS) * MINUTE_MS;
  return marked.map(({ mode, ...span }) => {
    const startMs = toMinute(span.fromMs, Math.floor);
    return { mode, fromMs: dataset.getStart?.(startMs) ?? startMs, toMs: toMinute(span.toMs, Math.ceil) };
  });
}

/** Tells the mode of each row by its time. Rows come in order. */
export function createModeReader(marked: readonly MarkedSpan[]): (timeMs: number) => DataMode {
  let at = 0;
  return (timeMs) => {
    while (timeMs >= (marked[at]?.toMs ?? Infinity)) at++;
    const span = marked[at];
    return span !== undefined && timeMs >= span.fromMs ? span.mode : "live";
  };
}

/** Collects what a file says of its rows. */
export class FactList {
  readonly #dataset: Dataset;
  readonly #isLive: boolean;
  readonly #readMode: (timeMs: number) => DataMode;
  readonly #sourceColumn: number;
  readonly #sources = new Set<string | null>();
  readonly #runs: { readonly from: string; readonly mode: DataMode }[] = [];

  constructor(dataset: Dataset, marked: readonly MarkedSpan[]) {
    this.#dataset = dataset;
    this.#isLive = marked.length === 0;
    this.#readMode = createModeReader(marked);
    this.#sourceColumn = dataset.columns.findIndex(({ name }) => name === "source");
  }

  /** Adds rows. They come in order. */
  add(rows: Rows): void {
    for (const source of (rows.columns[this.#sourceColumn] ?? []) as readonly (string | null)[])
      this.#sources.add(source);
    const times = getTimes(this.#dataset, rows);
    for (const timeMs of this.#isLive ? times.subarray(0, 1) : times) {
      const mode = this.#readMode(timeMs);
      if (mode !== this.#runs.at(-1)?.mode) this.#runs.push({ from: formatMoment(timeMs), mode });
    }
  }

  /** After the last rows. */
  build(): FileFacts {
    const [first, ...others] = this.#runs;
    const sources = [...this.#sources].filter((source) => source !== null).sort();
    return {
      ...(others.length === 0 ? { mode: first?.mode ?? "live" } : { mode: "mixed", modes: [...this.#runs] }),
      ...(this.#sourceColumn === -1 ? {} : { sources }),
    };
  }
}
