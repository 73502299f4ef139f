import { mkdir, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isRunId, type RunFile } from "@/lib/history/import/import-runs";

/**
 * The uploaded files of imports: a folder of the data folder for each import. How much of a file was received is its size,
 * so that an upload goes on after any interruption.
 */

const FOLDER = "imports";
/** What the database needs meanwhile. */
const RESERVE_BYTES = 512 * 1024 * 1024;

export function getUploadFolder(dataDir: string, id: string): string {
  if (!isRunId(id)) throw new RangeError("An import's id is a UUID");
  return resolve(dataDir, FOLDER, id);
}

/** Whether the disk of the data folder has room for so many bytes more. */
export async function hasRoom(dataDir: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize >= bytes + RESERVE_BYTES;
}

/** How many bytes of each file were received. */
export function readReceived(dataDir: string, id: string, files: readonly RunFile[]): Promise<number[]> {
  const folder = getUploadFolder(dataDir, id);
  return Promise.all(files.map(({ path }) => readSize(join(folder, path))));
}

async function readSize(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  return found?.size ?? 0;
}

/** The pieces of one file are written one after the other. */
const writing = new Map<string, Promise<unknown>>();

/**
 * Writes a piece of a file where the file ends. Resolves with the bytes that were received by then; a piece that begins
 * anywhere else is not written. Rejects if the file would become longer than it is.
 */
export async function writePiece(
  dataDir: string,
  id: string,
  file: RunFile,
  piece: { readonly offset: number; readonly content: Uint8Array },
): Promise<number> {
  const path = join(getUploadFolder(dataDir, id), file.path);
  const before = writing.get(path) ?? Promise.resolve();
  const written = before.catch(() => {}).then(() => append(path, file.bytes, piece));
  writing.set(path, written);
  try {
    return await written;
  } finally {
    if (writing.get(path) === written) writing.delete(path);
  }
}

async function append(
  path: string,
  bytes: number,
  { offset, content }: { readonly offset: number; readonly content: Uint8Array },
): Promise<number> {
  const size = await readSize(path);
  if (offset !== size) return size;
  if (offset + content.length > bytes) throw new RangeError("The file is longer than it was said to be");
  if (size === 0) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, size === 0 ? "w" : "r+", 0o600);
  try {
    let written = 0;
    while (written < content.length) {
      const { bytesWritten } = await handle.write(content, written, content.length - written, offset + written);
      written += bytesWritten;
    }
  } finally {
    await handle.close();
  }
  return offset + content.length;
}

export async function removeUpload(dataDir: string, id: string): Promise<void> {
  await rm(getUploadFolder(dataDir, id), { recursive: true, force: true });
}

/** The imports of which this machine has a folder. */
export async function listUploads(dataDir: string): Promise<Set<string>> {
  const names = await readdir(resolve(dataDir, FOLDER)).catch(() => []);
  return new Set(names.filter(isRunId));
}
