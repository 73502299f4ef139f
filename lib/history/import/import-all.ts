import { join, sep } from "node:path";
import { type FileTable, readFileTable } from "@/lib/feeds/files/file-table";
import { addInstruments } from "@/lib/feeds/instrument-store";
import { findKind } from "@/lib/feeds/kinds";
import { planFeeds } from "@/lib/feeds/set/feed-plan";
import { findConfigFile, loadFeedSettings } from "@/lib/feeds/settings/feed-settings";
import { readBars, TIMEFRAME_MINUTES } from "@/lib/history/bars/bar-rows";
import { rememberImports } from "@/lib/history/import/follow-imports";
import { importFile, type ImportOptions, type ImportTask } from "@/lib/history/import/import-file";
import type { ImportSettings } from "@/lib/history/import/import-options";
import { type FileOutcome, findFault, type Outcome, report } from "@/lib/history/import/import-outcome";
import { type ImportSummary, nameSeries, summariseImport } from "@/lib/history/import/import-summary";
import { type FindNear, type ListedFile, planImports } from "@/lib/history/import/plan-import";
import { PriceShape } from "@/lib/history/import/price-shape";
import { RunStopped } from "@/lib/history/import/run-claim";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { toPrice } from "@/lib/market/price";
import type { Config } from "@/lib/platform/config";
import type { Database } from "@/lib/platform/database/database";
import { describeFault } from "@/lib/platform/database/database-errors";
import { silentLog } from "@/lib/platform/log/log";
import { monotonicClock } from "@/lib/platform/timing/clock";
import { formatCount, toNameText } from "@/lib/text/text";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Imports all files of a command or of the page: plans all, then stores one after the other, and reports. */

/** An hour that is over still belongs to the recorder for a moment: late seconds come, then it is closed. */
const RECORDER_MS = 2 * MINUTE_MS;

/** What an import needs to know of the server. */
export type HistoryOptions = Pick<ImportOptions, "priority" | "untilMs" | "spreadsFromMs">;

export async function readHistoryOptions(config: Config): Promise<HistoryOptions> {
  const nowMs = Date.now();
  return {
    priority: await readPriority(config),
    untilMs: Math.floor((nowMs - RECORDER_MS) / HOUR_MS) * HOUR_MS,
    spreadsFromMs: nowMs - config.keepDays.spreads * DAY_MS,
  };
}

/** Names of sources, most trusted first, as the server ranks them. Others follow by name. */
async function readPriority(config: Config): Promise<readonly string[]> {
  if (findConfigFile(config.configFile) === null) return config.sourcePriority;
  const { feeds } = await loadFeedSettings(config, process.env);
  const clocks = { now: Date.now, monotonic: monotonicClock };
  const rest = { storedUntilMs: null, log: silentLog, dataDir: config.dataDir, recorder: null };
  return feeds.flatMap((setting) => {
    if (findKind(setting.kind)?.sources !== "several") return [setting.name];
    // Such a feed names its sources itself. It is not started.
    const plans = planFeeds([setting], { ...clocks, instruments, ...rest });
    return plans.flatMap(({ feed }) => feed.sources.map(({ name }) => name));
  });
}

/** How far an import is: rows and bytes of all files, and the file that is read. */
interface Progress {
  readonly rows: number;
  readonly bytesRead: number;
  readonly bytes: number;
  readonly file: string;
  /** The rows of files that an earlier process had imported. */
  readonly rowsBefore: number;
  readonly bytesBefore: number;
}

interface Options extends HistoryOptions, ImportSettings, Pick<ImportOptions, "run" | "signal"> {
  readonly isDryRun: boolean;
  readonly onProgress?: (progress: Progress) => void;
}

type Reported = ReturnType<typeof report>;

interface ImportedFiles {
  /** As JSON and as text. */
  readonly json: Reported["json"];
  readonly text: string;
  /** Whether a file was not imported whole, or there was none. */
  readonly failed: boolean;
  readonly summary: ImportSummary;
}

/**
 * Imports files, or only reads them in a dry run. All are recognised before the first is stored, so that an unknown one that
 * was named itself changes nothing: rejects with FileRefused. Rejects with RunStopped or the reason of `signal` once it is
 * stopped; what was stored stays.
 */
export async function importAll(
  database: Pick<Database, "pool" | "prisma">,
  files: readonly ListedFile[],
  options: Options,
): Promise<ImportedFiles> {
  const { pool } = database;
  const { plan, isDryRun, signal } = options;
  const findNear: FindNear = (symbol, timeMs) => readNear(pool, symbol, timeMs);
  const { tasks, leftOut } = await planImports(files, plan, { findNear, signal });
  const added = listNewInstruments(tasks);
  if (!isDryRun) await addInstruments(database, added);
  const shapes = new Map<string, PriceShape>();
  const outcomes = await importTasks(tasks, { ...options, pool }, shapes);
  if (!isDryRun) {
    const changed = outcomes.filter(({ result }) => result === null || !result.isKnown);
    await rememberImports(pool, listInstruments(changed), options.untilMs);
  }
  const outcome: Outcome = { outcomes, leftOut, added, isDryRun };
  const reported = report(outcome);
  const built = new Map(Array.from(shapes, ([name, shape]) => [name, shape.build()]));
  const table = isDryRun ? findTable(files, outcome, plan) : null;
  return { ...reported, summary: summariseImport(reported.json, built, table) };
}

