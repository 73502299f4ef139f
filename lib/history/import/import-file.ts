import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import type { OpenPriceFile, PriceFile } from "@/lib/feeds/files/price-rows";
import { TIMEFRAME_MINUTES } from "@/lib/history/bars/bar-rows";
import type { PointBar } from "@/lib/history/bars/point-bar";
import { type FileKey, readCheckpoint, writeCheckpoint } from "@/lib/history/import/checkpoint";
import { type HourPart, TICKS } from "@/lib/history/import/hour-parts";
import { addRefusal, createReport, type ImportReport, TimeObserver } from "@/lib/history/import/import-report";
import { createRowCheck, type RowCheck } from "@/lib/history/import/row-check";
import { storeBatch } from "@/lib/history/import/store-batch";
import { TickBuffer } from "@/lib/history/import/tick-buffer";
import type { Instrument } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

export interface ImportTask {
  readonly file: PriceFile;
  readonly instrument: Instrument;
  readonly key: FileKey;
  /** Of the file's bars; null for ticks. */
  readonly timeframe: Timeframe | null;
}

export interface ImportOptions {
  /** Null only reads the file. */
  readonly pool: Pool | null;
  readonly priority: readonly string[];
  /** Rows from here on belong to the recorder. UTC milliseconds. */
  readonly untilMs: number;
  readonly spreadsFromMs: number;
  readonly onProgress?: (progress: { readonly rows: number; readonly bytesRead: number }) => void;
}

export interface ImportResult {
  readonly report: ImportReport;
  /** Whether an earlier run had imported the whole file. */
  readonly isKnown: boolean;
  /** The row at which an earlier run was interrupted; 0 if there was none. */
  readonly resumedAt: number;
}

/** Bounds of one transaction: some tens of milliseconds, during which the embedded database serves nobody else. */
const MAX_HOURS = 48;
const MAX_TICKS = 250_000;
/** Ticks of one hour before it is stored in pieces. */
const MAX_HOUR_TICKS = 2_000_000;
const ROWS_PER_TURN = 4_096;

/**
 * Imports one file. What is stored and how far the file was read change in the same transactions, so that an interrupted
 * import continues where it was. Throws an Error for a damaged file; what was read before it stays.
 */
export async function importFile(task: ImportTask, options: ImportOptions): Promise<ImportResult> {
  const { pool } = options;
  const known = pool === null ? null : await readCheckpoint(pool, task.key);
  if (known?.finished === true && (known.report.refused.open_hour ?? known.report.refused.too_recent) === undefined) {
    return { report: known.report, isKnown: true, resumedAt: 0 };
  }
  const resumedAt = known === null || known.finished ? 0 : known.rows;
  const run = new ImportRun(task, options, resumedAt > 0 && known !== null ? known.report : createReport());
  await run.read(resumedAt);
  return { report: run.report, isKnown: false, resumedAt };
}

/** The rows of one hour that wait to be stored. */
type Pending = TickBuffer | PointBar[];

class ImportRun {
  readonly report: ImportReport;
  readonly #task: ImportTask;
  readonly #options: ImportOptions;
  readonly #check: RowCheck;
  readonly #observer: TimeObserver;
  #hours = new Map<number, Pending>();
  #ticks = 0;
  /** The transaction that runs while the next batch is read. */
  #storing: Promise<void> = Promise.resolve();

  constructor(task: ImportTask, options: ImportOptions, report: ImportReport) {
    const stepMs = task.timeframe === null ? 0 : TIMEFRAME_MINUTES[task.timeframe] * MINUTE_MS;
    this.report = report;
    this.#task = task;
    this.#options = options;
    this.#check = createRowCheck(task.instrument, options.untilMs - stepMs);
    this.#observer = new TimeObserver(report, task.instrument, stepMs);
  }

  async read(resumedAt: number): Promise<void> {
    const open = this.#task.file.open(this.#task.key.zone);
    try {
      const skipped = await this.#skip(open, resumedAt);
      await this.#readRows(open, skipped);
      await this.#store(true);
    } finally {
      // A batch before a damaged row is stored to its end.
      await this.#storing.catch(() => {});
    }
    await this.#storing;
  }

