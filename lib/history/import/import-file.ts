import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { PriceLevels } from "@/lib/feeds/files/price-level";
import type { OpenPriceFile, PriceFile } from "@/lib/feeds/files/price-rows";
import type { PointBar } from "@/lib/history/bars/bar-block";
import { TIMEFRAME_MINUTES } from "@/lib/history/bars/bar-rows";
import { type HourPart, MergedTicks, type TickList, TICKS } from "@/lib/history/import/hour-parts";
import {
  addFirst,
  addRefusal,
  createReport,
  type ImportReport,
  READER,
  TimeObserver,
} from "@/lib/history/import/import-report";
import { type AcceptedRow, HELD, Judge } from "@/lib/history/import/judge";
import type { PriceShape } from "@/lib/history/import/price-shape";
import type { RunClaim } from "@/lib/history/import/run-claim";
import { storeBatch, tryBatch } from "@/lib/history/import/write-hours";
import { createPoints, isNarrow } from "@/lib/history/points";
import { readDigits, storeDigits } from "@/lib/history/price-digits";
import type { Instrument } from "@/lib/market/instrument";
import { fitDigits, toPoints } from "@/lib/market/price";
import type { StoredTimeframe } from "@/lib/market/timeframe";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

export interface ImportTask {
  readonly file: PriceFile;
  readonly instrument: Instrument;
  readonly key: FileKey;
  /** The SHA-256 of the file's content, in hex. */
  readonly sha256: string;
  /** The timeframe of the file's bars; null for ticks. */
  readonly timeframe: StoredTimeframe | null;
  /** The levels that prices must have, and no more than two digits beyond the symbol's; null for any. */
  readonly levels: PriceLevels | null;
  /** Whether bars that begin off their grid are moved back to it. */
  readonly isAligned: boolean;
  /** Whether the times of bars are their ends. */
  readonly isEnd: boolean;
  /** Whether times with an offset too are what the clock of the zone shows. */
  readonly isClock: boolean;
  /** What tells each of these. */
  readonly reasons: { readonly symbol: string; readonly zone: string; readonly timeframe: string };
}

export interface ImportOptions {
  /** Null only reads the file. */
  readonly pool: Pool | null;
  /** Reads the file and checks that its rows can be stored, but stores nothing. */
  readonly isDryRun?: boolean;
  /** The import that can be undone; null or undefined for none. */
  readonly run?: RunClaim | null;
  /** Collects the accepted rows for a small chart. */
  readonly shape?: PriceShape;
  /** Stops the reading between two rows, with its reason as the error. */
  readonly signal?: AbortSignal;
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

/** Bounds of one transaction, some tens of milliseconds: the closing of an hour may wait for it. */
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
  const known = pool === null || options.isDryRun ? null : await readCheckpoint(pool, task.key);
  const isCurrent = known?.report.reader === READER;
  // After a restart, the files that this import has finished are no other one's.
  const isOwn = options.run != null && known?.runs.includes(options.run.id) === true;
  const { open_hour, too_recent } = known?.report.refused ?? {};
  if (known?.finished === true && isCurrent && known.report.accepted > 0 && (open_hour ?? too_recent) === undefined) {
    return { report: known.report, isKnown: !isOwn, resumedAt: 0 };
  }
  const resumedAt = known === null || known.finished || !isCurrent ? 0 : known.rows;
  const run = new ImportRun(task, options, resumedAt > 0 && known !== null ? known.report : createReport());
  await run.read(resumedAt);
  return { report: run.report, isKnown: false, resumedAt: isOwn ? 0 : resumedAt };
}

/** The rows of one hour that wait to be stored. */
type Pending = TickBuffer | PointBar[];

class ImportRun {
  readonly report: ImportReport;
  readonly #task: ImportTask;
  readonly #options: ImportOptions;
  readonly #judge: Judge;
  readonly #observer: TimeObserver;
  #hours = new Map<number, Pending>();
  #ticks = 0;
  /** The hour of the last accepted row, and its rows. */
  #hour = NaN;
  #pending: Pending | undefined;
  /** The time of the last accepted row, and how many rows were later and earlier than the one before them. */
  #beforeMs = NaN;
  #later = 0;
  #earlier = 0;
  /** The transaction that runs while the next batch is read. */
  #storing: Promise<void> = Promise.resolve();

  constructor(task: ImportTask, options: ImportOptions, report: ImportReport) {
    const stepMs = task.timeframe === null ? 0 : TIMEFRAME_MINUTES[task.timeframe] * MINUTE_MS;
    this.report = report;
    this.#task = task;
    this.#options = options;
    const { instrument, isAligned, isEnd, levels } = task;
    this.#judge = new Judge({ instrument, untilMs: options.untilMs, stepMs, isAligned, isEnd, levels });
    this.#judge.moved = report.moved;
    this.#judge.withoutVolume = report.withoutVolume;
    this.#observer = new TimeObserver(report, task.instrument, stepMs);
  }

