import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Pool } from "pg";
import {
  cutToSpan,
  type Dataset,
  explainEmpty,
  formatMoment,
  getReadableEnd,
  getTimes,
  type Present,
  readParts,
  readPartsTogether,
} from "@/lib/export/dataset";
import type { ExportStore } from "@/lib/export/export-store";
import { createModeReader, FactList, type FileFacts, readRowMarks } from "@/lib/export/file-facts";
import {
  ExportRefused,
  formatPath,
  isIntact,
  lockFolder,
  type Manifest,
  type ManifestFile,
  PartFile,
  readManifest,
  toKey,
  writeManifest,
} from "@/lib/export/folder-files";
import { createGapCounter, type GapCounter } from "@/lib/export/gap-counter";
import { type Format, openTable, type Rows, type TableWriter, toDigestInput } from "@/lib/export/table";
import type { MarkedSpan } from "@/lib/history/origins";

/**
 * Exports into a folder: a file for each symbol and UTC month, and a manifest of all files. A file has its final name only
 * when it is complete. An export that was interrupted is continued by the next one, which writes only what changed.
 */

export interface FolderOptions {
  readonly pool: Pool;
  readonly datasets: readonly Dataset[];
  /** The symbols of each dataset that has some. */
  readonly symbols: readonly string[];
  /** UTC milliseconds; null for the month of the first stored row, and for the last one. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly format: Format;
  readonly folder: string;
  readonly present: Present;
  /** Rows before are removed by retention, unless they were imported: UTC milliseconds. */
  readonly keptFromMs: number;
  readonly version: string;
  readonly onFile?: (file: FileOutcome) => void;
  /** Called with the number of months that may have rows, before the first is written. */
  readonly onPlan?: (months: number) => void;
  /** Called before bytes are written; may throw. */
  readonly onBytes?: (count: number) => void;
  readonly signal?: AbortSignal;
  /** Closed months that other exports have written. */
  readonly shared?: Pick<ExportStore, "take" | "keep">;
}

/** `kept`: retention has removed rows that the file still has. */
type FileState = "written" | "unchanged" | "kept" | "removed";

export interface FileOutcome {
  readonly file: ManifestFile;
  readonly state: FileState;
}

export interface FolderOutcome {
  readonly files: readonly FileOutcome[];
  /** What has no row in the range, and what is stored of it instead. */
  readonly empty: readonly { readonly what: string; readonly symbol: string | null; readonly reason: string }[];
}

/** Rejects with ExportRefused if the folder is in use, or has something else. */
export async function exportFolder(options: FolderOptions): Promise<FolderOutcome> {
  await mkdir(options.folder, { recursive: true });
  const release = await lockFolder(options.folder);
  try {
    return await new FolderExport(options, await readManifest(options.folder)).run();
  } finally {
    await release();
  }
}

/** The manifest of thousands of files is not written after each of them. What it lacks is written again. */
const MANIFEST_MS = 2_000;

interface MonthTask {
  readonly dataset: Dataset;
  readonly symbol: string | null;
  readonly startMs: number;
  readonly endMs: number;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A month of a symbol, and what the folder has of it. */
interface Month extends MonthTask {
  readonly key: string;
  readonly stored: ManifestFile | undefined;
  readonly span: Span;
  readonly complete: boolean;
  readonly target: string;
  /** The times whose rows are not live. */
  readonly marked: readonly MarkedSpan[];
}

class FolderExport {
  readonly #options: FolderOptions;
  readonly #files: Map<string, ManifestFile>;
  #savedAtMs = performance.now();

  constructor(options: FolderOptions, stored: readonly ManifestFile[]) {
    this.#options = options;
    this.#files = new Map(stored.map((file) => [toKey(file), file]));
  }

