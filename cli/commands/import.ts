import { resolve } from "node:path";
import { type Command, UsageError, withDatabase } from "@/cli/command";
import { type FileOutcome, findFault, report } from "@/cli/import-outcome";
import { IMPORT_TIMEFRAMES } from "@/lib/feeds/files/price-rows";
import { addInstruments } from "@/lib/feeds/instrument-store";
import { findKind } from "@/lib/feeds/kinds";
import { planFeeds } from "@/lib/feeds/set/feed-plan";
import { findConfigFile, loadFeedSettings } from "@/lib/feeds/settings/feed-settings";
import { rememberImports } from "@/lib/history/import/follow-imports";
import { importFile, type ImportOptions, type ImportTask } from "@/lib/history/import/import-file";
import { listImportedSymbols, removeImports } from "@/lib/history/import/imported-hours";
import { listImportFiles, planImports } from "@/lib/history/import/plan-import";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { MAX_DIGITS } from "@/lib/market/price";
import { type Config, loadConfig } from "@/lib/platform/config";
import { silentLog } from "@/lib/platform/log/log";
import { monotonicClock } from "@/lib/platform/timing/clock";
import { formatBytes, formatCount } from "@/lib/text/text";
import { formatTimeLeft } from "@/lib/time/duration";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** The operator's commands that import the past from files. */

/** An hour that is over still belongs to the recorder for a moment: late seconds come, then it is closed. */
const RECORDER_MS = 2 * MINUTE_MS;

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

async function readOptions(): Promise<Omit<ImportOptions, "pool">> {
  const config = loadConfig(process.env);
  const { keepDays } = config;
  const nowMs = Date.now();
  return {
    priority: await readPriority(config),
    untilMs: Math.floor((nowMs - RECORDER_MS) / HOUR_MS) * HOUR_MS,
    spreadsFromMs: nowMs - keepDays.spreads * DAY_MS,
  };
}

const importCommand: Command = {
  name: "import",
  summary: "Import ticks or bars of the past from files; a server may be running, and serves them at once",
  argument: {
    value: "FILE",
    isMany: true,
    help: "HistData, Dukascopy bi5, TrueFX, Lean, MetaTrader 5 or csv, also zipped, or Parquet; or a folder of them",
  },
  options: {
    source: { value: "NAME", help: "the broker or vendor of the prices; the default is the format's name" },
    zone: {
      value: "ZONE",
      help: "the zone of the times, like Europe/Athens or America/New_York+7; the default is the format's",
    },
    clock: {
      value: "ZONE",
      help: "like --zone, also for times that state an offset, if the vendor stated a wrong one",
    },
    symbol: { value: "SYMBOL", help: "the symbol; the default is the one in the file or its name" },
    decimals: { value: "NUMBER", help: "decimals of Dukascopy's bi5 prices, if its own are unknown: 0 to 10" },
    timeframe: {
      value: "TIMEFRAME",
      help: "the length of bars; the default is their distance",
      choices: IMPORT_TIMEFRAMES,
    },
    columns: {
      value: "NAMES",
      help: "what each field of a row is, like time,bid,ask,-; the default is told by the heading",
    },
    dates: {
      value: "ORDER",
      help: "whether the day or the month comes first in dates like 01/02/2024",
      choices: ["dmy", "mdy"],
    },
    decimal: {
      value: "SIGN",
      help: "the sign before decimals; the default is told by the prices",
      choices: [".", ","],
    },
    align: { value: "", flag: true, help: "move bars that begin off their grid back to it; else they are refused" },
    "max-refused": { value: "PERCENT", help: "the share of refused rows from which a file fails; the default is 20" },
    "dry-run": { value: "", flag: true, help: "read the files and print the plan and the report, but store nothing" },
  },
  async run(values) {
    const isDryRun = values.has("dry-run");
    const files = listImportFiles(values.all.map((name) => resolve(process.env.INIT_CWD ?? "", name)));
    if (files.length === 0) throw new UsageError("The folder has no files.");
    const plan = {
      source: values.optional("source"),
      zone: values.optional("zone"),
      clock: values.optional("clock"),
      symbol: values.optional("symbol"),
      decimals: readDecimals(values.optional("decimals")),
      timeframe: IMPORT_TIMEFRAMES.find((each) => each === values.optional("timeframe")),
      columns: values.optional("columns"),
      dateOrder: (["dmy", "mdy"] as const).find((each) => each === values.optional("dates")),
      decimal: ([".", ","] as const).find((each) => each === values.optional("decimal")),
      align: values.has("align"),
    };
    const mostRefused = readShare(values.optional("max-refused") ?? "20");
    const options = await readOptions();
    return withDatabase(async (database) => {
      const { pool } = database;
      // All files are recognised before the first is stored, so that an unknown one changes nothing.
      const { tasks, leftOut } = await planImports(files, plan);
      const added = listNewInstruments(tasks);
      if (!isDryRun) await addInstruments(database, added);
      const outcomes = await importAll(tasks, { ...options, pool, isDryRun }, mostRefused);
      if (!isDryRun) {
        const changed = outcomes.filter(({ result }) => result === null || !result.isKnown);
        await rememberImports(pool, listInstruments(changed), options.untilMs);
      }
      return report({ outcomes, leftOut, added, isDryRun });
    });
  },
};

