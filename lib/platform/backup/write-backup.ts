import { createWriteStream, existsSync } from "node:fs";
import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTarPacker, type TarPackController } from "modern-tar";
import type { PoolClient } from "pg";
import { type DatabaseOptions, joinDatabase } from "../database/database";
import { BACKUP_NAME } from "../embedded/names.mjs";
import { BACKUP_VERSION, BackupRefused, DATABASE_FOLDER, MANIFEST, type Manifest, OTHER_FILES } from "./backup-file";

const CHUNK_BYTES = 1024 * 1024;
const CHECKPOINT_TIMEOUT_MS = 120_000;
const CONTROL_FILE = path.join("global", "pg_control");
const LOG_FOLDER = "pg_wal";

/**
 * Writes a backup of the embedded database to a new file, readable by its owner only. A server may be running: it works
 * on meanwhile, and what it writes is in the backup up to about the end of the copying. Throws BackupRefused.
 */
export async function writeBackup(options: DatabaseOptions, file: string, now: Date): Promise<void> {
  if (options.databaseUrl !== undefined) {
    throw new BackupRefused("The data is in your own PostgreSQL: back it up with pg_dump.");
  }
  if (existsSync(file)) throw new BackupRefused(`${file} exists already: choose another name.`);
  const databaseDir = path.join(options.dataDir, DATABASE_FOLDER);
  if (!existsSync(databaseDir)) throw new BackupRefused(`The data folder ${options.dataDir} has no database yet.`);
  const database = await joinDatabase({ ...options, connectionName: BACKUP_NAME });
  try {
    // Held to the end: checkpoints are postponed while this connection is open.
    const client = await database.pool.connect();
    await writeFileOf(file, (packer) => pack(client, options.dataDir, packer, now)).finally(() => client.release());
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
 * Packs the files in the order that makes the copy whole. The control file comes first: it names the checkpoint from
 * which the log is replayed. The log comes last, so it has every change of the files before it.
 */
async function pack(client: PoolClient, dataDir: string, packer: TarPackController, now: Date): Promise<void> {
  const databaseDir = path.join(dataDir, DATABASE_FOLDER);
  const checkpoint = { text: "CHECKPOINT", query_timeout: CHECKPOINT_TIMEOUT_MS };
  await client.query(checkpoint);
  const { rows } = await client.query<{ first: string }>("SELECT redo_wal_file AS first FROM pg_control_checkpoint()");
  const manifest: Manifest = { version: BACKUP_VERSION, createdAt: now.toISOString() };
  await packContent(packer, MANIFEST, Buffer.from(`${JSON.stringify(manifest)}\n`));
  // Before the database, which then has every event whose hash was copied.
  for (const name of OTHER_FILES) await packFile(packer, dataDir, name, name);
  await packContent(packer, toEntryName(CONTROL_FILE), await readFile(path.join(databaseDir, CONTROL_FILE)));
  await packFiles(packer, databaseDir);
  await packLog(client, packer, databaseDir, rows[0]?.first ?? "");
}

async function packFiles(packer: TarPackController, databaseDir: string): Promise<void> {
  for (const entry of await readdir(databaseDir, { recursive: true, withFileTypes: true })) {
    const name = path.relative(databaseDir, path.join(entry.parentPath, entry.name));
    if (entry.isDirectory()) await packFolder(packer, name);
    else if (!isOmitted(name)) await packFile(packer, databaseDir, name);
  }
}

function isOmitted(name: string): boolean {
  return name === CONTROL_FILE || name === "postmaster.pid" || name.startsWith(LOG_FOLDER + path.sep);
}

async function packLog(client: PoolClient, packer: TarPackController, databaseDir: string, first: string) {
  const { rows } = await client.query<{ last: string }>("SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS last");
  const last = rows[0]?.last ?? "";
  const names = (await readdir(path.join(databaseDir, LOG_FOLDER))).filter((name) => name >= first && name <= last);
  if (!names.includes(first)) throw new BackupRefused("A checkpoint ran during the backup: run the backup again.");
  for (const name of names.sort()) await packFile(packer, databaseDir, path.join(LOG_FOLDER, name));
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