  async run(): Promise<FolderOutcome> {
    const { datasets, symbols } = this.#options;
    const files: FileOutcome[] = [];
    const empty: { what: string; symbol: string | null; reason: string }[] = [];
    const planned = new Map<Dataset, readonly (readonly MonthTask[])[]>();
    for (const dataset of datasets) {
      planned.set(dataset, await this.#listGroups(dataset, dataset.listSymbols === null ? [null] : symbols));
    }
    this.#options.onPlan?.([...planned.values()].flat(2).length);
    for (const [dataset, groups] of planned) {
      const rows = new Map<string | null, number>(
        (dataset.listSymbols === null ? [null] : symbols).map((symbol) => [symbol, 0]),
      );
      for (const tasks of groups) {
        for (const outcome of await this.#exportMonths(dataset, tasks)) {
          const { file, state } = outcome;
          if (state !== "removed") rows.set(file.symbol, (rows.get(file.symbol) ?? 0) + file.rows);
          files.push(outcome);
          this.#options.onFile?.(outcome);
        }
        if (performance.now() - this.#savedAtMs >= MANIFEST_MS) await this.#save();
      }
      for (const [symbol, count] of rows) {
        if (count > 0) continue;
        empty.push({ what: dataset.name, symbol, reason: await explainEmpty(dataset, symbol, this.#options) });
      }
    }
    await this.#save();
    return { files, empty };
  }

  /** The months that are read together: one of one symbol, or the same month of several symbols. */
  async #listGroups(dataset: Dataset, symbols: readonly (string | null)[]): Promise<MonthTask[][]> {
    const most = dataset.together?.most ?? 1;
    const groups: MonthTask[][] = [];
    for (let at = 0; at < symbols.length; at += most) {
      const tasks: MonthTask[] = [];
      for (const symbol of symbols.slice(at, at + most)) tasks.push(...(await this.#listMonths(dataset, symbol)));
      const starts = new Set(tasks.map(({ startMs }) => startMs).sort((a, b) => a - b));
      for (const startMs of starts) groups.push(tasks.filter((task) => task.startMs === startMs));
    }
    return groups;
  }

  /** The months of the range in which something may be stored. */
  async #listMonths(dataset: Dataset, symbol: string | null): Promise<MonthTask[]> {
    const { pool, fromMs, toMs, present } = this.#options;
    const span = await dataset.findSpan(pool, symbol ?? "");
    const stored = [...this.#files.values()].filter(
      (file) => file.what === dataset.name && file.symbol === symbol && file.resolution === dataset.resolution,
    );
    // Months of the folder are visited as well: their rows may be gone.
    const known = stored.map(({ month }) => Date.parse(`${month}-01T00:00Z`));
    if (span === null && known.length === 0) return [];
    const firstMs = Math.min(span?.firstMs ?? Infinity, ...known);
    const lastMs = Math.max(span?.lastMs ?? -Infinity, ...known);
    const untilMs = Math.min(toMs ?? Infinity, getReadableEnd(dataset, present), getMonthEnd(lastMs));
    const tasks: MonthTask[] = [];
    for (let startMs = getMonthStart(Math.max(fromMs ?? -Infinity, firstMs)); startMs < untilMs;) {
      const endMs = getMonthEnd(startMs);
      tasks.push({ dataset, symbol, startMs, endMs });
      startMs = endMs;
    }
    return tasks;
  }

  /** Exports a month of some symbols. */
  async #exportMonths(dataset: Dataset, tasks: readonly MonthTask[]): Promise<FileOutcome[]> {
    const outcomes: FileOutcome[] = [];
    const [known, rest]: [Month[], Month[]] = [[], []];
    for (const task of tasks) {
      const month = await this.#describe(task);
      const { stored } = month;
      const isKnown = stored !== undefined && (await isIntact(path.join(this.#options.folder, stored.path), stored));
      (isKnown ? known : rest).push(month);
    }
    const checked = known.map((month) => new Pass(month, null));
    await this.#passRows(dataset, checked);
    for (const pass of checked) {
      const outcome = await this.#compare(pass);
      if (outcome === null) rest.push(pass.month);
      else outcomes.push(outcome);
    }
    const passes: Pass[] = [];
    const keys = new Map<Pass, string | null>();
    for (const month of rest) {
      const key = await this.#getSharedKey(month);
      const outcome = key === null ? null : await this.#takeShared(month, key);
      if (outcome !== null) outcomes.push(outcome);
      else {
        const pass = new Pass(month, this.#openFile(month));
        passes.push(pass);
        keys.set(pass, key);
      }
    }
    try {
      await this.#passRows(dataset, passes);
      for (const pass of passes) {
        const outcome = await this.#finish(pass);
        if (outcome === null) continue;
        outcomes.push(outcome);
        const key = keys.get(pass) ?? null;
        // Rows that changed while they were read belong to no key.
        if (key !== null && outcome.state === "written" && key === (await this.#getSharedKey(pass.month)))
          await this.#options.shared?.keep(key, path.join(this.#options.folder, outcome.file.path), outcome.file);
      }
    } finally {
      for (const { output } of passes) await output?.file.discard();
    }
    return outcomes;
  }

  async #describe(task: MonthTask): Promise<Month> {
    const { dataset, symbol, startMs, endMs } = task;
    const { pool, format, present } = this.#options;
    const month = formatMonth(startMs);
    const key = toKey({ what: dataset.name, symbol, resolution: dataset.resolution, format, month });
    const stored = this.#files.get(key);
    const span = this.#findSpan(task, stored);
    const isWhole = span.fromMs === startMs && span.toMs === endMs;
    const monthClosedMs = dataset.getEnd(endMs - 1);
    const isOver = (dataset.reaches === "future" ? present.settledUntilMs : present.closedUntilMs) >= monthClosedMs;
    const complete = isWhole && isOver;
    const target = formatPath({ dataset, symbol, format, month, complete });
    const marked = await readRowMarks(pool, dataset, { symbol, ...span });
    return { ...task, key, stored, span, complete, target, marked };
  }

  /** What tells a closed month apart; null for one that is not shared. */
  async #getSharedKey({ dataset, symbol, startMs, endMs, complete, target, marked }: Month): Promise<string | null> {
    const { pool, shared } = this.#options;
    if (shared === undefined || !complete || dataset.fingerprint === undefined) return null;
    const rows = await dataset.fingerprint(pool, symbol ?? "", { fromMs: startMs, toMs: endMs });
    return JSON.stringify([target, dataset.columns.map(({ name, type }) => [name, type]), rows, marked]);
  }

  async #takeShared({ key, target }: Month, sharedKey: string): Promise<FileOutcome | null> {
    const { folder, shared } = this.#options;
    const facts = (await shared?.take(sharedKey, path.join(folder, target))) ?? null;
    if (facts === null) return null;
    this.#files.set(key, facts);
    return { file: facts, state: "written" };
  }

  /** What becomes of a file that is as the manifest says; null if it has to be written again. */
  async #compare(pass: Pass): Promise<FileOutcome | null> {
    const { key, stored, target, startMs } = pass.month;
    if (stored === undefined) return null;
    if (pass.rows < stored.rows && startMs < this.#options.keptFromMs) return { file: stored, state: "kept" };
    const isSame = pass.content === stored.content && target === stored.path && hasFacts(stored, pass.facts.build());
    if (isSame) return this.#enter(pass, stored, "unchanged");
    return pass.rows === 0 ? this.#remove(key, stored) : null;
  }

  #openFile({ dataset, symbol, startMs, target, marked }: Month): Output {
    const { folder, format } = this.#options;
    const file = new PartFile(path.join(folder, target));
    const table = openTable(format, {
      columns: dataset.columns,
      sink: (bytes) => {
        this.#options.onBytes?.(bytes.length);
        return file.write(bytes);
      },
      symbol,
      readMode: symbol === null || marked.length === 0 ? undefined : createModeReader(marked),
      about: { what: dataset.name, resolution: dataset.resolution, month: formatMonth(startMs) },
    });
    return { file, table };
  }

  async #finish(pass: Pass): Promise<FileOutcome | null> {
    const { key, stored } = pass.month;
    if (pass.rows === 0) return stored === undefined ? null : this.#remove(key, stored);
    const { file, table } = pass.output as Output;
    await table.finish(pass.facts.build());
    return this.#enter(pass, await file.finish(), "written");
  }

  async #enter(pass: Pass, written: Pick<ManifestFile, "bytes" | "sha256">, state: FileState): Promise<FileOutcome> {
    const { dataset, symbol, startMs, span, key, stored, complete, target } = pass.month;
    const file: ManifestFile = {
      ...{ path: target, what: dataset.name, symbol, resolution: dataset.resolution },
      ...{ format: this.#options.format, month: formatMonth(startMs) },
      ...{ from: formatMoment(span.fromMs), to: formatMoment(span.toMs), complete, rows: pass.rows },
      ...{ first: formatMoment(pass.firstMs), last: formatMoment(pass.lastMs) },
      ...{ bytes: written.bytes, sha256: written.sha256, gaps: pass.countGaps(), content: pass.content },
      ...pass.facts.build(),
    };
    this.#files.set(key, file);
    if (stored !== undefined && stored.path !== target)
      await rm(path.join(this.#options.folder, stored.path), { force: true });
    return { file, state };
  }

  /** The time of a month that its file is to have: that of the range, with what the file has already. */
  #findSpan({ dataset, symbol, startMs, endMs }: MonthTask, stored: ManifestFile | undefined): Span {
    const { fromMs, toMs, present } = this.#options;
    const span = {
      fromMs: Math.max(startMs, fromMs ?? startMs),
      toMs: Math.min(endMs, toMs ?? endMs, getReadableEnd(dataset, present)),
    };
    if (stored === undefined) return span;
    const before = { fromMs: Date.parse(stored.from), toMs: Date.parse(stored.to) };
    if (span.fromMs > before.toMs || span.toMs < before.fromMs) {
      throw new ExportRefused(
        `${stored.path} has ${symbol ?? dataset.name} from ${stored.from} to ${stored.to}, and a file has no gap: ` +
          "choose another folder, or a range that adjoins that time.",
      );
    }
    return { fromMs: Math.min(span.fromMs, before.fromMs), toMs: Math.max(span.toMs, before.toMs) };
  }

  /** Reads the rows of months of the same time. Parts begin at the same times in each export, because they are row groups. */
  async #passRows(dataset: Dataset, passes: readonly Pass[]): Promise<void> {
    const { pool, present, signal } = this.#options;
    const [first] = passes;
    if (first === undefined) return;
    const beginMs = first.month.startMs;
    const { together } = dataset;
    if (together === undefined) {
      const { symbol, span } = first.month;
      for await (const part of readParts(pool, { dataset, symbol, ...span, beginMs, present })) {
        signal?.throwIfAborted();
        await first.add(part);
      }
      return;
    }
    const bySymbol = new Map(passes.map((pass) => [pass.month.symbol ?? "", pass]));
    const symbols = [...bySymbol.keys()];
    const fromMs = Math.min(...passes.map(({ month }) => month.span.fromMs));
    const toMs = Math.max(...passes.map(({ month }) => month.span.toMs));
    const options = { dataset, together, symbols, fromMs, toMs, beginMs, present };
    for await (const parts of readPartsTogether(pool, options)) {
      signal?.throwIfAborted();
      for (const [symbol, part] of parts) await bySymbol.get(symbol)?.add(part);
    }
  }

  async #remove(key: string, stored: ManifestFile): Promise<FileOutcome> {
    this.#files.delete(key);
    await rm(path.join(this.#options.folder, stored.path), { force: true });
    return { file: stored, state: "removed" };
  }

  async #save(): Promise<void> {
    const { datasets, symbols, version, folder, fromMs, toMs } = this.#options;
    const files = [...this.#files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    const starts = files.map(({ from }) => from).sort();
    const ends = files.map(({ to }) => to).sort();
    const manifest: Manifest = {
      spotline: version,
      export: {
        what: datasets.map(({ name }) => name),
        resolution: datasets[0]?.resolution ?? "",
        symbols: [...symbols],
        from: fromMs === null ? (starts[0] ?? "") : formatMoment(fromMs),
        to: toMs === null ? (ends.at(-1) ?? "") : formatMoment(toMs),
      },
      rows: files.reduce((sum, file) => sum + file.rows, 0),
      files,
    };
    await writeManifest(folder, manifest);
    this.#savedAtMs = performance.now();
  }
}

/** Where the rows of a month are written. */
interface Output {
  readonly file: PartFile;
  readonly table: TableWriter;
}

/** A pass over the rows of a month. */
class Pass {
  readonly month: Month;
  /** Null where the rows are only compared. */
  readonly output: Output | null;
  readonly #digest = createHash("sha256");
  readonly #gaps: GapCounter | null;
  readonly facts: FactList;
  #content: string | null = null;
  rows = 0;
  firstMs = NaN;
  lastMs = NaN;

  constructor(month: Month, output: Output | null) {
    this.month = month;
    this.output = output;
    this.#gaps = createGapCounter(month.dataset, month.symbol, month.span);
    this.facts = new FactList(month.dataset, month.marked);
  }

  async add(given: Rows): Promise<void> {
    const { dataset, span } = this.month;
    const part = cutToSpan(dataset, given, span.fromMs, span.toMs);
    if (part.count === 0) return;
    this.#digest.update(toDigestInput(part));
    this.facts.add(part);
    const times = getTimes(dataset, part);
    for (const timeMs of times) this.#gaps?.add(timeMs, dataset.getEnd(timeMs));
    if (this.rows === 0) this.firstMs = times[0] as number;
    this.lastMs = times[times.length - 1] as number;
    this.rows += part.count;
    await this.output?.table.write(part);
  }

  /** SHA-256 of the rows, after the last part. */
  get content(): string {
    return (this.#content ??= this.#digest.digest("hex"));
  }

  /** After the last part, once. */
  countGaps(): ManifestFile["gaps"] {
    return this.#gaps?.finish() ?? null;
  }
}

const hasFacts = ({ mode, modes, sources }: ManifestFile, facts: FileFacts) =>
  JSON.stringify([mode, modes, sources]) === JSON.stringify([facts.mode, facts.modes, facts.sources]);

const formatMonth = (startMs: number) => new Date(startMs).toISOString().slice(0, 7);

const getMonthStart = (ms: number) => {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
};
const getMonthEnd = (ms: number) => {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
};
