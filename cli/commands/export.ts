import { once } from "node:events";
import { resolve } from "node:path";
import type { Pool } from "pg";
import { type Command, formatTable, splitList, UsageError, withDatabase } from "@/cli/command";
import { CALENDAR_KINDS, createCalendarDataset } from "@/lib/export/calendar-data";
import { type Dataset, explainEmpty, type Present, readParts, readPresent } from "@/lib/export/dataset";
import { exportFolder, type FileOutcome, type FolderOutcome } from "@/lib/export/export-folder";
import { createModeReader, readRowMarks } from "@/lib/export/file-facts";
import { createPriceDataset } from "@/lib/export/price-data";
import { FORMATS, openTable } from "@/lib/export/table";
import { getBarRetentionDays, getRetentionStart, type RetentionDays } from "@/lib/history/retention";
import { TICK_RESOLUTIONS, type TickResolution } from "@/lib/history/tapes/kept-ticks";
import { instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { CATEGORIES } from "@/lib/market/instrument";
import { isStored, readTimeframe, type StoredTimeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { loadConfig } from "@/lib/platform/config";
import { version } from "@/lib/platform/version";
import { formatBytes, formatCount } from "@/lib/text/text";
import { parseMoment } from "@/lib/time/iso-time";
import { DAY_MS } from "@/lib/time/units";

const KINDS = ["ticks", "bars", "spreads", "quotes", "proofs", "calendar"] as const;
type Kind = (typeof KINDS)[number];

/** What `--out` names for CSV on standard output. */
const STANDARD_OUTPUT = "-";

/** The operator's command that writes the history into files. */
export const exportCommand: Command = {
  name: "export",
  summary: "Export the history as Parquet or CSV files; a server may be running",
  argument: { value: "WHAT", help: `one of ${KINDS.join(", ")}` },
  options: {
    out: {
      value: "FOLDER",
      help: "the folder of the files, or - for CSV on standard output; what it has already is continued",
      required: true,
    },
    symbols: {
      value: "SYMBOLS",
      help: `symbols separated by commas, a category (${CATEGORIES.join(", ")}), or all; all is the default`,
    },
    timeframe: { value: "TIMEFRAME", help: `the length of bars: ${TIMEFRAMES.join(", ")}; the default is H1` },
    resolution: {
      value: "RESOLUTION",
      help: "of ticks: 1s, the default, or tick, which is every tick of each source where SPOTLINE_KEEP_TICKS keeps them",
      choices: TICK_RESOLUTIONS,
    },
    from: {
      value: "TIME",
      help: "like 2026-01-01, 2026-01-01T12:00Z or Unix time; the default is the first stored month",
    },
    to: { value: "TIME", help: "the end, itself not in it; the default is now" },
    format: { value: "FORMAT", help: "the default is parquet, and csv on standard output", choices: FORMATS },
  },
  async run(values) {
    const kind = readKind(values.text("argument"));
    const timeframe = readBarLength(kind, values.optional("timeframe"));
    const resolution = TICK_RESOLUTIONS.find((each) => each === values.optional("resolution"));
    if (resolution !== undefined && kind !== "ticks") throw new UsageError("--resolution is for ticks.");
    const [fromMs, toMs] = [readTime("from", values.optional("from")), readTime("to", values.optional("to"))];
    if (fromMs !== null && toMs !== null && toMs <= fromMs) throw new UsageError("--to must be later than --from.");
    const out = values.text("out");
    const given = FORMATS.find((each) => each === values.optional("format"));
    const isStream = out === STANDARD_OUTPUT;
    if (isStream && given === "parquet") throw new UsageError("Parquet needs a folder: give one with --out.");
    const { keepDays } = loadConfig(process.env);
    return withDatabase(async ({ pool }) => {
      const nowMs = Date.now();
      const datasets = createDatasets(kind, timeframe, resolution);
      const { symbols, areNamed } = await chooseSymbols(pool, kind, values.optional("symbols"), datasets[0] as Dataset);
      const range = { pool, symbols, fromMs, toMs, present: await readPresent(pool, nowMs) };
      if (isStream) {
        const output = new StandardOutput();
        const empty = await streamCsv(datasets[0] as Dataset, output, range).catch((error: unknown) => {
          if (output.isClosed) return [];
          throw error;
        });
        if (output.isClosed) return { json: undefined, text: "" };
        const faults = areNamed || empty.length >= symbols.length ? empty : [];
        for (const reason of faults) process.stderr.write(`NOTHING EXPORTED: ${reason}.\n`);
        return { json: undefined, text: "", failed: faults.length > 0 };
      }
      const folder = resolve(process.env.INIT_CWD ?? "", out);
      const days = getKeptDays(kind, timeframe, keepDays);
      const progress = createProgress();
      const outcome = await exportFolder({
        ...{ ...range, datasets, folder, version },
        format: given ?? "parquet",
        keptFromMs: days === null ? -Infinity : getRetentionStart(days, nowMs),
        onFile: progress.update,
      });
      progress.clear();
      return report(outcome, { folder, areNamed });
    });
  },
};

/** For how many days rows are retained; null if they are never removed. */
function getKeptDays(kind: Kind, timeframe: StoredTimeframe, keepDays: RetentionDays): number | null {
  if (kind === "calendar") return null;
  if (kind === "bars") return getBarRetentionDays(timeframe, keepDays);
  return keepDays[kind === "spreads" ? "spreads" : "ticks"];
}

function readKind(text: string): Kind {
  const kind = KINDS.find((each) => each === text);
  if (kind === undefined) throw new UsageError(`There is no export of “${text}”: it is one of ${KINDS.join(", ")}.`);
  return kind;
}

function readBarLength(kind: Kind, text: string | undefined): StoredTimeframe {
  if (text === undefined) return "H1";
  if (kind !== "bars") throw new UsageError("--timeframe is for bars.");
  const timeframe = readTimeframe(text);
  if (timeframe === undefined || !isStored(timeframe))
    throw new UsageError(`--timeframe must be one of ${TIMEFRAMES.join(", ")}.`);
  return timeframe;
}

function readTime(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const timeMs = parseMoment(text);
  if (timeMs === null) {
    throw new UsageError(`--${option} must be a time like 2026-01-31, 2026-01-31T14:30Z or Unix seconds.`);
  }
  return timeMs;
}

function createDatasets(
  kind: Kind,
  timeframe: StoredTimeframe,
  resolution: TickResolution | undefined,
): readonly Dataset[] {
  if (kind !== "calendar") return [createPriceDataset(kind, { timeframe, resolution })];
  return CALENDAR_KINDS.map((each) => createCalendarDataset(each));
}

interface Chosen {
  readonly symbols: readonly string[];
  /** Whether the operator named each of them. */
  readonly areNamed: boolean;
}

/** The symbols of an export. Of a category, or of all, those of which something is stored. */
async function chooseSymbols(
  pool: Pool,
  kind: Kind,
  given: string | undefined,
  { listSymbols, unstored }: Dataset,
): Promise<Chosen> {
  if (listSymbols === null) {
    if (given !== undefined) throw new UsageError(`--symbols is not for the ${kind}.`);
    return { symbols: [], areNamed: true };
  }
  const stored = await listSymbols(pool);
  const category = CATEGORIES.find((each) => each === given?.toLowerCase());
  if (given === undefined || given === "all" || category !== undefined) {
    const members = new Set(instruments.flatMap((each) => (each.category === category ? each.symbol : [])));
    const symbols = category === undefined ? stored : stored.filter((symbol) => members.has(symbol));
    if (symbols.length === 0) {
      const reason = unstored === undefined ? "" : `: ${unstored}`;
      throw new Error(`No ${kind} ${category === undefined ? "" : `of ${category} `}are stored${reason}.`);
    }
    return { symbols, areNamed: false };
  }
  // A symbol whose instrument was removed still has its history.
  const symbols = splitList(given).map((word) => (stored.includes(word) ? word : resolveSymbol(word)));
  return { symbols: [...new Set(symbols)], areNamed: true };
}

function resolveSymbol(spelling: string): string {
  const read = catalogResolver.resolve(spelling);
  if (read.kind === "found") return read.instrument.symbol;
  const near = read.kind === "ambiguous" ? read.candidates : read.suggestions;
  const hint = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
  throw new UsageError(`The symbol ${spelling} is ${read.kind}.${hint}`);
}

interface StreamOptions {
  readonly pool: Pool;
  readonly symbols: readonly string[];
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly present: Present;
}

/** Writes one table with the rows of one symbol after the other. Returns why there are none of some. */
async function streamCsv(
  dataset: Dataset,
  output: StandardOutput,
  { pool, symbols, present, ...range }: StreamOptions,
): Promise<string[]> {
  const empty: string[] = [];
  const sink = (bytes: Uint8Array) => output.write(bytes);
  let isContinued = false;
  const tables = [];
  for (const symbol of dataset.listSymbols === null ? [null] : symbols) {
    const span = await dataset.findSpan(pool, symbol ?? "");
    const fromMs = Math.max(range.fromMs ?? -Infinity, span?.firstMs ?? Infinity);
    const toMs = Math.min(range.toMs ?? Infinity, (span?.lastMs ?? -Infinity) + DAY_MS);
    const isEmpty = fromMs >= toMs || symbol === null;
    const marked = isEmpty ? [] : await readRowMarks(pool, dataset, { symbol, fromMs, toMs });
    tables.push({ symbol, fromMs, toMs, marked });
  }
  // All rows have the same columns.
  const hasModes = tables.some(({ marked }) => marked.length > 0);
  for (const { symbol, fromMs, toMs, marked } of tables) {
    const readMode = hasModes ? createModeReader(marked) : undefined;
    const table = openTable("csv", { columns: dataset.columns, sink, symbol, about: {}, readMode, isContinued });
    let rows = 0;
    if (fromMs < toMs) {
      for await (const part of readParts(pool, { dataset, symbol, fromMs, toMs, beginMs: fromMs, present })) {
        rows += part.count;
        await table.write(part);
      }
    }
    if (rows === 0) empty.push(await explainEmpty(dataset, symbol, { pool, present, ...range }));
    await table.finish();
    isContinued = true;
  }
  return empty;
}

/** Standard output, at the speed of its reader. */
class StandardOutput {
  #error: NodeJS.ErrnoException | null = null;
  readonly #onError = (error: NodeJS.ErrnoException) => void (this.#error = error);

  constructor() {
    process.stdout.on("error", this.#onError);
  }

  /** Whether the reader has gone, such as `head` after its lines. */
  get isClosed(): boolean {
    return this.#error?.code === "EPIPE";
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#error === null && process.stdout.write(bytes)) return;
    if (this.#error === null) await once(process.stdout, "drain").catch(this.#onError);
    if (this.#error !== null) throw this.#error;
  }
}

interface ReportOptions {
  readonly folder: string;
  readonly areNamed: boolean;
}

function report({ files, empty }: FolderOutcome, { folder, areNamed }: ReportOptions) {
  const present = files.filter(({ state }) => state !== "removed");
  // Most symbols of a category, or of all, may have nothing in a short range.
  const faults = areNamed || present.length === 0 ? empty : [];
  const rows = present.reduce((sum, { file }) => sum + file.rows, 0);
  const bytes = present.reduce((sum, { file }) => sum + file.bytes, 0);
  const count = (state: FileOutcome["state"]) => files.filter((each) => each.state === state).length;
  const lines = [
    `${formatCount(rows)} rows in ${formatCount(present.length)} files (${formatBytes(bytes)}) in ${folder}: ` +
      `${formatCount(count("written"))} written, ${formatCount(count("unchanged"))} unchanged.`,
  ];
  if (count("removed") > 0)
    lines.push(`${formatCount(count("removed"))} files were removed: their rows are no longer stored.`);
  if (count("kept") > 0) {
    lines.push(
      `${formatCount(count("kept"))} files were kept: retention has removed some of their rows from the database.`,
    );
  }
  const partial = present.filter(({ file }) => !file.complete).map(({ file }) => [`  ${file.path}`, `to ${file.to}`]);
  if (partial.length > 0) lines.push("Parts of months:", formatTable(partial.slice(0, 20)));
  if (partial.length > 20) lines.push(`  and ${formatCount(partial.length - 20)} more`);
  lines.push(...faults.map(({ reason }) => `NOTHING EXPORTED: ${reason}.`));
  return {
    json: {
      folder,
      rows,
      bytes,
      files: files.map(({ file: { content: _, ...file }, state }) => ({ ...file, state })),
      empty: faults,
    },
    text: lines.join("\n"),
    failed: faults.length > 0 || present.length === 0,
  };
}

const TERMINAL_MS = 200;

/** One line on a terminal that is written over. */
function createProgress() {
  const { stderr } = process;
  let [shownAtMs, rows, count] = [performance.now(), 0, 0];
  return {
    update({ file }: FileOutcome) {
      rows += file.rows;
      count++;
      if (!stderr.isTTY || performance.now() - shownAtMs < TERMINAL_MS) return;
      shownAtMs = performance.now();
      const line = `${formatCount(count)} files · ${formatCount(rows)} rows · ${file.symbol ?? file.what} ${file.month}`;
      stderr.write(`\r${line.slice(0, (stderr.columns ?? 100) - 1)}\x1b[K`);
    },
    clear() {
      if (stderr.isTTY) stderr.write("\r\x1b[K");
    },
  };
}
