import { resolve } from "node:path";
import { type Command, UsageError, withDatabase } from "@/cli/command";
import type { LeftOutFile } from "@/lib/feeds/files/open-price-file";
import { IMPORT_TIMEFRAMES } from "@/lib/feeds/files/price-rows";
import { addInstruments } from "@/lib/feeds/instrument-store";
import { findKind } from "@/lib/feeds/kinds";
import { planFeeds } from "@/lib/feeds/set/feed-plan";
import { findConfigFile, loadFeedSettings } from "@/lib/feeds/settings/feed-settings";
import { rememberImports } from "@/lib/history/import/follow-imports";
import { importFile, type ImportOptions, type ImportResult, type ImportTask } from "@/lib/history/import/import-file";
import type { ImportReport, RefusedRow } from "@/lib/history/import/import-report";
import { listImportedSymbols, removeImports } from "@/lib/history/import/imported-hours";
import {
  checkZone,
  joinWeekends,
  listImportFiles,
  planImports,
  type ZoneCheck,
} from "@/lib/history/import/plan-import";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { MAX_DIGITS } from "@/lib/market/price";
import { type Config, loadConfig } from "@/lib/platform/config";
import { silentLog } from "@/lib/platform/log/log";
import { monotonicClock } from "@/lib/platform/timing/clock";
import { formatBytes, formatCount } from "@/lib/text/text";
import { formatTimeLeft, formatWait } from "@/lib/time/duration";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** The operator's commands that import the past from files. */

/** An hour that is over still belongs to the recorder for a moment: late seconds come, then it is closed. */
const RECORDER_MS = 2 * MINUTE_MS;
/** Reports of single files in the text of many. */
const MAX_FILES_SHOWN = 20;

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
      const outcomes = await importAll(tasks, { ...options, pool: isDryRun ? null : pool }, mostRefused);
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

/** Rows that are left out for what they are, not for a fault of the file or of how it was read. */
const NO_FAULTS: ReadonlySet<RefusedRow> = new Set(["closed_hours", "too_recent", "open_hour"]);

/** Why a file counts as not imported; null for a good one. A file of Dukascopy may be an hour without ticks. */
function findFault({ file }: ImportTask, report: ImportReport, mostRefused: number): string | null {
  const { rows, accepted, refused } = report;
  const count = (isCounted: (reason: RefusedRow) => boolean) =>
    Object.entries(refused).reduce(
      (sum, [reason, each]) => sum + (isCounted(reason as RefusedRow) ? each.count : 0),
      0,
    );
  const malformed = count((reason) => reason === "malformed");
  const faulty = count((reason) => !NO_FAULTS.has(reason));
  if (malformed > accepted) return `${formatCount(malformed)} of ${formatCount(rows)} rows cannot be read`;
  if (rows === 0) return file.format === "dukascopy" ? null : "it has no rows";
  if (accepted === 0 && count((reason) => reason === "closed_hours") < rows) {
    return `none of its ${formatCount(rows)} rows can be imported`;
  }
  if (faulty <= mostRefused * rows) return null;
  return `${formatCount(faulty)} of ${formatCount(rows)} rows were refused, more than ${Math.round(mostRefused * 100)} %`;
}

function listInstruments(outcomes: readonly FileOutcome[]): Instrument[] {
  return [...new Set(outcomes.flatMap(({ task }) => (task === null ? [] : [task.instrument])))];
}

interface Outcome {
  readonly outcomes: readonly FileOutcome[];
  readonly leftOut: readonly LeftOutFile[];
  /** The instruments that the catalog lacked. */
  readonly added: readonly Instrument[];
  readonly isDryRun: boolean;
}

function report({ outcomes, leftOut, added, isDryRun }: Outcome) {
  const failed = outcomes.filter(({ error }) => error !== null);
  const refused = leftOut.filter(({ hasPrices }) => hasPrices);
  const sum = (pick: (report: NonNullable<FileOutcome["result"]>["report"]) => number) =>
    outcomes.reduce((total, { result }) => total + (result === null ? 0 : pick(result.report)), 0);
  const shown = [...failed, ...outcomes.filter(({ error }) => error === null)].slice(0, MAX_FILES_SHOWN);
  const lines = shown.map((outcome) => formatImport(outcome, isDryRun));
  if (outcomes.length > shown.length)
    lines.push(`… and ${formatCount(outcomes.length - shown.length)} more files; --json has all`);
  for (const { symbol, name, category, digits } of added) {
    const verb = isDryRun ? "would be added" : "was added";
    lines.push(`${symbol} ${verb} to the catalog: ${name}, ${category}, ${digits} digits.`);
  }
  lines.push(...formatLeftOut("Not imported", refused));
  lines.push(
    ...formatLeftOut(
      "Skipped, no file of prices",
      leftOut.filter(({ hasPrices }) => !hasPrices),
    ),
  );
  const checks = checkSeries(outcomes);
  lines.push(...checks.map((check) => formatCheck(check, isDryRun)));
  const failures = failed.length + refused.length;
  if (outcomes.length + leftOut.length > 1) {
    const counts = `${formatCount(sum(({ accepted }) => accepted))} rows accepted, ${formatCount(sum(({ added }) => added))} new`;
    lines.push(
      `${formatCount(outcomes.length + leftOut.length)} files: ${counts}, ${formatCount(failures)} not imported whole, ${formatCount(leftOut.length - refused.length)} skipped`,
    );
  }
  const json = {
    dry_run: isDryRun,
    files: outcomes.map(toImportJson),
    added_instruments: added.map(({ symbol }) => symbol),
    left_out: leftOut.map(({ path, reason, hasPrices }) => ({ file: path, reason, has_prices: hasPrices })),
    rows: sum(({ rows }) => rows),
    accepted: sum(({ accepted }) => accepted),
    added: sum(({ added }) => added),
    weekly_sessions: checks,
    failed: failures,
  };
  return { json, text: lines.join("\n"), failed: failures > 0 || outcomes.length === 0 };
}

