import { resolve } from "node:path";
import { withDatabase } from "@/cli/access";
import { type Command, UsageError } from "@/cli/command";
import { type FileOutcome, formatImport, toImportJson } from "@/cli/import-text";
import { createProgress } from "@/cli/progress";
import { checkSeries, formatCheck } from "@/cli/series-check";
import { findKind } from "@/lib/feeds/kinds";
import { planFeeds } from "@/lib/feeds/set/feed-plan";
import { findConfigFile, loadFeedSettings } from "@/lib/feeds/settings/feed-settings";
import { importFile, type ImportOptions, type ImportResult, type ImportTask } from "@/lib/history/import/import-file";
import { listImportFiles, planImport } from "@/lib/history/import/plan-import";
import { rememberImports } from "@/lib/history/import/remember-imports";
import { listImportedSymbols, removeImports } from "@/lib/history/import/remove-imports";
import { catalogResolver, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { type Config, loadConfig } from "@/lib/platform/config";
import { silentLog } from "@/lib/platform/log/log";
import { monotonicClock } from "@/lib/platform/timing/clock";
import { formatCount } from "@/lib/text/text";
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
    symbol: { value: "SYMBOL", help: "the symbol; the default is the one in the file or its name" },
    "dry-run": { value: "", flag: true, help: "read the files and report, but store nothing" },
  },
  async run(values) {
    const isDryRun = values.has("dry-run");
    const paths = listImportFiles(values.all.map((name) => resolve(process.env.INIT_CWD ?? "", name)));
    if (paths.length === 0) throw new UsageError("The folder has no files.");
    const plan = {
      source: values.optional("source"),
      zone: values.optional("zone"),
      symbol: values.optional("symbol"),
    };
    // All files are recognised before the first is stored, so that an unknown one changes nothing.
    const tasks: ImportTask[] = [];
    for (const path of paths) tasks.push(await planImport(path, plan));
    const options = await readOptions();
    const outcomes = isDryRun
      ? await importAll(tasks, { ...options, pool: null })
      : await withDatabase(async ({ pool }) => {
          const all = await importAll(tasks, { ...options, pool });
          const changed = all.filter(({ result }) => result === null || !result.isKnown);
          await rememberImports(pool, listInstruments(changed), options.untilMs);
          return all;
        });
    return report(outcomes, isDryRun);
  },
};

async function importAll(tasks: readonly ImportTask[], options: ImportOptions): Promise<FileOutcome[]> {
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
      outcomes.push({ path, task, result, error: findFault(result.report) });
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

/** A file of which little can be read has another layout than was recognised. Returns null for a good one. */
function findFault({ rows, accepted, refused }: ImportResult["report"]): string | null {
  const malformed = refused.malformed?.count ?? 0;
  return malformed > accepted ? `${formatCount(malformed)} of ${formatCount(rows)} rows cannot be read` : null;
}

function listInstruments(outcomes: readonly FileOutcome[]): Instrument[] {
  return [...new Set(outcomes.flatMap(({ task }) => (task === null ? [] : [task.instrument])))];
}

function report(outcomes: readonly FileOutcome[], isDryRun: boolean) {
  const failed = outcomes.filter(({ error }) => error !== null);
  const sum = (pick: (report: NonNullable<FileOutcome["result"]>["report"]) => number) =>
    outcomes.reduce((total, { result }) => total + (result === null ? 0 : pick(result.report)), 0);
  const shown = [...failed, ...outcomes.filter(({ error }) => error === null)].slice(0, MAX_FILES_SHOWN);
  const lines = shown.map((outcome) => formatImport(outcome, isDryRun));
  if (outcomes.length > shown.length)
    lines.push(`… and ${formatCount(outcomes.length - shown.length)} more files; --json has all`);
  const checks = checkSeries(outcomes);
  lines.push(...checks.map((check) => formatCheck(check, isDryRun)));
  if (outcomes.length > 1) {
    const counts = `${formatCount(sum(({ accepted }) => accepted))} rows accepted, ${formatCount(sum(({ added }) => added))} new`;
    lines.push(`${formatCount(outcomes.length)} files: ${counts}, ${formatCount(failed.length)} not imported whole`);
  }
  const json = {
    dry_run: isDryRun,
    files: outcomes.map(toImportJson),
    rows: sum(({ rows }) => rows),
    accepted: sum(({ accepted }) => accepted),
    added: sum(({ added }) => added),
    weekly_sessions: checks,
    failed: failed.length,
  };
  return { json, text: lines.join("\n"), failed: failed.length > 0 };
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
        hours[instrument.symbol] = await removeImports(pool, { instrument, source, priority, spreadsFromMs });
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
