import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { constants, readFileSync, readlinkSync } from "node:fs";
import { access, link, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * One process at a time owns a data folder. Claims are numbered files, `lock.1`, `lock.2`, …, and the highest one
 * counts. A process claims the folder by creating the next file. Creating an existing file fails, so only one of two
 * processes that find a stale claim after a crash can win. The highest file is never removed, only marked as released:
 * otherwise a slow process could claim a number that is already over.
 */

/** Other commands wait for a command, because it ends soon; they do not wait for a server. */
export type Role = "server" | "command";

interface Claim {
  owner: ProcessIdentity;
  role: Role;
  isReleased: boolean;
}

export interface DataFolder {
  /** Releases the folder. Safe to call twice. */
  release(): Promise<void>;
}

export class DataFolderInUse extends Error {
  readonly code = "DATA_FOLDER_IN_USE";
  constructor(
    readonly dataDir: string,
    readonly pid: number,
    readonly role: Role,
  ) {
    const owner = role === "server" ? "another server" : "a command";
    super(
      `The data folder ${dataDir} is in use by ${owner} (process ${pid}): stop it first, or choose another folder.`,
    );
    this.name = "DataFolderInUse";
  }
}

class DataFolderUnusable extends Error {
  readonly code = "DATA_FOLDER_UNUSABLE";
  constructor(folder: string, cause: unknown) {
    const isFull = getErrorCode(cause) === "ENOSPC";
    const advice = isFull ? "Free some space on its disk, or set" : "Set";
    super(
      `The data folder ${folder} cannot be used: ${(cause as Error).message}. ${advice} SPOTLINE_DATA_DIR to another.`,
      { cause },
    );
    this.name = "DataFolderUnusable";
  }
}

/** The file with the copied hashes of the audit log. */
export const AUDIT_HASHES_FILE = "audit-hashes";
/** The file with the copied heads of the history. */
export const HISTORY_HEADS_FILE = "history-heads";

const HEARTBEAT_MS = 5_000;
/** Only for an owner whose process cannot be looked up, such as one in another container. */
const PRESUMED_DEAD_AFTER_MS = 20_000;
const COMMAND_WAIT_MS = 10_000;
const COMMAND_POLL_MS = 50;

/**
 * Creates the folder (readable by its owner only) if it does not exist, and claims it until released or until this
 * process ends in any way. Waits for a command to finish; throws DataFolderInUse if a server owns the folder.
 */
export async function claimDataFolder(dataDir: string, role: Role): Promise<DataFolder> {
  const folder = path.resolve(dataDir);
  await createFolder(folder).catch((error: unknown) => {
    throw new DataFolderUnusable(folder, error);
  });
  const deadline = Date.now() + COMMAND_WAIT_MS;
  try {
    for (;;) {
      const number = await tryToClaim(folder, { owner: ownIdentity(), role, isReleased: false });
      if (typeof number === "number") return holdClaim(folder, number, role);
      if (number.role === "server" || Date.now() > deadline) throw number;
      await new Promise((resolve) => setTimeout(resolve, COMMAND_POLL_MS));
    }
  } catch (error) {
    throw error instanceof DataFolderInUse ? error : new DataFolderUnusable(folder, error);
  }
}

/**
 * Creates a folder, and those above it, unless it exists. Node's own recursive `mkdir` never ends under `/proc`, where
 * a folder that does not exist cannot be created either.
 */
async function createFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: unknown) => {
    if (getErrorCode(error) !== "ENOENT") throw error;
    return null;
  });
  if (found === null) {
    await createFolder(path.dirname(folder));
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (getErrorCode(error) !== "EEXIST") throw error;
    });
  } else if (!found.isDirectory()) throw new Error("it is a file");
  else await access(folder, constants.W_OK);
}

function holdClaim(folder: string, number: number, role: Role): DataFolder {
  const file = getClaimPath(folder, number);
  const heartbeat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), HEARTBEAT_MS);
  heartbeat.unref();
  let released: Promise<void> | null = null;
  const release = async () => {
    clearInterval(heartbeat);
    const draft = await writeDraft(folder, { owner: ownIdentity(), role, isReleased: true });
    await rename(draft, file);
  };
  return { release: () => (released ??= release()) };
}