  async read(resumedAt: number): Promise<void> {
    const open = this.#task.file.open(this.#task.key.zone, this.#task.isClock);
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
    while (skipped < count && rows.next()) {
      if (++skipped % ROWS_PER_TURN !== 0) continue;
      this.#options.signal?.throwIfAborted();
      await nextTurn();
    }
    return skipped;
  }

  async #readRows({ rows, bytesRead }: OpenPriceFile, skipped: number): Promise<void> {
    const judge = this.#judge;
    let read = skipped;
    while (rows.next()) {
      if (++read % ROWS_PER_TURN === 0) {
        this.#options.onProgress?.({ rows: read, bytesRead: bytesRead() });
        this.#options.signal?.throwIfAborted();
        await nextTurn();
      }
      const verdict = judge.judge(rows);
      if (judge.decided.length > 0) await this.#takeDecided();
      if (verdict === HELD) continue;
      if (verdict === null) {
        const hour = Math.floor(judge.row.timeMs / HOUR_MS);
        if (this.#needsStore(hour)) await this.#store(false);
        this.#add(judge.row, hour);
      } else {
        this.report.rows++;
        const sample = { line: rows.at, row: rows.describe() };
        addRefusal(this.report, verdict, rows.fault === null ? sample : { ...sample, expected: rows.fault });
      }
    }
    judge.finish();
    await this.#takeDecided();
    this.#options.onProgress?.({ rows: read, bytesRead: bytesRead() });
  }

  /** Takes the rows that waited for others, which come before the current one. */
  async #takeDecided(): Promise<void> {
    const { decided } = this.#judge;
    this.#judge.decided = [];
    for (const row of decided) {
      if (row.verdict === null) {
        const hour = Math.floor(row.timeMs / HOUR_MS);
        if (this.#needsStore(hour)) await this.#store(false);
        this.#add(row, hour);
        continue;
      }
      this.report.rows++;
      const sample = { line: row.line, row: row.text };
      addRefusal(this.report, row.verdict, row.expected === null ? sample : { ...sample, expected: row.expected });
    }
  }

  /** Whether the batch is full before a row of another hour, or of an hour with too many ticks. */
  #needsStore(hour: number): boolean {
    if (hour === this.#hour && !(this.#pending instanceof TickBuffer && this.#pending.count >= MAX_HOUR_TICKS))
      return false;
    return this.#isFull();
  }

