import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { constants, createReadStream, existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createGunzip } from "node:zlib";
import { unpackTar } from "modern-tar/fs";
import pg from "pg";
import { claimDataFolder } from "./data-folder";
import { copyDatabase, type CopyOptions, type OldDatabase, UpgradeRefused } from "./database/copy-database";
import { isDiskFull } from "./database/database-errors";
import { startEmbeddedServer } from "./embedded/embedded-server";
import { DATABASE_FOLDER, letDatabaseIn, OLD_DATABASE_FOLDER, PLACE_FILE } from "./embedded/place";
import { silentLog } from "./log/log";

/**
 * Brings the embedded database of 0.2.0 to this version. It is PostgreSQL compiled to WebAssembly for 32 bits, whose
 * files no other PostgreSQL reads, so its engine reads a copy of them, and every row is written to a new cluster.
 */

/** What a data folder of this version has of its database: its folder, or the file that names its place. */
const NEW_NAMES = [PLACE_FILE, DATABASE_FOLDER];
/** A data folder for the new database, with the engine and a copy of the old files. */
const SCRATCH_FOLDER = "upgrade.unfinished";

interface UpgradeOptions extends CopyOptions {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Where the old engine is; undefined to fetch it. */
  readonly engine: string | undefined;
}

/**
 * Copies the database of 0.2.0 in a data folder into one of this version, and leaves the old files as they are. An
 * interrupted run is begun again. Returns the folder of the old files. Throws UpgradeRefused, DataFolderInUse or
 * MigrationRefused.
 */
export async function upgradeDataFolder(options: UpgradeOptions): Promise<string> {
  const { databaseUrl, engine } = options;
  if (databaseUrl !== undefined) {
    throw new UpgradeRefused("The data is in your own PostgreSQL, which the server migrates when it starts.");
  }
  const dataDir = path.resolve(options.dataDir);
  const oldDir = path.join(dataDir, OLD_DATABASE_FOLDER);
  const scratch = path.join(dataDir, SCRATCH_FOLDER);
  requireOld(dataDir);
  const folder = await claimDataFolder(dataDir, "command");
  try {
    // Another run may have ended while this one waited for it.
    requireOld(dataDir);
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { mode: 0o700 });
    await letDatabaseIn(dataDir);
    const loaded = await loadEngine(engine, scratch);
    // The engine writes to the files that it opens, without waiting for the disk.
    const copy = path.join(scratch, "old");
    await cp(oldDir, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
    await convertCluster(loaded, copy, scratch, options);
    for (const name of NEW_NAMES.filter((each) => existsSync(path.join(scratch, each)))) {
      await rename(path.join(scratch, name), path.join(dataDir, name));
    }
    return oldDir;
  } catch (error) {
    throw (await hasNoSpace(error, dataDir)) ? new DiskFull(dataDir, error as Error) : error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await folder.release();
  }
}

function requireOld(dataDir: string): void {
  if (NEW_NAMES.some((name) => existsSync(path.join(dataDir, name)))) {
    throw new UpgradeRefused(`The data folder ${dataDir} is upgraded already.`);
  }
  if (existsSync(path.join(dataDir, OLD_DATABASE_FOLDER, "PG_VERSION"))) return;
  throw new UpgradeRefused(`The data folder ${dataDir} has no database of an earlier version.`);
}

/** PostgreSQL ends without a reason when its log cannot grow by a file, which has 16 MB. */
const LITTLE_BYTES = 64 * 1024 * 1024;

async function hasNoSpace(error: unknown, folder: string): Promise<boolean> {
  if (isDiskFull(error)) return true;
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < LITTLE_BYTES;
}

class DiskFull extends UpgradeRefused {
  constructor(dataDir: string, cause: Error) {
    super(
      `No space is left on the disk of ${dataDir} (${cause.message}): the upgrade needs about three times as much as its folder ${OLD_DATABASE_FOLDER} has. Nothing was changed. Free some, then run the command again.`,
      { cause },
    );
  }
}