/** Creates the next claim and returns its number, or the error with the folder's owner. */
async function tryToClaim(folder: string, claim: Claim): Promise<number | DataFolderInUse> {
  // Written when it is needed: a command that finds a running server needs no space on the disk.
  let draft: string | null = null;
  try {
    for (;;) {
      const last = Math.max(0, ...(await listClaimNumbers(folder)));
      const previous = await readClaim(folder, last);
      if (previous === "gone") continue;
      if (previous !== null && (await isHeld(folder, last, previous))) {
        return new DataFolderInUse(folder, previous.owner.pid, previous.role);
      }
      const mine = last + 1;
      draft ??= await writeDraft(folder, claim);
      if (!(await createFrom(draft, getClaimPath(folder, mine)))) continue;
      const numbers = await listClaimNumbers(folder);
      if (Math.max(...numbers) > mine) {
        await rm(getClaimPath(folder, mine), { force: true });
        continue;
      }
      for (const number of numbers) if (number < mine) await rm(getClaimPath(folder, number), { force: true });
      return mine;
    }
  } finally {
    if (draft !== null) await rm(draft, { force: true });
  }
}

async function isHeld(folder: string, number: number, claim: Claim): Promise<boolean> {
  if (claim.isReleased) return false;
  const running = isRunning(claim.owner);
  if (running !== "unknown") return running;
  const touched = await stat(getClaimPath(folder, number)).catch(() => null);
  return touched !== null && Date.now() - touched.mtimeMs < PRESUMED_DEAD_AFTER_MS;
}

const getClaimPath = (folder: string, number: number) => path.join(folder, `lock.${number}`);

async function listClaimNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => (/^lock\.\d+$/.test(name) ? [Number(name.slice(5))] : []));
}

/** The claim of that number; null if it cannot be read, as after a power cut, "gone" if the file was removed. */
async function readClaim(folder: string, number: number): Promise<Claim | null | "gone"> {
  if (number === 0) return null;
  try {
    const claim = JSON.parse(await readFile(getClaimPath(folder, number), "utf8")) as Claim & {
      socketDir?: string | null;
    };
    // Version 0.2.0 wrote the folder of a socket, and null once it was released.
    return { ...claim, isReleased: claim.isReleased ?? claim.socketDir === null };
  } catch (error) {
    return getErrorCode(error) === "ENOENT" ? "gone" : null;
  }
}

/** Claims are written to another file first, so that no process reads an incomplete one. */
async function writeDraft(folder: string, claim: Claim): Promise<string> {
  const draft = path.join(folder, `.claim-${randomUUID()}`);
  try {
    await writeFile(draft, `${JSON.stringify(claim)}\n`, { mode: 0o600 });
    return draft;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function createFrom(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (getErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

const getErrorCode = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** A process, distinguishable from a later one with the same number. */
export interface ProcessIdentity {
  pid: number;
  /** Its start time in the system's format; only compared for equality. */
  started: string;
  /**
   * Process numbers are only unique in their namespace: two containers may share a folder, and both have a process 1.
   */
  namespace: string;
}

/** Windows has neither /proc nor ps. */
const UNKNOWN_START = "unknown";

export const ownIdentity = (): ProcessIdentity => ({
  pid: process.pid,
  started: readStart(process.pid) ?? UNKNOWN_START,
  namespace: readProcessNamespace(),
});

/**
 * Whether that process still runs; "unknown" if it belongs to another namespace, or if a process has its number and
 * nothing tells whether it is the same one.
 */
export function isRunning(identity: ProcessIdentity): boolean | "unknown" {
  if (identity.namespace !== readProcessNamespace()) return "unknown";
  if (identity.started === UNKNOWN_START) return isInUse(identity.pid) ? "unknown" : false;
  return readStart(identity.pid) === identity.started;
}

/** Whether any process has this number. */
function isInUse(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function readStart(pid: number): string | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat !== null) {
    // The name in parentheses may contain spaces, so fields are counted after it. State is field 3 of proc(5), start
    // time field 22.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const isDead = fields[0] === "Z" || fields[0] === "X";
    return isDead ? null : (fields[19] ?? null);
  }
  if (readOrNull("/proc/self/stat") !== null) return null;
  try {
    const started = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C" },
    });
    return started.trim() || null;
  } catch {
    return null;
  }
}

/** Start times are counted from boot, so they are only comparable within the same boot. */
function readProcessNamespace(): string {
  const boot = readOrNull("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  try {
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return boot;
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
