import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "../log/log";
import { DatabaseMisplaced, describeVersion, type Place } from "./place";
import { EMBEDDED_VERSION, EmbeddedDatabaseUnavailable, runAs } from "./programs";

/** Creates the embedded PostgreSQL in its folder, starts it, finds the one that runs there, and stops it. */

/** The files exist, but the database does not start on them. */
class EmbeddedDatabaseUnusable extends Error {
  readonly code = "EMBEDDED_DATABASE_UNUSABLE";
  override readonly name = "EmbeddedDatabaseUnusable";
  constructor(folder: string, reason: string) {
    super(`The embedded database in ${folder} cannot be opened: ${reason}`);
  }
}

/** The process that serves the database. */
export interface Postmaster {
  readonly pid: number;
  readonly settings: pg.PoolConfig;
}

type Settings = Readonly<Record<string, string>>;

const USER = "postgres";
/** The file of the database's folder with its password, for connections over the loopback. */
const PASSWORD_FILE = "password";
const PID_FILE = "postmaster.pid";
const SOCKET = ".s.PGSQL.5432";
const SOCKET_PORT = 5_432;

/**
 * Settings for one program's work on a machine that does other work too. Commits are durable. One process fewer for each
 * kind of helper, and small shared buffers, because the system caches the files too.
 */
const SETTINGS: Settings = {
  shared_buffers: "48MB",
  maintenance_work_mem: "32MB",
  max_connections: "100",
  max_wal_size: "128MB",
  min_wal_size: "32MB",
  checkpoint_timeout: "10min",
  // A backup copies the files while they change.
  wal_level: "replica",
  max_wal_senders: "0",
  max_replication_slots: "4",
  max_logical_replication_workers: "0",
  max_parallel_workers: "0",
  max_parallel_workers_per_gather: "0",
  max_parallel_maintenance_workers: "0",
  autovacuum_max_workers: "2",
  autovacuum_worker_slots: "2",
  io_method: "sync",
  jit: "off",
  huge_pages: "off",
  // The statements of a process that was killed end.
  client_connection_check_interval: "2s",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  // In a log, this is above errors of statements, which their callers handle.
  log_min_messages: "log",
  log_min_error_statement: "panic",
};

const isWindows = process.platform === "win32";
const POLL_MS = 10;
const [LAUNCHES, RELAUNCH_MS] = [20, 250];
const LONGEST_LOG_BYTES = 1_000_000;
const STOP_TIMEOUT_MS = 10_000;
const KILL_TIMEOUT_MS = 5_000;
const SLOW_START_MS = 3_000;

/**
 * Creates an empty database in one step: an interrupted start leaves no incomplete folder. Connections over the loopback
 * need a password; those over the socket none, because only the account of the database can reach it.
 */