/** Copies a database of the old engine, whose files it changes, into a new one in a data folder without one. */
export async function convertCluster(
  { PGlite }: Engine,
  oldDir: string,
  dataDir: string,
  options: CopyOptions,
): Promise<void> {
  const old = await PGlite.create(oldDir).catch((error: Error) => {
    throw new UpgradeRefused(
      `The database of the earlier version cannot be opened (${error.message}). Start that version to see whether its files are damaged; a backup of it can be restored into an empty data folder.`,
      { cause: error },
    );
  });
  try {
    const cluster = await startEmbeddedServer(dataDir, silentLog);
    try {
      await withClient(cluster.settings, (client) => copyDatabase(old, client, options));
    } catch (error) {
      await cluster.stop().catch(() => {});
      throw error;
    }
    await cluster.stop();
  } finally {
    await old.close();
  }
}

async function withClient(settings: pg.ClientConfig, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(settings);
  client.on("error", () => {});
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The engine of 0.2.0, which only an upgrade needs. */
const ENGINE = { name: "@electric-sql/pglite", version: "0.5.14" };
const ENGINE_SPEC = `${ENGINE.name}@${ENGINE.version}`;
/** The checksum of the package's file, as the registry lists it. */
const ENGINE_SHA512 = "aAQe7iArcFB2w1xtx91l3l9trxhMzD6aZf+WnosSHNhwgp70EJz80Igw/bHnW14fUEFYWPBoQ1sGom8Xc0Jttg==";
const FETCH_TIMEOUT_MS = 300_000;

export interface Engine {
  readonly PGlite: { create(folder: string): Promise<OldDatabase> };
}

/**
 * Loads the old engine from the package's file, or from an installation of 0.2.0, and fetches it if neither is given.
 * Unpacks it below `scratch`.
 */
export async function loadEngine(given: string | undefined, scratch: string): Promise<Engine> {
  const isFolder = given !== undefined && (await stat(given).catch(() => null))?.isDirectory() === true;
  const folder = isFolder
    ? path.resolve(given, "node_modules", ENGINE.name)
    : await unpackEngine(given ?? (await fetchEngine(scratch)), scratch);
  const manifest = await readFile(path.join(folder, "package.json"), "utf8").catch(() => "{}");
  if ((JSON.parse(manifest) as { version?: unknown }).version !== ENGINE.version) {
    throw new UpgradeRefused(
      `${given} has no ${ENGINE_SPEC} among its packages: name the folder where 0.2.0 is installed.`,
    );
  }
  return (await import(pathToFileURL(path.join(folder, "dist", "index.js")).href)) as Engine;
}

async function unpackEngine(file: string, scratch: string): Promise<string> {
  const bytes = await readFile(file).catch(() => {
    throw new UpgradeRefused(`There is no file ${file}.`);
  });
  if (createHash("sha512").update(bytes).digest("base64") !== ENGINE_SHA512) {
    throw new UpgradeRefused(`${file} is not the package ${ENGINE_SPEC}: its checksum differs.`);
  }
  const folder = path.join(scratch, "engine");
  await pipeline(createReadStream(file), createGunzip(), unpackTar(folder, { strip: 1 }));
  return folder;
}

/** Returns the package's file. */
async function fetchEngine(scratch: string): Promise<string> {
  const folder = path.join(scratch, "package");
  await mkdir(folder);
  const [program, ...first] = findNpm();
  const words = ["pack", ENGINE_SPEC, "--ignore-scripts", "--pack-destination", folder, "--cache", `${folder}.cache`];
  try {
    await promisify(execFile)(program, [...first, ...words], { timeout: FETCH_TIMEOUT_MS });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    const reason = stderr?.split("\n").find((line) => /^npm error (?!code|errno|syscall)/.test(line)) ?? message;
    throw new UpgradeRefused(
      `The engine of 0.2.0 could not be fetched (${reason.replace("npm error ", "")}). Without a network, name the folder where 0.2.0 is installed with --engine, or the file that “npm pack ${ENGINE_SPEC}” writes on another machine.`,
      { cause: error },
    );
  }
  return path.join(folder, (await readdir(folder))[0] ?? "");
}

/** npm's script is run by this Node.js where it is found: Windows starts npm's own command only through a shell. */
function findNpm(): [string, ...string[]] {
  const home = path.dirname(process.execPath);
  const script = [
    process.env["npm_execpath"] ?? "",
    path.join(home, "node_modules", "npm", "bin", "npm-cli.js"),
    path.join(home, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
  ].find((each) => path.basename(each) === "npm-cli.js" && existsSync(each));
  return script === undefined ? ["npm"] : [process.execPath, script];
}