/** Files that are opened to find one with columns. */
const MOST_OPENED = 5;

/** The columns of the first file that is refused, else of the first that is read; null if none has columns. */
function findTable(
  files: readonly ListedFile[],
  { outcomes, leftOut }: Outcome,
  options: ImportSettings["plan"],
): FileTable | null {
  const refused = leftOut.flatMap(({ path, hasPrices }) => (hasPrices ? [{ path, columns: undefined }] : []));
  const read = outcomes.flatMap(({ task: { file } }) => (file.columns === undefined ? [] : [file]));
  for (const { path: own, columns } of [...refused.slice(0, MOST_OPENED), ...read.slice(0, 1)]) {
    const listed = files.find(({ path }) => own === path || own.startsWith(join(path, sep)));
    const table = listed === undefined ? null : readFileTable(listed.path, own, options, columns);
    if (table !== null) return table;
  }
  return null;
}

/** How far from a time a stored price tells the level. */
const NEAR_MS = 7 * DAY_MS;

/** The stored close that is nearest before a time, else the first one after it. */
async function readNear(pool: Database["pool"], symbol: string, timeMs: number) {
  const range = { symbols: [symbol], timeframe: "H1", limit: 1 } as const;
  for (const part of [
    { fromMs: timeMs - NEAR_MS, toMs: timeMs, pick: "latest" },
    { fromMs: timeMs, toMs: timeMs + NEAR_MS, pick: "first" },
  ] as const) {
    const [bar] = (await readBars(pool, { ...range, ...part })).get(symbol) ?? [];
    if (bar !== undefined) return { timeMs: bar.timeMs, price: toPrice(bar.close, bar.digits) };
  }
  return null;
}

/** The instruments that the catalog lacks, the first of each symbol. */
function listNewInstruments(tasks: readonly ImportTask[]): Instrument[] {
  const found = new Map<string, Instrument>();
  for (const { instrument } of tasks) {
    const { symbol } = instrument;
    if (!instrumentBySymbol.has(symbol) && !found.has(symbol)) found.set(symbol, instrument);
  }
  return [...found.values()];
}

async function importTasks(
  tasks: readonly ImportTask[],
  options: Options & Pick<ImportOptions, "pool">,
  shapes: Map<string, PriceShape>,
): Promise<FileOutcome[]> {
  const bytes = tasks.reduce((sum, { file }) => sum + file.bytes, 0);
  const outcomes: FileOutcome[] = [];
  let [doneBytes, doneRows, bytesBefore, rowsBefore] = [0, 0, 0, 0];
  for (const task of tasks) {
    options.signal?.throwIfAborted();
    const { path } = task.file;
    let rowsRead = 0;
    try {
      const result = await importFile(task, {
        ...options,
        ...(options.isDryRun ? { shape: findShape(shapes, task) } : {}),
        onProgress({ rows, bytesRead }) {
          rowsRead = rows;
          const done = { rows: doneRows + rows, bytesRead: doneBytes + bytesRead };
          options.onProgress?.({ ...done, bytes, file: path, rowsBefore, bytesBefore });
        },
      });
      if (rowsRead === 0) {
        rowsRead = result.report.rows;
        rowsBefore += rowsRead;
        bytesBefore += task.file.bytes;
      }
      outcomes.push({ path, task, result, error: findFault(task, result.report, options.mostRefused) });
    } catch (error) {
      if (error instanceof RunStopped || options.signal?.aborted === true) throw error;
      const message = `${toNameText(path)}: after ${formatCount(rowsRead)} rows: ${describeFault(error)}. What was stored before stays; the file is not imported whole.`;
      outcomes.push({ path, task, result: null, error: message });
    }
    doneBytes += task.file.bytes;
    doneRows += rowsRead;
  }
  return outcomes;
}

function findShape(shapes: Map<string, PriceShape>, task: ImportTask): PriceShape {
  const { timeframe } = task;
  const { symbol, source, zone } = task.key;
  const name = nameSeries({ symbol, source, zone, timeframe, format: task.file.format });
  const known =
    shapes.get(name) ?? new PriceShape(timeframe === null ? SECOND_MS : TIMEFRAME_MINUTES[timeframe] * MINUTE_MS);
  shapes.set(name, known);
  return known;
}

function listInstruments(outcomes: readonly FileOutcome[]): Instrument[] {
  return [...new Set(outcomes.map(({ task }) => task.instrument))];
}
