import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { chmod, chown, cp, lchown, mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "../log/log";
import {
  type Account,
  canEnter,
  canRun,
  chooseAccount,
  copyPrograms,
  EMBEDDED_VERSION,
  findPrograms,
  isRoot,
  type Programs,
} from "./programs";

/**
 * Where the embedded database of a data folder is: in the folder, or in a place of its own below `SHARED` where the server
 * runs as root and the account of the database cannot reach the folder, for example below a home that only root can enter.
 * A file in the data folder then names the place, and a file in the place names the data folder.
 */

const SHARED = "/var/lib/spotline";
/** The folder of the database, named after the version that can open it. */
export const DATABASE_FOLDER = `pg${EMBEDDED_VERSION}`;
/** The folder of the database of Spotline 0.2.0. */
export const OLD_DATABASE_FOLDER = "postgres";
/** The file of a data folder that names the place of its database. */
export const PLACE_FILE = "database-place";
/** The file of a place that names its data folder. */
const OWNER_FILE = "data-folder";

export interface Place {
  /** The folder of the database. It may not exist yet. */
  readonly folder: string;
  readonly programs: Programs;
  /** Runs the database. Null: the account of this process. */
  readonly account: Account | null;
}

/** The data folder is not one whose database can be opened. The message says what to do. */
export class DatabaseMisplaced extends Error {
  readonly code = "DATABASE_MISPLACED";
  override readonly name = "DatabaseMisplaced";
}

/** Returns the folder of the embedded database of a data folder, whether or not it exists. */
export async function findDatabaseFolder(dataDir: string): Promise<string> {
  const place = await readLine(path.join(dataDir, PLACE_FILE));
  return path.join(place ?? path.resolve(dataDir), DATABASE_FOLDER);
}

/**
 * Chooses the place of the database of a data folder that this process has claimed, and gives it to the account that
 * runs it. Throws DatabaseMisplaced and EmbeddedDatabaseUnavailable.
 */
export async function preparePlace(dataDir: string, log: Logger, shared = SHARED): Promise<Place> {
  const folder = await findDatabaseFolder(dataDir);
  await requireOwn(dataDir, folder);
  const programs = await findPrograms();
  const account = chooseAccount([folder, dataDir]);
  if (account === null) return { folder, programs, account };
  if (!(await letEnter(account, path.dirname(folder)))) {
    return moveToShared(dataDir, folder, { programs, account, shared, log });
  }
  await give(folder, account);
  return { folder, programs: await findRunnable(programs, account, shared), account };
}

async function findRunnable(programs: Programs, account: Account, shared: string): Promise<Programs> {
  return canRun(account, programs.postgres) ? programs : copyPrograms(programs, path.join(shared, "programs"));
}

/** Lets the account of the database enter a data folder, where that is possible. */
export async function letDatabaseIn(dataDir: string): Promise<void> {
  const account = chooseAccount([dataDir]);
  if (account !== null) await letEnter(account, dataDir);
}

/** Lets the account enter a folder that only its owner can enter. Returns whether it reaches it then. */
async function letEnter(account: Account, folder: string): Promise<boolean> {
  if (canEnter(account, folder)) return true;
  const before = statSync(folder);
  await chown(folder, before.uid, account.gid);
  await chmod(folder, (before.mode & 0o777) | 0o010);
  if (canEnter(account, folder)) return true;
  await chown(folder, before.uid, before.gid);
  await chmod(folder, before.mode & 0o777);
  return false;
}

/** Gives a database to its account that root restored or copied. */
async function give(folder: string, { uid, gid }: Account): Promise<void> {
  if (!existsSync(folder) || statSync(folder).uid === uid) return;
  const names = await readdir(folder, { recursive: true });
  for (const name of ["", ...names]) await lchown(path.join(folder, name), uid, gid);
}

interface Sharing extends Pick<Place, "programs"> {
  readonly account: Account;
  readonly shared: string;
  readonly log: Logger;
}

async function moveToShared(dataDir: string, folder: string, sharing: Sharing): Promise<Place> {
  const { account, shared, log } = sharing;
  requireStopped(folder);
  const place = path.join(shared, "databases", randomBytes(6).toString("hex"));
  const moved = path.join(place, DATABASE_FOLDER);
  await mkdir(place, { recursive: true, mode: 0o755 });
  await chmod(place, 0o710);
  await chown(place, 0, account.gid);
  await writeFile(path.join(place, OWNER_FILE), `${await realpath(dataDir)}\n`);
  // A copy that is interrupted leaves the database where it is.
  if (existsSync(folder)) await cp(folder, moved, { recursive: true, preserveTimestamps: true });
  await give(moved, account);
  // On the disk before the original is removed.
  execFileSync("sync");
  await writeFile(path.join(dataDir, PLACE_FILE), `${place}\n`);
  await rm(folder, { recursive: true, force: true });
  log.warn(
    { dataDir, place },
    "the account of the database cannot reach the data folder; the database is in a place of its own",
  );
  for (const left of await listAbandoned(shared)) log.warn({ place: left }, "the data folder of this database is gone");
  return { folder: moved, programs: await findRunnable(sharing.programs, account, shared), account };
}

/** Throws DatabaseMisplaced while a database runs in the folder, which its killed server has left. */
function requireStopped(folder: string): void {
  try {
    const pid = Number(readFileSync(path.join(folder, "postmaster.pid"), "utf8").split("\n")[0]);
    process.kill(pid, 0);
    throw new DatabaseMisplaced(
      `The database in ${folder} must be moved, and still runs (process ${pid}): end it with kill -INT ${pid}, then start again.`,
    );
  } catch (error) {
    if (error instanceof DatabaseMisplaced) throw error;
  }
}

/** Throws DatabaseMisplaced unless the database is of this data folder, of this version, and all there. */
async function requireOwn(dataDir: string, folder: string): Promise<void> {
  const own = await realpath(dataDir);
  if (path.dirname(folder) !== path.resolve(dataDir)) {
    const owner = await readLine(path.join(path.dirname(folder), OWNER_FILE));
    if (owner !== own && owner !== null && (await findDatabaseFolder(owner)) === folder) {
      throw new DatabaseMisplaced(
        `The data folder ${own} is a copy of ${owner}, whose database is in ${folder}: a copy has no database of its ` +
          "own. Restore a backup into an empty data folder: npm run -s spotline -- restore FILE",
      );
    }
    if (!existsSync(folder)) throw new DatabaseMisplaced(describeMissing(own, folder));
    // The data folder was moved.
    if (owner !== own) await writeFile(path.join(path.dirname(folder), OWNER_FILE), `${own}\n`);
  }
  if (existsSync(folder)) return;
  const other = (await readdir(own)).find((name) => /^pg\d+$/.test(name));
  if (other !== undefined) {
    throw new DatabaseMisplaced(describeVersion(path.join(own, other), other.slice(2)));
  }
  if (existsSync(path.join(own, OLD_DATABASE_FOLDER, "PG_VERSION"))) {
    throw new DatabaseMisplaced(
      `The database in ${path.join(own, OLD_DATABASE_FOLDER)} is of Spotline 0.2.0 or earlier. Bring it over once: ` +
        "npm run -s spotline -- upgrade",
    );
  }
}

export const describeVersion = (folder: string, version: string): string =>
  `The database in ${folder} is of PostgreSQL ${version}, and this version of Spotline runs PostgreSQL ` +
  `${EMBEDDED_VERSION}: start the version of Spotline that made it.`;

const describeMissing = (dataDir: string, folder: string) =>
  `The database of the data folder ${dataDir} was in ${folder}, which is gone: restore a backup into an empty data ` +
  "folder: npm run -s spotline -- restore FILE";

/** The places whose data folders do not name them any more. */
export async function listAbandoned(shared = SHARED): Promise<string[]> {
  const parent = path.join(shared, "databases");
  const names = isRoot() ? await readdir(parent).catch(() => []) : [];
  const places = await Promise.all(
    names.map(async (name) => {
      const place = path.join(parent, name);
      const owner = await readLine(path.join(place, OWNER_FILE));
      const isOwned = owner !== null && (await readLine(path.join(owner, PLACE_FILE))) === place;
      return isOwned ? [] : [place];
    }),
  );
  return places.flat();
}

async function readLine(file: string): Promise<string | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text?.trim() ?? null;
}
