import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Command, formatTable, toIso, UsageError, type Values, withDatabase } from "@/cli/command";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { IMPORT_TIMEFRAMES, STAMPS } from "@/lib/feeds/files/price-rows";
import { rememberImports } from "@/lib/history/import/follow-imports";
import { importAll, readHistoryOptions } from "@/lib/history/import/import-all";
import {
  type GivenOptions,
  type ImportSettings,
  isOptionRefused,
  OPTION_NAMES,
  readImportOptions,
} from "@/lib/history/import/import-options";
import {
  beginCommand,
  claimRun,
  dropIfEmpty,
  endWork,
  holdClaim,
  isRunId,
  type ListedRun,
  listRuns,
  readRun,
} from "@/lib/history/import/import-runs";
import { listImportedSymbols, removeImports } from "@/lib/history/import/imported-hours";
import { type ListedFile, listImportFiles } from "@/lib/history/import/plan-import";
import { type RunClaim } from "@/lib/history/import/run-claim";
import { undoClaimed } from "@/lib/history/import/undo-import";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { loadConfig } from "@/lib/platform/config";
import type { Database } from "@/lib/platform/database/database";
import { describeFault, isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import { formatBytes, formatCount, toNameText } from "@/lib/text/text";
import { formatTimeLeft } from "@/lib/time/duration";
import { DATE_ORDERS } from "@/lib/time/iso-time";
import { SECOND_MS } from "@/lib/time/units";

/** The operator's commands that import the past from files. */

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
      help: "what each field of a row is, like time,bid,ask,-; the default is that of the heading or the schema",
    },
    dates: {
      value: "ORDER",
      help: "whether the day or the month comes first in dates like 01/02/2024",
      choices: DATE_ORDERS,
    },
    decimal: {
      value: "SIGN",
      help: "the sign before decimals; the default is the one that the prices show",
      choices: [".", ","],
    },
    stamps: {
      value: "PLACE",
      help: "whether the time of a bar is its beginning, which is usual, or its end",
      choices: STAMPS,
    },
    align: { value: "", flag: true, help: "move bars that begin off their grid back to it; else they are refused" },
    "as-is": {
      value: "",
      flag: true,
      help: "store prices at a level that the symbol never had, and with more than two digits beyond its own",
    },
    "max-refused": { value: "PERCENT", help: "the share of refused rows from which a file fails; the default is 20" },
    "dry-run": { value: "", flag: true, help: "read the files and print the plan and the report, but store nothing" },
  },
  async run(values) {
    const files = listImportFiles(values.all.map((name) => resolve(process.env.INIT_CWD ?? "", name)));
    if (files.length === 0) throw new UsageError("The folder has no files.");
    const given = readGiven(values);
    const settings = readSettings(given);
    const options = { ...settings, ...(await readHistoryOptions(loadConfig(process.env))) };
    const progress = createProgress(process.stderr, () => performance.now());
    const onProgress: typeof progress.update = (each) => progress.update(each);
    return withDatabase(async (database) => {
      const work = { ...options, onProgress };
      if (values.has("dry-run")) {
        return importAll(database, files, { ...work, isDryRun: true }).finally(() => progress.clear());
      }
      return importAsRun(database, files, given, work).finally(() => progress.clear());
    });
  },
};

/** Imports files as an import that is listed and can be undone. */
async function importAsRun(
  database: Database,
  files: readonly ListedFile[],
  given: GivenOptions,
  options: Omit<Parameters<typeof importAll>[2], "isDryRun">,
) {
  const { pool } = database;
  const described = files.map(describeFile);
  const claim = await beginCommand(pool, described, given);
  const held = holdClaim(pool, claim);
  const startedAtMs = Date.now();
  try {
    const { createServices } = await import("@/cli/services");
    const bytes = described.reduce((sum, file) => sum + file.bytes, 0);
    const facts = { files: files.length, bytes, ...given };
    await createServices(database).importControl.noteCommand(claim.id, facts, OPERATOR_CLI);
    const done = await importAll(database, files, {
      ...options,
      run: claim,
      signal: held.signal,
      isDryRun: false,
      onProgress(progress) {
        held.note({ ...progress, startedAtMs });
        options.onProgress?.(progress);
      },
    });
    await endWork(pool, claim, {
      state: done.failed ? "failed" : "done",
      report: done.json,
      summary: done.summary,
    });
    return await describeRun(database, claim, done);
  } catch (error) {
    await endWork(pool, claim, { state: "failed", error: describeFault(error) }).catch(() => {});
    await dropIfEmpty(pool, claim.id).catch(() => {});
    throw isDatabaseUnavailable(error) ? new Error(INTERRUPTED) : error;
  } finally {
    await held.stop();
  }
}

const INTERRUPTED =
  "The database cannot be reached any more. What was stored of the files stays: run the same command again, and it goes on from there.";

