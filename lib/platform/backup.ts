import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { createTarPacker, type TarPackController } from "modern-tar";
import { unpackTar } from "modern-tar/fs";
import type { PoolClient, QueryConfig } from "pg";
import { AUDIT_HASHES_FILE, claimDataFolder, HISTORY_HEADS_FILE } from "./data-folder";
import { type DatabaseOptions, joinDatabase, openDatabase } from "./database/database";
import { DATABASE_FOLDER, findDatabaseFolder, letDatabaseIn, OLD_DATABASE_FOLDER, PLACE_FILE } from "./embedded/place";
import { SECRET_FILE } from "./secret-file";
import { convertCluster, loadEngine } from "./upgrade";

const CHUNK_BYTES = 1024 * 1024;
/** A backup begins with a checkpoint. */
const CHECKPOINT_TIMEOUT_MS = 120_000;
const LOG_FOLDER = "pg_wal";
/** The file from which PostgreSQL knows, at its first start on a backup, where in its log to begin. */
const LABEL_FILE = "backup_label";

/**
 * Writes a backup of the embedded database to a new file, readable by its owner only. A server may be running: it works
 * on meanwhile, and what it writes is in the backup up to about the end of the copying. Throws BackupRefused.
 */
export async function writeBackup(options: DatabaseOptions, file: string, now: Date): Promise<void> {
  if (options.databaseUrl !== undefined) {
    throw new BackupRefused("The data is in your own PostgreSQL: back it up with pg_dump.");
  }
  if (existsSync(file)) throw new BackupRefused(`${file} exists already: choose another name.`);
  const databaseDir = await findDatabaseFolder(options.dataDir);
  if (!existsSync(databaseDir)) throw new BackupRefused(`The data folder ${options.dataDir} has no database yet.`);
  const database = await joinDatabase(options);
  try {
    // One connection to the end: PostgreSQL ends a backup with the connection that began it.
    const client = await database.pool.connect();
    const work = (packer: TarPackController) => pack(client, options.dataDir, databaseDir, packer, now);
    await writeFileOf(file, work).finally(() => client.release(true));
  } finally {
    await database.close();
  }
}

/** Writes the archive under another name first, so that an interrupted backup leaves no file of the final name. */
async function writeFileOf(file: string, work: (packer: TarPackController) => Promise<void>): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  const { readable, controller } = createTarPacker();
  const output = createWriteStream(unfinished, { mode: 0o600, flush: true });
  const packing = work(controller).then(
    () => controller.finalize(),
    (error: unknown) => {
      controller.error(error);
      throw error;
    },
  );
  const writing = pipeline(readable, createGzip({ level: 1 }), output);
  const outcomes = await Promise.allSettled([writing, packing]);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed === undefined) return rename(unfinished, file);
  await rm(unfinished, { force: true });
  throw failed.reason;
}

/**
 * Packs the files while the database changes them, in PostgreSQL's way: between the start and the stop of a backup, whose
 * label and log make the copy whole. A replication slot of this connection keeps the log until then.
 */
async function pack(client: PoolClient, dataDir: string, databaseDir: string, packer: TarPackController, now: Date) {
  await client.query("SELECT pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)");
  const { rows: started } = await client.query<{ first: string }>({
    text: "SELECT pg_walfile_name(pg_backup_start('spotline', true)) AS first",
    query_timeout: CHECKPOINT_TIMEOUT_MS,
  } as QueryConfig);
  const manifest: Manifest = { version: BACKUP_VERSION, createdAt: now.toISOString() };
  await packContent(packer, MANIFEST, Buffer.from(`${JSON.stringify(manifest)}\n`));
  // Before the database, which then has every event whose hash was copied.
  for (const name of OTHER_FILES) await packFile(packer, dataDir, name, name);
  await packFiles(packer, databaseDir);
  const { rows: stopped } = await client.query<{ label: string; last: string }>(
    "SELECT labelfile AS label, pg_walfile_name(lsn) AS last FROM pg_backup_stop(false)",
  );
  await packContent(packer, toEntryName(LABEL_FILE), Buffer.from(stopped[0]?.label ?? ""));
  const [first, last] = [started[0]?.first ?? "", stopped[0]?.last ?? ""];
  const segments = (await readdir(path.join(databaseDir, LOG_FOLDER))).filter((name) => name >= first && name <= last);
  for (const name of segments.sort()) await packFile(packer, databaseDir, path.join(LOG_FOLDER, name));
}

async function packFiles(packer: TarPackController, databaseDir: string): Promise<void> {
  for (const entry of await readdir(databaseDir, { recursive: true, withFileTypes: true })) {
    const name = path.relative(databaseDir, path.join(entry.parentPath, entry.name));
    if (isOmitted(name)) continue;
    if (entry.isDirectory()) await packFolder(packer, name);
    else if (entry.isFile()) await packFile(packer, databaseDir, name);
  }
}

/** What belongs to the process that runs, not to the data. */
function isOmitted(name: string): boolean {
  if (/^(postmaster\.(pid|opts)|\.s\.PGSQL\..*)$/.test(name)) return true;
  return [LOG_FOLDER, "pg_replslot"].some(
    (folder) => name.startsWith(folder + path.sep) && !name.endsWith("archive_status"),
  );
}

async function packFolder(packer: TarPackController, name: string): Promise<void> {
  await packer.add({ name: `${toEntryName(name)}/`, type: "directory", size: 0, mode: 0o700 }).close();
}

async function packContent(packer: TarPackController, name: string, content: Uint8Array): Promise<void> {
  const writer = packer.add({ name, size: content.length, mode: 0o600 }).getWriter();
  await writer.write(content);
  await writer.close();
}

