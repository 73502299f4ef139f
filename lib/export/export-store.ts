import { createHash } from "node:crypto";
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { isJobId } from "@/lib/export/export-jobs";
import { ExportRefused, type ManifestFile } from "@/lib/export/folder-files";
import { formatBytes } from "@/lib/text/text";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

/**
 * The files of exports on the disk of this machine: a folder for each export, and the closed months that exports share. A
 * shared month is one file with several names, so that it takes its space once, and lasts as long as the last of them.
 */

const FOLDER = "exports";
const JOBS = "jobs";
const MONTHS = "months";
/** The facts of a shared month, beside it. */
const FACTS = ".json";
/** What the database needs meanwhile. */
const RESERVE_BYTES = 512 * 1024 * 1024;
/** A shared month that no export has is kept for so long. */
const UNUSED_MS = 30 * DAY_MS;

const MEASURED_MS = 5 * SECOND_MS;

export class ExportStore {
  readonly #folder: string;
  readonly #budget: number;
  /** What was measured last. There may be many files. */
  #measured: { readonly bytes: Promise<number>; readonly atMs: number } | null = null;

  /** @param budget the bytes that all files together may take */
  constructor(dataDir: string, budget: number) {
    this.#folder = path.resolve(dataDir, FOLDER);
    this.#budget = budget;
  }

  getJobFolder(id: string): string {
    if (!isJobId(id)) throw new RangeError("An export's id is a UUID");
    return path.join(this.#folder, JOBS, id);
  }

  /** The exports of which this machine has a folder. */
  async listJobs(): Promise<string[]> {
    return (await list(path.join(this.#folder, JOBS))).filter(isJobId);
  }

  async removeJob(id: string): Promise<void> {
    await rm(this.getJobFolder(id), { recursive: true, force: true });
    this.#measured = null;
  }

  /** The size of a file of an export; null if this machine does not have it. */
  async findSize(id: string, file: string): Promise<number | null> {
    const found = await stat(path.join(this.getJobFolder(id), file)).catch(() => null);
    return found?.isFile() === true ? found.size : null;
  }

  /** Gives a shared month a further name. Returns its facts; null if there is none with this key. */
  async take(key: string, target: string): Promise<ManifestFile | null> {
    const source = this.#getMonth(key);
    try {
      const facts = JSON.parse(await readFile(source + FACTS, "utf8")) as ManifestFile;
      if ((await stat(source)).size !== facts.bytes) return null;
      await mkdir(path.dirname(target), { recursive: true });
      await rm(target, { force: true });
      await join(source, target);
      const now = new Date();
      await utimes(source + FACTS, now, now);
      return facts;
    } catch (error) {
      // Another process may have removed it meanwhile; a file that is cut short is written again.
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  /** Shares a month that was written. */
  async keep(key: string, file: string, facts: ManifestFile): Promise<void> {
    const target = this.#getMonth(key);
    await mkdir(path.dirname(target), { recursive: true });
    // The facts come last and go first: without them there is no month.
    await rm(target + FACTS, { force: true });
    await rm(target, { force: true });
    await join(file, target);
    await writeFile(`${target}.part`, JSON.stringify(facts));
    await rename(`${target}.part`, target + FACTS);
  }

  #getMonth(key: string): string {
    return path.join(this.#folder, MONTHS, createHash("sha256").update(key).digest("hex"));
  }

  /** Whether there is room for more. Removes shared months that no export has, where that is needed. */
  async makeRoom(): Promise<boolean> {
    if (await this.#hasRoom()) return true;
    await this.#removeUnused(Infinity);
    return this.#hasRoom();
  }

  /** Throws ExportRefused, as a sentence for the caller, if there is no room. */
  async requireRoom(): Promise<void> {
    if (await this.makeRoom()) return;
    if (await this.#isDiskFull()) {
      throw new ExportRefused(
        `The server's disk is almost full: exports leave ${formatBytes(RESERVE_BYTES)} free. Its operator must free some space.`,
      );
    }
    throw new ExportRefused(
      `The server's space for exports, ${formatBytes(this.#budget)}, is used up. Export less, or wait until other exports expire.`,
    );
  }

  /** Removes the shared months that nobody needed for long. */
  removeOld(nowMs: number): Promise<void> {
    return this.#removeUnused(nowMs - UNUSED_MS);
  }

  async #removeUnused(untilMs: number): Promise<void> {
    const folder = path.join(this.#folder, MONTHS);
    for (const name of await list(folder)) {
      if (name.endsWith(FACTS)) continue;
      const file = path.join(folder, name);
      const [data, facts] = await Promise.all([file, file + FACTS].map((each) => stat(each).catch(() => null)));
      if (data == null || data.nlink > 1 || (facts ?? data).mtimeMs > untilMs) continue;
      await rm(file + FACTS, { force: true });
      await rm(file, { force: true });
      this.#measured = null;
    }
  }

  async #hasRoom(): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (await this.#isDiskFull()) return false;
    const nowMs = performance.now();
    if (this.#measured === null || nowMs - this.#measured.atMs >= MEASURED_MS) {
      this.#measured = { bytes: this.#measure(), atMs: nowMs };
    }
    return (await this.#measured.bytes) < this.#budget;
  }

  async #isDiskFull(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize < RESERVE_BYTES;
  }

  /** The bytes of all files. One with several names counts once. */
  async #measure(): Promise<number> {
    const sizes = new Map<number, number>();
    for (const entry of await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
      if (!entry.isFile()) continue;
      // Files may go meanwhile.
      const found = await stat(path.join(entry.parentPath, entry.name)).catch(() => null);
      if (found !== null) sizes.set(found.ino, found.size);
    }
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  }
}

const list = (folder: string) => readdir(folder).catch((): string[] => []);

/** Gives a file a second name; a copy where the disk has no such names. */
async function join(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EMLINK", "EXDEV", "ENOSYS"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw error;
    await copyFile(source, target);
  }
}
