import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import type { Dataset } from "@/lib/export/dataset";
import { type Format, FORMATS } from "@/lib/export/table";
import { DATA_MODES } from "@/lib/market/bar";
import { SECOND_MS } from "@/lib/time/units";

/** The files of a folder of exports: tables, the manifest, and the lock that keeps a second export out. */

const manifestFile = z.object({
  path: z.string(),
  what: z.string(),
  symbol: z.string().nullable(),
  resolution: z.string(),
  format: z.enum(FORMATS),
  /** "2026-11". */
  month: z.string(),
  /** The file has all rows that begin in this time, the end excluded. */
  from: z.string(),
  to: z.string(),
  /** Whether that is the whole month, and the month is over. */
  complete: z.boolean(),
  rows: z.number(),
  first: z.string(),
  last: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  gaps: z.object({ count: z.number(), seconds: z.number() }).nullable(),
  /** SHA-256 of the rows as they were read, by which the next export finds what changed. */
  content: z.string(),
  /** Absent in files of versions that did not say it. */
  mode: z.enum([...DATA_MODES, "mixed"]).optional(),
  modes: z.array(z.object({ from: z.string(), mode: z.enum(DATA_MODES) })).optional(),
  sources: z.array(z.string()).optional(),
});

export type ManifestFile = z.infer<typeof manifestFile>;

const manifestSchema = z.object({
  /** Spotline's version. */
  spotline: z.string(),
  /** What the latest command exported. */
  export: z.object({
    what: z.array(z.string()),
    resolution: z.string(),
    symbols: z.array(z.string()),
    from: z.string(),
    to: z.string(),
  }),
  rows: z.number(),
  files: z.array(manifestFile),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** Why an export cannot be made in a folder. */
export class ExportRefused extends Error {
  override readonly name = "ExportRefused";
  readonly code = "export_refused";
}

const MANIFEST = "manifest.json";
const LOCK = ".spotline-export.lock";
/** The end of the name of a file that is being written. */
const PART = ".part";
/** Tells the files of a folder apart, whether complete or not. */
export function toKey(file: Pick<ManifestFile, "what" | "symbol" | "resolution" | "format" | "month">): string {
  const { what, symbol, resolution, format, month } = file;
  return [what, symbol ?? "", resolution, format, month].join("/");
}

interface PathParts {
  readonly dataset: Dataset;
  readonly symbol: string | null;
  readonly format: Format;
  readonly month: string;
  readonly complete: boolean;
}

/** "bars/timeframe=M1/symbol=EURUSD/year=2026/month=11/EURUSD-M1-2026-11.parquet". */
export function formatPath({ dataset: { name, resolution }, symbol, format, month, complete }: PathParts): string {
  const [year, number] = month.split("-");
  const isBars = name === "bars";
  const folders = [
    name,
    isBars && `timeframe=${resolution}`,
    symbol !== null && `symbol=${encodeURIComponent(symbol)}`,
  ];
  const file = [symbol, isBars ? resolution : name, month].filter((word) => word !== null).join("-");
  const end = complete ? "" : ".partial";
  return [...folders, `year=${year}`, `month=${number}`, `${file}${end}.${format}`].filter(Boolean).join("/");
}

/** A file that gets its name when it is complete. It is created with its first bytes. */
export class PartFile {
  readonly #target: string;
  readonly #hash: Hash = createHash("sha256");
  #handle: FileHandle | null = null;
  #bytes = 0;

  constructor(target: string) {
    this.#target = target;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#handle === null) {
      await mkdir(path.dirname(this.#target), { recursive: true });
      this.#handle = await open(`${this.#target}${PART}`, "w");
    }
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    for (let at = 0; at < bytes.length;) at += (await this.#handle.write(bytes, at)).bytesWritten;
  }

  async finish(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    await this.#handle?.sync();
    await this.#handle?.close();
    this.#handle = null;
    await rename(`${this.#target}${PART}`, this.#target);
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }

  /** Removes what was written, unless the file is finished. */
  async discard(): Promise<void> {
    if (this.#handle === null) return;
    await this.#handle.close();
    this.#handle = null;
    await rm(`${this.#target}${PART}`, { force: true });
  }
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const target = path.join(folder, MANIFEST);
  await writeFile(`${target}${PART}`, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(`${target}${PART}`, target);
}

/** Whether a file is still as the manifest says. */
export async function isIntact(file: string, { bytes, sha256 }: ManifestFile): Promise<boolean> {
  try {
    if ((await stat(file)).size !== bytes) return false;
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    return hash.digest("hex") === sha256;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

export async function readManifest(folder: string): Promise<readonly ManifestFile[]> {
  let text: string;
  try {
    text = await readFile(path.join(folder, MANIFEST), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = null;
  }
  const read = manifestSchema.safeParse(parsed);
  if (read.success) return read.data.files;
  throw new ExportRefused(`${path.join(folder, MANIFEST)} is no manifest of an export: choose another folder.`);
}

/** Keeps other exports out of the folder. Returns how to let them in again. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = path.join(folder, LOCK);
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: "wx" });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = await readOwner(file);
    if (owner === null || isRunning(owner))
      throw new ExportRefused(`Another process ${owner === null ? "" : `(${owner}) `}is exporting into ${folder}.`);
    // It was killed.
    await rm(file, { force: true });
  }
}

const OPENING_MS = 10 * SECOND_MS;

/** The process that exports into a folder: 0 if there is none, null while it has not said who it is. */
async function readOwner(file: string): Promise<number | null> {
  try {
    const text = await readFile(file, "utf8");
    const isNew = Date.now() - (await stat(file)).mtimeMs < OPENING_MS;
    return text === "" && isNew ? null : Number(text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