  #add(row: AcceptedRow, hour: number): void {
    const { timeMs } = row;
    const judge = this.#judge;
    if (hour !== this.#hour || this.#pending === undefined) {
      this.#hour = hour;
      this.#pending = this.#openHour(hour, this.#task.timeframe === null);
    }
    const pending = this.#pending;
    if (timeMs > this.#beforeMs) this.#later++;
    else if (timeMs < this.#beforeMs) this.#earlier++;
    this.#beforeMs = timeMs;
    judge.accept(row);
    this.report.rows++;
    if (this.report.accepted === this.report.first.length) {
      const { bid, ask, open, high, low, close, volume } = row;
      const values = pending instanceof TickBuffer ? [bid, ask] : [open, high, low, close, volume];
      addFirst(this.report, timeMs, () => values.join(" "));
    }
    this.#observer.observe(timeMs);
    const shape = this.#options.shape;
    if (shape !== undefined) {
      if (pending instanceof TickBuffer) shape.add(timeMs, row.bid, row.bid, row.bid);
      else shape.add(timeMs, row.low, row.high, row.close);
    }
    if (pending instanceof TickBuffer) {
      pending.add(timeMs - hour * HOUR_MS, row, judge.digits);
      this.#ticks++;
    } else {
      pending.push(judge.toBar(row));
    }
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
    const { pool, priority, spreadsFromMs, run = null } = this.#options;
    const { key, instrument } = this.#task;
    await this.#storing;
    const hours = this.#hours;
    this.#hours = new Map();
    this.#hour = NaN;
    this.#pending = undefined;
    this.#ticks = 0;
    report.moved = this.#judge.moved;
    report.withoutVolume = this.#judge.withoutVolume;
    if (pool === null) return;
    if (this.#options.isDryRun) {
      const parts = new Map(Array.from(hours, ([hour, pending]) => [hour, this.#toPart(pending)]));
      addStored(report, 0, await tryBatch(pool, { symbol: instrument.symbol, parts }));
      return;
    }
    // The report goes on while the batch is stored.
    const atBatch = structuredClone(report);
    const { digits } = this.#judge;
    const parts = new Map(Array.from(hours, ([hour, pending]) => [hour, this.#toPart(pending)]));
    const stored = storeBatch(
      pool,
      { symbol: instrument.symbol, parts },
      {
        run,
        cause: {
          kind: "imported",
          source: key.source,
          file: key.name,
          sha256: this.#task.sha256,
          run: run?.id ?? null,
        },
        priority,
        spreadsFromMs,
        alongside: async (client, { added, open }) => {
          for (const each of [report, atBatch]) addStored(each, added, open);
          if (digits > instrument.digits) {
            const before = await readDigits(client, key.symbol);
            if (digits > before)
              for (const each of [report, atBatch]) each.raised = { from: each.raised?.from ?? before, to: digits };
            await storeDigits(client, [[key.symbol, digits]]);
          }
          const runs = run === null ? [] : [run.id];
          await writeCheckpoint(client, key, { rows: atBatch.rows, finished, report: atBatch, runs });
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
      ? { source: key.source, timeframe: TICKS, ticks: pending.build(this.#earlier > 2 * this.#later) }
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

/** How far files were imported. */

/** The same content may be imported for another symbol or source, or in another zone. */
interface FileKey {
  /** SHA-256 of the file in hex. */
  readonly digest: string;
  readonly symbol: string;
  readonly source: string;
  readonly zone: string;
  /** The name of the file when it was imported. */
  readonly name: string;
}

interface Checkpoint {
  /** Rows from the beginning of the file that are stored or refused. */
  readonly rows: number;
  readonly finished: boolean;
  readonly report: ImportReport;
  /** The imports that have read it. */
  readonly runs: readonly string[];
}

/** Null for a file of which nothing was imported. */
async function readCheckpoint(pool: Pool, key: FileKey): Promise<Checkpoint | null> {
  const { rows } = await pool.query<Checkpoint>(
    `SELECT rows::float8 AS rows, finished, report, runs FROM import_file
      WHERE digest = $1 AND symbol = $2 AND source = $3 AND zone = $4`,
    [key.digest, key.symbol, key.source, key.zone],
  );
  return rows[0] ?? null;
}

async function writeCheckpoint(
  client: PoolClient,
  { digest, symbol, source, zone, name }: FileKey,
  { rows, finished, report, runs }: Checkpoint,
): Promise<void> {
  await client.query(
    `INSERT INTO import_file (digest, symbol, source, zone, name, rows, finished, report, runs)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (digest, symbol, source, zone) DO UPDATE
        SET name = excluded.name, rows = excluded.rows, finished = excluded.finished, report = excluded.report, at = now(),
            runs = CASE WHEN excluded.runs <@ import_file.runs THEN import_file.runs
                        ELSE import_file.runs || excluded.runs END`,
    [digest, symbol, source, zone, name, rows, finished, JSON.stringify(report), runs],
  );
}

const FIRST_SIZE = 4_096;

/** Collects the ticks of an hour, in any order. */
class TickBuffer {
  #ms = new Int32Array(FIRST_SIZE);
  #bid = new Float64Array(FIRST_SIZE);
  #ask = new Float64Array(FIRST_SIZE);
  #digits = 0;
  #highest = 0;
  #isSorted = true;
  count = 0;

  /** @param digits of these prices and all before */
  add(ms: number, { bid, ask }: AcceptedRow, digits: number): void {
    if (this.count === this.#ms.length) this.#grow();
    if (this.count > 0 && ms < (this.#ms[this.count - 1] as number)) this.#isSorted = false;
    this.#digits = digits;
    if (ask > this.#highest) this.#highest = ask;
    this.#ms[this.count] = ms;
    this.#bid[this.count] = bid;
    this.#ask[this.count++] = ask;
  }

  /** The ticks in the order of time, without repetitions. Those of one millisecond were added in that order, or newest first. */
  build(isNewestFirst: boolean): TickList {
    const { count } = this;
    const digits = fitDigits(this.#highest, this.#digits);
    const isWide = !isNarrow(toPoints(this.#highest, digits));
    const toList = (prices: Float64Array) => {
      const points = createPoints(count, isWide);
      for (let i = 0; i < count; i++) points[i] = toPoints(prices[i] as number, digits);
      return points;
    };
    const all = { digits, ms: this.#ms, bid: toList(this.#bid), ask: toList(this.#ask) };
    const isSorted = this.#isSorted && !isNewestFirst;
    const order = Array.from({ length: isSorted ? 0 : count }, (_, index) => index);
    order.sort((a, b) => (this.#ms[a] as number) - (this.#ms[b] as number) || (isNewestFirst ? b - a : a - b));
    const result = new MergedTicks(count, digits, isWide);
    for (let i = 0; i < count; i++) result.add(all, isSorted ? i : (order[i] as number));
    return result.build();
  }

  #grow(): void {
    const grow = <Column extends Int32Array | Float64Array>(column: Column, larger: Column) => {
      larger.set(column);
      return larger;
    };
    const size = 2 * this.#ms.length;
    this.#ms = grow(this.#ms, new Int32Array(size));
    this.#bid = grow(this.#bid, new Float64Array(size));
    this.#ask = grow(this.#ask, new Float64Array(size));
  }
}
