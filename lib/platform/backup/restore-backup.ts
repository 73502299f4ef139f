import { createReadStream } from "node:fs";
import { readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { unpackTar } from "modern-tar/fs";
import { claimDataFolder } from "../data-folder/data-folder";
import { type DatabaseOptions, openDatabase } from "../database/database";
import { syncTree } from "../embedded/sync-tree.mjs";
import { BACKUP_VERSION, BackupRefused, DATABASE_FOLDER, MANIFEST, type Manifest, OTHER_FILES } from "./backup-file";

const UNFINISHED = "restore.unfinished";
/** What zlib says of a file of another format. */
const NOT_COMPRESSED = "incorrect header check";
/** What a data folder without a database may have. */
const LEFTOVER = /^(lock\.\d+|\.claim-.*|\.s\.PGSQL\.\d+|restore\.unfinished)$/;

/**
 * Restores a backup into a data folder that has no data, and migrates it to this version. If anything fails the folder
 * stays without data. Returns when the backup was made. Throws BackupRefused, and DataFolderInUse for a running server.
 */
export async function restoreBackup(options: DatabaseOptions, file: string): Promise<Date> {
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
    const { createdAt } = await unpack(file, unfinished);
    syncTree(path.join(unfinished, DATABASE_FOLDER));
    await (await openDatabase({ ...options, dataDir: unfinished })).close();
    for (const name of OTHER_FILES) await renameIfPresent(path.join(unfinished, name), path.join(dataDir, name));
    await rename(path.join(unfinished, DATABASE_FOLDER), folder.databaseDir);
    return new Date(createdAt);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await folder.release();
  }
}

/** Backups of earlier versions have only the database. */
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