/** The files of folders that were left out, with their reasons. */
function formatLeftOut(title: string, files: readonly LeftOutFile[]): string[] {
  if (files.length === 0) return [];
  const shown = files.slice(0, MAX_FILES_SHOWN).map(({ reason }) => `  ${reason}`);
  const more = files.length - shown.length;
  return [`${title}:`, ...shown, ...(more === 0 ? [] : [`  … and ${formatCount(more)} more; --json has all`])];
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

/** The report of an import, as JSON and as text. */

interface FileOutcome {
  readonly path: string;
  readonly task: ImportTask | null;
  readonly result: ImportResult | null;
  /** Why the file was not imported whole; null if it was. */
  readonly error: string | null;
}

const REASONS: Readonly<Record<RefusedRow, string>> = {
  malformed: "cannot be read",
  non_positive: "have a price that is not above zero",
  crossed: "have a bid above the ask, or a high and low that do not enclose open and close",
  far_off: "are far off the prices around them",
  out_of_range: "have a value that cannot be stored",
  off_grid: "are bars that do not begin on the grid of their timeframe; --align moves them back to it",
  ambiguous_time: "are ambiguous: clocks were set back, and the order of the rows does not tell the two hours apart",
  no_such_time: "have a time that the clocks of the zone skip",
  closed_hours: "are flat bars without volume while the market was closed",
  too_recent: "are of the current hour or later, which belongs to the recorder",
  open_hour: "are of an hour that the recorder is still filling, or that its clock has not reached",
};

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
const short = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");

function toImportJson({ path, task, result, error }: FileOutcome) {
  const report = result?.report;
  return {
    file: path,
    error,
    format: task?.file.format ?? null,
    symbol: task?.instrument.symbol ?? null,
    source: task?.key.source ?? null,
    zone: task?.key.zone ?? null,
    timeframe: task?.timeframe ?? null,
    plan: task === null ? null : toPlanJson(task),
    first_rows: report?.first ?? [],
    already_imported: result?.isKnown ?? false,
    resumed_at_row: result?.resumedAt ?? 0,
    rows: report?.rows ?? 0,
    accepted: report?.accepted ?? 0,
    added: report?.added ?? 0,
    duplicates: report === undefined ? 0 : report.accepted - report.added,
    from: iso(report?.firstMs ?? null),
    to: iso(report?.lastMs ?? null),
    refused: report?.refused ?? {},
    moved: report?.moved ?? 0,
    without_volume: report?.withoutVolume ?? 0,
    gaps: {
      count: report?.gaps.count ?? 0,
      longest: (report?.gaps.longest ?? []).map(({ fromMs, toMs }) => ({ from: iso(fromMs), to: iso(toMs) })),
    },
  };
}

/** How a file is read, and what tells it. */
function toPlanJson({ file, instrument, reasons }: ImportTask) {
  const { text } = file;
  return {
    symbol_reason: reasons.symbol,
    zone_reason: reasons.zone,
    timeframe_reason: reasons.timeframe === "" ? null : reasons.timeframe,
    digits: instrument.digits,
    member: text?.member ?? null,
    encoding: text?.encoding ?? null,
    delimiter: text?.delimiter ?? null,
    decimal: text?.decimal ?? null,
    columns: text?.columns ?? {},
    unused_columns: text?.unused ?? [],
    assumptions: text?.notes ?? [],
  };
}

/** The lines of the plan of one file. */
function formatPlan(task: ImportTask, first: readonly string[]): string[] {
  const { reasons, instrument, file, key, timeframe } = task;
  const { text } = file;
  const lines = [
    `  symbol ${instrument.symbol} (${reasons.symbol}), ${instrument.digits} digits; zone ${key.zone} (${reasons.zone})`,
  ];
  if (timeframe !== null) lines.push(`  timeframe ${timeframe} (${reasons.timeframe})`);
  if (text !== undefined) {
    const columns = Object.entries(text.columns).map(([field, name]) =>
      field === name ? name : `${field} from “${name}”`,
    );
    const unused = text.unused.length === 0 ? "" : `; not read: ${text.unused.join(", ")}`;
    lines.push(`  ${text.encoding}, ${text.delimiter} between fields, ${text.decimal} before decimals`);
    lines.push(`  columns: ${columns.join(", ")}${unused}`, ...text.notes.map((note) => `  assumed: ${note}`));
  }
  return [...lines, ...first.map((row) => `  stored as ${row}`)];
}

/** The lines about one file. */
function formatImport(outcome: FileOutcome, isDryRun: boolean): string {
  const { path, task, result, error } = outcome;
  if (task === null || result === null) return error ?? path;
  const { report, isKnown, resumedAt } = result;
  const kind = task.timeframe === null ? "ticks" : `${task.timeframe} bars`;
  const lines = [
    `${path}: ${task.instrument.symbol} ${kind} from ${task.key.source} (${task.file.format}, ${task.key.zone})`,
  ];
  const notes = task.file.text?.notes ?? [];
  lines.push(...(isDryRun ? formatPlan(task, report.first) : notes.map((note) => `  assumed: ${note}`)));
  if (isKnown) lines.push("  This file is imported already; nothing was changed. Its report was:");
  if (resumedAt > 0) lines.push(`  Continued at row ${formatCount(resumedAt)}, where an earlier import had ended.`);
  const added = isDryRun ? "nothing stored (dry run)" : `${formatCount(report.added)} new`;
  const duplicates = isDryRun ? "" : `, ${formatCount(report.accepted - report.added)} duplicates`;
  lines.push(`  ${formatCount(report.rows)} rows: ${formatCount(report.accepted)} accepted, ${added}${duplicates}`);
  if (report.firstMs !== null && report.lastMs !== null) {
    lines.push(
      `  ${short(report.firstMs)} to ${short(report.lastMs)} UTC, ${formatCount(report.gaps.count)} gaps while the market was open`,
    );
  }
  for (const { fromMs, toMs } of report.gaps.longest) {
    lines.push(`    no rows for ${formatWait(toMs - fromMs)} from ${short(fromMs)}`);
  }
  for (const [reason, { count, samples }] of Object.entries(report.refused)) {
    const verb = reason === "closed_hours" ? "left out" : "refused";
    lines.push(`  ${formatCount(count)} ${verb}: they ${REASONS[reason as RefusedRow]}`);
    for (const { line, row, expected } of samples) {
      lines.push(`    line ${line}: ${row}${expected === undefined ? "" : ` (expected ${expected})`}`);
    }
  }
  if (report.moved > 0)
    lines.push(`  ${formatCount(report.moved)} bars were moved back to the grid of ${task.timeframe ?? ""}`);
  if (report.withoutVolume > 0)
    lines.push(`  ${formatCount(report.withoutVolume)} bars have no volume; it counts as 0`);
  if (error !== null) lines.push(`  NOT IMPORTED WHOLE: ${error}`);
  return lines.join("\n");
}

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

/** The check of the zone of all files of one symbol, source and zone. */
interface SeriesCheck extends ZoneCheck {
  /** Whether the zone was told by an offset of each time. */
  readonly hasOffsets: boolean;
  readonly symbol: string;
  readonly source: string;
  readonly zone: string;
}

function checkSeries(outcomes: readonly FileOutcome[]): SeriesCheck[] {
  const series = new Map<string, { readonly task: ImportTask; readonly reports: ImportReport[] }>();
  for (const { task, result } of outcomes) {
    if (task === null || result === null) continue;
    const key = `${task.key.symbol} ${task.key.source} ${task.key.zone} ${task.file.text?.hasOffsets ?? false}`;
    const known = series.get(key);
    if (known === undefined) series.set(key, { task, reports: [result.report] });
    else known.reports.push(result.report);
  }
  return Array.from(series.values(), ({ task, reports }) => {
    const { symbol, source, zone } = task.key;
    const hasOffsets = task.file.text?.hasOffsets === true && !task.isClock;
    return { symbol, source, zone, hasOffsets, ...checkZone(joinWeekends(reports), task.instrument, zone) };
  });
}

function formatCheck(check: SeriesCheck, isDryRun: boolean): string {
  const { symbol, source, zone, state, weekends, fitting, suggestions } = check;
  const name = `${symbol} from ${source}, times of ${zone}`;
  if (state === "unknown") return `${name}: the zone could not be checked, because no weekly opening is in the files.`;
  const counted = `${name}: ${fitting} of ${weekends} weekly openings and closes fit the market's, Sunday to Friday 17:00 New York`;
  if (state === "fits") return `${counted}.`;
  if (suggestions.length === 0) return `${counted}; no common zone fits better.`;
  const again = isDryRun
    ? ""
    : ` Remove the rows with “import remove --source ${source} --symbol ${symbol}”, then import them again.`;
  if (check.hasOffsets) {
    return `WRONG OFFSET? ${counted}. Each time states its offset, and none is doubted unless you say so: if the vendor labelled server time wrongly, --clock ${suggestions.join(", or ")} fits better.${again}`;
  }
  return `WRONG ZONE? ${counted}. Better fits --zone ${suggestions.join(", or ")}.${again}`;
}