  async #skip({ rows }: OpenPriceFile, count: number): Promise<number> {
    let skipped = 0;
    while (skipped < count && rows.next()) if (++skipped % ROWS_PER_TURN === 0) await nextTurn();
    return skipped;
  }

  async #readRows({ rows, bytesRead }: OpenPriceFile, skipped: number): Promise<void> {
    const { report } = this;
    const check = this.#check;
    const isTicks = this.#task.timeframe === null;
    let hour = NaN;
    let pending: Pending | undefined;
    let read = skipped;
    while (rows.next()) {
      if (++read % ROWS_PER_TURN === 0) {
        this.#options.onProgress?.({ rows: read, bytesRead: bytesRead() });
        await nextTurn();
      }
      const refusal = isTicks ? check.checkTick(rows) : check.checkBar(rows);
      const { timeMs } = rows;
      if (refusal === null) {
        const newHour = Math.floor(timeMs / HOUR_MS);
        if (newHour !== hour || (pending instanceof TickBuffer && pending.count >= MAX_HOUR_TICKS)) {
          if (this.#isFull()) await this.#store(false);
          hour = newHour;
          pending = this.#openHour(hour, isTicks);
        }
      }
      report.rows++;
      if (refusal !== null) {
        const sample = { line: rows.at, row: rows.describe() };
        addRefusal(report, refusal, rows.fault === null ? sample : { ...sample, expected: rows.fault });
        continue;
      }
      this.#observer.observe(timeMs);
      if (pending instanceof TickBuffer) {
        pending.add(timeMs - hour * HOUR_MS, check.bid, check.ask);
        this.#ticks++;
      } else {
        pending?.push(check.bar);
      }
    }
    this.#options.onProgress?.({ rows: read, bytesRead: bytesRead() });
  }

  #openHour(hour: number, isTicks: boolean): Pending {
    let pending = this.#hours.get(hour);
    if (pending === undefined) this.#hours.set(hour, (pending = isTicks ? new TickBuffer() : []));
    return pending;
  }

  #isFull(): boolean {
    return this.#hours.size >= MAX_HOURS || this.#ticks >= MAX_TICKS;
  }

  /** Stores what was read, up to the current row, once the batch before it is stored. */
  async #store(finished: boolean): Promise<void> {
    const { report } = this;
    const { pool, priority, spreadsFromMs } = this.#options;
    const { key, instrument } = this.#task;
    await this.#storing;
    const hours = this.#hours;
    this.#hours = new Map();
    this.#ticks = 0;
    if (pool === null) return;
    // The report goes on while the batch is stored.
    const atBatch = structuredClone(report);
    const parts = new Map(Array.from(hours, ([hour, pending]) => [hour, this.#toPart(pending)]));
    const stored = storeBatch(
      pool,
      { instrument, parts },
      {
        priority,
        spreadsFromMs,
        alongside: async (client, { added, open }) => {
          for (const each of [report, atBatch]) addStored(each, added, open);
          await writeCheckpoint(client, key, { rows: atBatch.rows, finished, report: atBatch });
        },
      },
    ).then(() => {});
    // A failure is thrown where the batch is awaited.
    stored.catch(() => {});
    this.#storing = stored;
  }

  #toPart(pending: Pending): HourPart {
    const { key, timeframe } = this.#task;
    return pending instanceof TickBuffer
      ? { source: key.source, timeframe: TICKS, ticks: pending.build() }
      : { source: key.source, timeframe: TIMEFRAME_MINUTES[timeframe ?? "M1"], bars: sortBars(pending) };
  }
}

function sortBars(bars: readonly PointBar[]): PointBar[] {
  const byTime = new Map(bars.map((bar) => [bar.timeMs, bar]));
  return [...byTime.values()].sort((a, b) => a.timeMs - b.timeMs);
}

function addStored(report: ImportReport, added: number, open: number): void {
  report.added += added;
  if (open === 0) return;
  const before = report.refused.open_hour ?? { count: 0, samples: [] };
  report.refused.open_hour = { ...before, count: before.count + open };
  report.accepted -= open;
}