export async function createCluster({ folder, programs, account }: Place): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  const password = `${unfinished}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await writeFile(password, randomBytes(24).toString("base64url"), { mode: 0o600 });
  if (account !== null) for (const name of [unfinished, password]) await chown(name, account.uid, account.gid);
  const words = [
    `--pgdata=${unfinished}`,
    `--username=${USER}`,
    `--pwfile=${password}`,
    "--auth-local=trust",
    "--auth-host=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--wal-segsize=4",
    "--no-instructions",
  ];
  try {
    const { code, output } = await run(programs.initdb, words, { ...runAs(account), cwd: unfinished });
    if (code !== 0) throw new EmbeddedDatabaseUnusable(folder, explain(output));
    await rename(password, path.join(unfinished, PASSWORD_FILE));
    await rename(unfinished, folder);
  } finally {
    await rm(password, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

interface StartOptions {
  readonly log: Logger;
  /** The port of the loopback; null for a socket in the folder, see `usesSocket`. */
  readonly port: number | null;
  /** Settings beside those of this module. */
  readonly settings?: Settings;
}

/**
 * Starts the database, or goes on with the one that runs in the folder after its server was killed. Throws
 * EmbeddedDatabaseUnusable, DatabaseMisplaced and EmbeddedDatabaseUnavailable.
 */
export async function startCluster(place: Place, options: StartOptions): Promise<Postmaster> {
  const { log } = options;
  const { folder } = place;
  const running = await findPostmaster(folder);
  if (running !== null) {
    const isKept = await hasOptions(place, { ...options, port: options.port === null ? null : running.port });
    if (isKept && (await becomesReady(folder, () => isAlive(running.pid), log))) {
      log.info({ pid: running.pid }, "the embedded database was running, and is used further");
      return { pid: running.pid, settings: await readSettings(folder) };
    }
    await stopCluster(place, running.pid);
    // It has removed its socket where the folder was when it started.
    if (!isAlive(running.pid)) await removeLeft(folder);
  }
  await requireVersion(folder);
  await chmod(folder, 0o700);
  for (let attempt = 1; ; attempt++) {
    const said = await launchCluster(place, options);
    if (said === null) break;
    // Connections of a database that was killed end a moment after it.
    if (!/shared memory block/.test(said) || attempt === LAUNCHES)
      throw new EmbeddedDatabaseUnusable(folder, explain(said));
    await pause(RELAUNCH_MS);
  }
  return { pid: (await readPidFile(folder))?.pid ?? 0, settings: await readSettings(folder) };
}

/** Returns null once the database is ready, or what it says when it fails. */
async function launchCluster(place: Place, options: StartOptions): Promise<string | null> {
  const output = `${place.folder}.log`;
  const before = statSync(output, { throwIfNoEntry: false })?.size ?? 0;
  const start = before > LONGEST_LOG_BYTES ? 0 : before;
  const { isRunning, readFailure } = launch(place, listOptions(place.folder, options), output, start === 0 ? "w" : "a");
  if (await becomesReady(place.folder, isRunning, options.log)) return null;
  const failure = readFailure();
  if (failure !== null) throw new EmbeddedDatabaseUnavailable(failure.message, failure);
  return readFileSync(output).subarray(start).toString();
}

/** Ends the transactions, and stops the database with all data in its files. */
export async function stopCluster({ folder, programs, account }: Place, pid: number): Promise<void> {
  if (isWindows) {
    await run(programs.pgCtl, ["stop", "-D", folder, "-m", "fast", "-w"], runAs(account));
    return;
  }
  signal(pid, "SIGINT");
  if (!(await waitForEnd(pid, STOP_TIMEOUT_MS))) await killCluster(pid);
}

/** Ends the database without a checkpoint: its next start repeats its log. */
export async function killCluster(pid: number): Promise<void> {
  signal(pid, "SIGQUIT");
  if (await waitForEnd(pid, KILL_TIMEOUT_MS)) return;
  signal(pid, "SIGKILL");
  await waitForEnd(pid, KILL_TIMEOUT_MS);
}

/** Sends a signal to the database, unless it has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

export const isAlive = (pid: number): boolean => exists(pid) && !isZombie(pid);

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A process whose end nobody has read, as in a container without an init. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) === "Z";
  } catch {
    return false;
  }
}

/** How processes of this machine connect to the database that runs in a folder. Rejects if none does. */
export async function readSettings(folder: string): Promise<pg.PoolConfig> {
  const file = await readPidFile(folder);
  if (file === null) throw Object.assign(new Error(`No database runs in ${folder}`), { code: "ECONNREFUSED" });
  const common = { user: USER, database: USER, ssl: false };
  if (file.isLocal) return { ...common, host: folder, port: SOCKET_PORT };
  const password = (await readFile(path.join(folder, PASSWORD_FILE), "utf8")).trim();
  return { ...common, host: "127.0.0.1", port: file.port, password };
}

/** A Unix socket's path holds 107 bytes on Linux and 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = 100;

/**
 * Whether connections use a socket in the folder, and not a port of the loopback. PostgreSQL has no pipes of Windows, and
 * its setting of the folder is a list.
 */
export const usesSocket = (folder: string): boolean =>
  !isWindows && !/[",]/.test(folder) && Buffer.byteLength(path.join(folder, SOCKET)) <= MAX_SOCKET_PATH_BYTES;

function listOptions(folder: string, { port, settings: others = {} }: StartOptions): string[] {
  const reached: Settings =
    port === null
      ? { listen_addresses: "", unix_socket_directories: folder, unix_socket_permissions: "0700" }
      : { listen_addresses: "127.0.0.1", unix_socket_directories: "", port: String(port) };
  const settings = Object.entries({ ...SETTINGS, ...reached, ...others });
  return ["-D", folder, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

/** Whether the database that runs was started with the options of this version, which the file of its options has. */
async function hasOptions({ folder, programs }: Place, options: StartOptions): Promise<boolean> {
  const words = [programs.postgres, ...listOptions(folder, options).map((word) => `"${word}"`)].join(" ");
  const last = await readFile(path.join(folder, "postmaster.opts"), "utf8").catch(() => "");
  return last.trim() === words;
}

/**
 * Starts the program so that it outlives this process: after a kill, the next start has it at once. Signals to the terminal
 * do not reach it, because it must end after the server.
 */
function launch({ folder, programs, account }: Place, words: readonly string[], output: string, flags: string) {
  const file = openSync(output, flags, 0o600);
  const options = words.slice(2).map((word) => `"${word}"`);
  // On Windows, only pg_ctl gives up the rights of an administrator. It ends once the database is ready.
  const control = ["start", "-w", "-t", "600", "-D", folder, "-o", options.join(" ")];
  const child = spawn(isWindows ? programs.pgCtl : programs.postgres, isWindows ? control : words, {
    ...runAs(account),
    cwd: folder,
    detached: true,
    stdio: ["ignore", file, file],
  });
  closeSync(file);
  let failure: Error | null = null;
  child.once("error", (error) => (failure = error));
  child.unref();
  return {
    readFailure: () => failure as Error | null,
    isRunning: () =>
      failure === null && child.signalCode === null && (child.exitCode === null || (isWindows && child.exitCode === 0)),
  };
}

interface PidFile {
  readonly pid: number;
  readonly port: number;
  /** Whether it listens at a socket. */
  readonly isLocal: boolean;
  readonly isReady: boolean;
}

/** The file that PostgreSQL writes while it runs; null without one. */
async function readPidFile(folder: string): Promise<PidFile | null> {
  const text = await readFile(path.join(folder, PID_FILE), "utf8").catch(() => null);
  if (text === null) return null;
  const lines = text.split("\n");
  const isLocal = lines[4]?.trim() !== "";
  return { pid: Number(lines[0]), port: Number(lines[3]), isLocal, isReady: /^(ready|standby)/.test(lines[7] ?? "") };
}

/** The database that runs in a folder; null if none does. */
async function findPostmaster(folder: string): Promise<PidFile | null> {
  const file = await readPidFile(folder);
  if (file === null) return null;
  if (isAlive(file.pid) && isPostmaster(file.pid, folder)) return file;
  if (!exists(file.pid)) return null;
  // The number is another process's by now, or its end was not read: PostgreSQL would take it for one that runs. Where any
  // process may still use the folder the file stays, and PostgreSQL refuses to start.
  if (!mayBePostgres(file.pid) && (await becomesUnused(folder))) await removeLeft(folder);
  return null;
}

/** Removes what names the process of a database that has ended. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of [PID_FILE, SOCKET, `${SOCKET}.lock`]) await rm(path.join(folder, name), { force: true });
}

/** Waits for the processes of a database that was killed, which end a moment after it. Returns whether they have. */
async function becomesUnused(folder: string): Promise<boolean> {
  for (const deadline = performance.now() + KILL_TIMEOUT_MS; performance.now() < deadline; await pause(POLL_MS)) {
    const names = await readdir("/proc").catch(() => []);
    if (!names.some((name) => /^\d+$/.test(name) && worksIn(name, folder))) return true;
  }
  return false;
}

/** Whether a process works in a folder, as all of a database do, wherever the folder was moved since; Linux only. */
function worksIn(pid: number | string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}

const hasProc = existsSync("/proc/self/cwd");

function isPostmaster(pid: number, folder: string): boolean {
  return hasProc ? worksIn(pid, folder) : readCommand(pid).includes(folder);
}

/** Whether a process that does not work in the folder may be its database, for a system that does not say where it works. */
const mayBePostgres = (pid: number): boolean => !hasProc && readCommand(pid).includes("postgres");

function readCommand(pid: number): string {
  try {
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "postgres";
  }
}

/** Returns whether the database is ready before it ends. */
async function becomesReady(folder: string, isRunning: () => boolean, log: Logger): Promise<boolean> {
  const sinceMs = performance.now();
  for (let isSaid = false; ; await pause(POLL_MS)) {
    const file = await readPidFile(folder);
    if (file?.isReady === true && isAlive(file.pid)) return true;
    if (!isRunning()) return false;
    if (isSaid || performance.now() - sinceMs < SLOW_START_MS) continue;
    isSaid = true;
    log.info("the embedded database recovers what was written before it ended");
  }
}

async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await pause(POLL_MS)) {
    if (!isAlive(pid)) return true;
  }
  return !isAlive(pid);
}

async function requireVersion(folder: string): Promise<void> {
  const version = await readFile(path.join(folder, "PG_VERSION"), "utf8").catch((error: Error) => {
    throw new EmbeddedDatabaseUnusable(folder, explain(error.message));
  });
  if (version.trim() !== String(EMBEDDED_VERSION)) throw new DatabaseMisplaced(describeVersion(folder, version.trim()));
}

/**
 * The error of the first connection; EmbeddedDatabaseUnusable where the database says that it has lost a file. It may end
 * and start again meanwhile, so that a connection is only lost.
 */
export function explainLoss(folder: string, error: unknown): unknown {
  const said = `${readFileSync(`${folder}.log`, "utf8").slice(-LONGEST_LOG_BYTES)}\nFATAL: ${(error as Error).message}`;
  const last = said.slice(said.lastIndexOf("starting PostgreSQL"));
  const line = /(?:PANIC|FATAL):\s+(could not (?:open|read|access|find)\b.+|invalid page.+|.+corrupted.*)/.exec(
    last,
  )?.[0];
  return line === undefined ? error : new EmbeddedDatabaseUnusable(folder, explain(line));
}

const RESTORE =
  "If its files are damaged, restore a backup into an empty data folder: npm run -s spotline -- restore FILE";

/** What the output of a program says about its failure, and what to do. */
function explain(output: string): string {
  const line = /(?:FATAL|PANIC|error):\s+(.+)/.exec(output)?.[1] ?? output.trim().split("\n").at(-1) ?? "";
  if (/No space left|could not resize|disk quota/i.test(output)) return `its disk is full (${line}). Free some space.`;
  if (/Read-only file system/i.test(output)) return `its file system is read-only (${line}). Make it writable.`;
  if (/Permission denied|wrong ownership|EACCES/i.test(output)) {
    return `its files are another account's (${line}). Start the server as that account or as root.`;
  }
  if (/could not look up effective user/i.test(output)) {
    return `the account of this process has no name (${line}). Give it an entry in /etc/passwd, or set DATABASE_URL.`;
  }
  return `${line.replace(/\.$/, "")}. ${RESTORE}`;
}

interface Run {
  readonly code: number | null;
  readonly output: string;
}

function run(program: string, words: readonly string[], options: object): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
    child.once("error", (error) => reject(new EmbeddedDatabaseUnavailable(error.message, error)));
    child.once("close", (code) => resolve({ code, output }));
  });
}