/** The outcome of an import, with its id if it has stored something. */
async function describeRun({ pool }: Database, { id }: RunClaim, done: Awaited<ReturnType<typeof importAll>>) {
  if (await dropIfEmpty(pool, id)) return { ...done, json: { ...done.json, id: null } };
  const text = `${done.text}\nThis import is ${id}: “import undo ${id}” undoes it.`;
  return { ...done, json: { ...done.json, id }, text };
}

function describeFile({ path }: ListedFile) {
  const { size = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return { path, bytes: size, modifiedMs: Math.floor(mtimeMs) };
}

/** The options that the command line names. */
function readGiven(values: Values): GivenOptions {
  const given = OPTION_NAMES.flatMap((name) => {
    const value = values.has(name) ? "yes" : values.optional(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

function readSettings(given: GivenOptions): ImportSettings {
  try {
    return readImportOptions(given);
  } catch (error) {
    throw isOptionRefused(error) ? new UsageError(error.message) : error;
  }
}

const importList: Command = {
  name: "import list",
  summary: "List the newest imports, those of the page and those of the command",
  options: {},
  async run() {
    const runs = await withDatabase(({ pool }) => listRuns(pool));
    const rows = runs.map((run) => [
      run.id,
      toIso(run.begunAtMs)?.slice(0, 16).replace("T", " ") ?? "",
      run.byCommand ? "command line" : (run.account ?? "a removed account"),
      nameState(run),
      run.summary === null || !run.isImported ? "" : `${formatCount(run.summary.added)} new rows`,
      run.fileCount === 1 ? run.firstFile : `${formatCount(run.fileCount)} files, first ${run.firstFile}`,
    ]);
    return {
      json: runs.map((run) => ({
        id: run.id,
        begun_at: toIso(run.begunAtMs),
        account: run.account,
        by_command: run.byCommand,
        state: nameState(run),
        files: run.fileCount,
        first_file: run.firstFile,
        bytes: run.bytes,
        options: run.options,
        accepted: run.summary?.accepted ?? null,
        added: run.summary?.added ?? null,
        error: run.error,
        can_undo: run.canUndo,
      })),
      text: rows.length === 0 ? "Nothing was imported yet." : formatTable(rows),
    };
  },
};

const nameState = ({ state, isInterrupted }: ListedRun) => (isInterrupted ? "interrupted" : state);

const importUndo: Command = {
  name: "import undo",
  summary: "Undo one import: its hours become what they were before it",
  argument: { value: "ID", help: "the id that the import printed; “import list” lists them" },
  options: {},
  async run(values) {
    const id = values.text("argument");
    if (!isRunId(id)) throw new UsageError("ID must be that of an import; “import list” lists them.");
    const options = await readHistoryOptions(loadConfig(process.env));
    const hours = await withDatabase(async (database) => {
      const { createServices } = await import("@/cli/services");
      await createServices(database).importControl.undo(id, OPERATOR_CLI);
      return undoHere(database, id, options);
    });
    return {
      json: { id, hours },
      text:
        hours === null ? `The server has undone ${id}.` : `Undone ${id}: ${formatCount(hours)} hours are as before.`,
    };
  },
};

/** Undoes an import, or waits for the server that does. Resolves with the number of hours; null if it was the server. */
async function undoHere({ pool }: Database, id: string, options: Parameters<typeof undoClaimed>[2]) {
  const claim = { id, worker: crypto.randomUUID() };
  while ((await claimRun(pool, claim)) !== "undoing") {
    const run = await readRun(pool, id);
    if (run?.state === "undone") return null;
    if (run?.state !== "undoing") throw new Error(run?.error ?? "The import could not be undone.");
    await new Promise((done) => setTimeout(done, SECOND_MS / 2));
  }
  const held = holdClaim(pool, claim);
  try {
    return await undoClaimed(pool, claim, options);
  } finally {
    await held.stop();
  }
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
    const { priority, spreadsFromMs, untilMs } = await readHistoryOptions(loadConfig(process.env));
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

export const importCommands: readonly Command[] = [importList, importUndo, importRemove, importCommand];

/** The progress of a long command on standard error: one line that is written over on a terminal, else plain lines. */
interface Progress {
  update(progress: {
    readonly rows: number;
    readonly bytesRead: number;
    readonly bytes: number;
    readonly file: string;
  }): void;
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
    update({ file, rows, bytesRead: done, bytes: total }) {
      firstRows ??= rows;
      const nowMs = now();
      if (nowMs - shownAtMs < (isTerminal ? TERMINAL_MS : LINES_MS)) return;
      shownAtMs = nowMs;
      const seconds = Math.max(0.001, (nowMs - startedAtMs) / 1_000);
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const rate = `${formatCount(Math.round((rows - firstRows) / seconds))} rows/s`;
      const left = share === 0 ? "" : ` · ${formatTimeLeft(((1 - share) / share) * seconds * 1_000)} left`;
      const text = `${Math.floor(share * 100)} % of ${formatBytes(total)} · ${formatCount(rows)} rows · ${rate}${left} · ${toNameText(basename(file))}`;
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