/** Packs a file as it is; one that was removed meanwhile is omitted, and one that was cut is filled up. */
async function packFile(
  packer: TarPackController,
  folder: string,
  name: string,
  entryName = toEntryName(name),
): Promise<void> {
  const handle = await open(path.join(folder, name)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  });
  if (handle === null) return;
  try {
    const { size } = await handle.stat();
    const writer = packer.add({ name: entryName, size, mode: 0o600 }).getWriter();
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - at));
      await handle.read(chunk, 0, chunk.length, at);
      await writer.write(chunk);
    }
    await writer.close();
  } finally {
    await handle.close();
  }
}

function toEntryName(name: string): string {
  return path.posix.join(DATABASE_FOLDER, ...name.split(path.sep));
}

const UNFINISHED = "restore.unfinished";
/** What zlib says of a file of another format. */
const NOT_COMPRESSED = "incorrect header check";
/** What a data folder without a database may have. */
const LEFTOVER = /^(lock\.\d+|\.claim-.*|restore\.unfinished|pg\d+\.(log|unfinished.*))$/;

/**
 * Restores a backup into a data folder that has no data, and migrates it to this version. If anything fails the folder
 * stays without data. Returns when the backup was made. A backup of 0.2.0 or earlier is read with its engine, which is
 * fetched unless `engine` names it. Throws BackupRefused, UpgradeRefused, and DataFolderInUse for a running server.
 */
export async function restoreBackup(options: DatabaseOptions, file: string, engine?: string): Promise<Date> {
  if (options.databaseUrl !== undefined) {
    throw new BackupRefused("A backup is restored into a data folder: unset DATABASE_URL, or use pg_restore.");
  }
  const { dataDir } = options;
  const folder = await claimDataFolder(dataDir, "command");
  const unfinished = path.join(dataDir, UNFINISHED);
  try {
    if ((await readdir(dataDir)).some((name) => !LEFTOVER.test(name))) {
      throw new BackupRefused(`The data folder ${dataDir} is not empty: set SPOTLINE_DATA_DIR to an empty one.`);
    }
    await rm(unfinished, { recursive: true, force: true });
    const { createdAt, version } = await unpack(file, unfinished);
    await letDatabaseIn(dataDir);
    if (version === OLD_BACKUP_VERSION) await convert(unfinished, engine);
    await (await openDatabase({ ...options, dataDir: unfinished })).close();
    for (const name of [...OTHER_FILES, PLACE_FILE, DATABASE_FOLDER]) {
      await renameIfPresent(path.join(unfinished, name), path.join(dataDir, name));
    }
    return new Date(createdAt);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await folder.release();
  }
}

/** Turns the unpacked database of a backup of 0.2.0 into one of this version. */
async function convert(folder: string, engine: string | undefined): Promise<void> {
  const old = path.join(folder, "old");
  await rename(path.join(folder, OLD_DATABASE_FOLDER), old);
  await convertCluster(await loadEngine(engine, folder), old, folder, { onProgress: () => {} });
}

async function renameIfPresent(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  });
}

async function unpack(file: string, folder: string): Promise<Manifest> {
  let isBackup: boolean | null = null;
  const filter = ({ name }: { name: string }) => {
    isBackup ??= name === MANIFEST;
    if (!isBackup) throw new Error(`The first entry is ${name}`);
    return true;
  };
  try {
    await checkWhole(file);
    await pipeline(createReadStream(file), createGunzip(), unpackTar(folder, { filter, fmode: 0o600, dmode: 0o700 }));
  } catch (error) {
    throw new BackupRefused(describeFailure(error, file, isBackup === true), { cause: error });
  }
  if (isBackup !== true) throw new BackupRefused(`${file} is not a backup of Spotline.`);
  const manifest = JSON.parse(await readFile(path.join(folder, MANIFEST), "utf8")) as Manifest;
  if (manifest.version > BACKUP_VERSION) throw new BackupRefused(`${file} was made by a newer version of Spotline.`);
  return manifest;
}

/** Rejects unless the whole file can be decompressed: unpacking what damage leaves of an archive may never end. */
async function checkWhole(file: string): Promise<void> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(file), createGunzip(), discard);
}

function describeFailure(error: unknown, file: string, isBackup: boolean): string {
  const { code, path: named, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" && named === file) return `There is no file ${file}.`;
  if (code === "Z_BUF_ERROR") return `${file} is incomplete: its end is missing.`;
  if (code === "Z_DATA_ERROR" && message !== NOT_COMPRESSED) return `${file} is damaged and cannot be restored.`;
  return isBackup ? `${file} cannot be restored: ${message}` : `${file} is not a backup of Spotline.`;
}

/**
 * A backup of the embedded database: a gzipped tar archive of the manifest, some files of the data folder and the
 * database's files. It is made of files that change meanwhile, so it also has the write-ahead log, from which the first
 * start restores one state.
 */

/** The archive's first entry. */
const MANIFEST = "spotline-backup.json";
/**
 * Files of a data folder beside the database, which are restored with it if the archive has them: the secret of the
 * hashes of the audit log, the copies of these hashes, and those of the heads of the history.
 */
const OTHER_FILES = [SECRET_FILE, AUDIT_HASHES_FILE, HISTORY_HEADS_FILE];
const BACKUP_VERSION = 2;
/** The archives of 0.2.0 and earlier. */
const OLD_BACKUP_VERSION = 1;

interface Manifest {
  /** The version of the archive's layout. */
  readonly version: number;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A backup that cannot be made or restored. The message is one sentence for the operator. */
class BackupRefused extends Error {
  override readonly name = "BackupRefused";
  readonly code = "BACKUP_REFUSED";
}