function readDecimals(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) > MAX_DIGITS)
    throw new UsageError("--decimals must be a number from 0 to 10.");
  return Number(text);
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

/** A share that is given in percent. */
function readShare(text: string): number {
  const percent = Number(text);
  if (!/^\d{1,3}(\.\d+)?$/.test(text) || percent > 100) throw new UsageError("--max-refused must be from 0 to 100.");
  return percent / 100;
}

async function importAll(
  tasks: readonly ImportTask[],
  options: ImportOptions,
  mostRefused: number,
): Promise<FileOutcome[]> {
  const progress = createProgress(process.stderr, () => performance.now());
  const total = tasks.reduce((sum, { file }) => sum + file.bytes, 0);
  const outcomes: FileOutcome[] = [];
  let [doneBytes, doneRows] = [0, 0];
  for (const task of tasks) {
    const { path, bytes } = task.file;
    let rowsRead = 0;
    try {
      const result = await importFile(task, {
        ...options,
        onProgress({ rows, bytesRead }) {
          rowsRead = rows;
          progress.update(task.key.name, doneRows + rows, doneBytes + bytesRead, total);
        },
      });
      outcomes.push({ path, task, result, error: findFault(task, result.report, mostRefused) });
    } catch (error) {
      const message = `${path}: after ${formatCount(rowsRead)} rows: ${(error as Error).message}. What was stored before stays; the file is not imported whole.`;
      outcomes.push({ path, task, result: null, error: message });
    }
    doneBytes += bytes;
    doneRows += rowsRead;
  }
  progress.clear();
  return outcomes;
}

function listInstruments(outcomes: readonly FileOutcome[]): Instrument[] {
  return [...new Set(outcomes.flatMap(({ task }) => (task === null ? [] : [task.instrument])))];
}

const importRemove: Command = {
  name: "import remove",
  summary: "Remove what was imported from a source; recorded prices stay",
  options: {
    source: { value: "NAME", help: "the source that the import named", required: true },
    symbol: { value: "SYMBOL", help: "only this symbol's" },
  },
  async run(values) {
    const source = values.text("source");
    const given = values.optional("symbol");
    const { priority, spreadsFromMs, untilMs } = await readOptions();
    const removed = await withDatabase(async ({ pool }) => {
      const symbols = given === undefined ? await listImportedSymbols(pool, source) : [given];
      const hours: Record<string, number> = {};
      for (const symbol of symbols) {
        const instrument = catalogResolver.find(symbol);
        if (instrument === undefined) throw new UsageError(`The symbol ${symbol} is unknown.`);
        const options = { symbol: instrument.symbol, source, priority, spreadsFromMs };
        hours[instrument.symbol] = await removeImports(pool, options);
        await rememberImports(pool, [instrument], untilMs);
      }
      return hours;
    });
    const all = Object.entries(removed).map(([symbol, hours]) => `${formatCount(hours)} hours of ${symbol}`);
    return {
      json: { source, hours: removed },
      text: all.length === 0 ? `Nothing was imported from ${source}.` : `Removed ${all.join(", ")} from ${source}.`,
    };
  },
};

export const importCommands: readonly Command[] = [importRemove, importCommand];

/** The progress of a long command on standard error: one line that is written over on a terminal, else plain lines. */
interface Progress {
  /** `done` and `total` in bytes. */
  update(label: string, rows: number, done: number, total: number): void;
  /** Removes the line from a terminal. */
  clear(): void;
}

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const TERMINAL_MS = 200;
const LINES_MS = 10_000;
const BAR_WIDTH = 24;

function createProgress(terminal: Terminal, now: () => number): Progress {
  const isTerminal = terminal.isTTY === true;
  const startedAtMs = now();
  let shownAtMs = startedAtMs;
  let firstRows: number | null = null;
  return {
    update(label, rows, done, total) {
      firstRows ??= rows;
      const nowMs = now();
      if (nowMs - shownAtMs < (isTerminal ? TERMINAL_MS : LINES_MS)) return;
      shownAtMs = nowMs;
      const seconds = Math.max(0.001, (nowMs - startedAtMs) / 1_000);
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const rate = `${formatCount(Math.round((rows - firstRows) / seconds))} rows/s`;
      const left = share === 0 ? "" : ` · ${formatTimeLeft(((1 - share) / share) * seconds * 1_000)} left`;
      const text = `${Math.floor(share * 100)} % of ${formatBytes(total)} · ${formatCount(rows)} rows · ${rate}${left} · ${label}`;
      if (!isTerminal) return void terminal.write(`${text}\n`);
      const filled = Math.round(share * BAR_WIDTH);
      const line = `[${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}] ${text}`;
      terminal.write(`\r${line.slice(0, (terminal.columns ?? 100) - 1)}\x1b[K`);
    },
    clear() {
      if (isTerminal) terminal.write("\r\x1b[K");
    },
  };
}
