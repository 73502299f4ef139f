import { PIECE_BYTES } from "@/lib/history/import/upload-path";
import { SECOND_MS } from "@/lib/time/units";

/**
 * The uploads of this browser. They go on while one looks at other pages, and through lost connections and restarts of the
 * server; after the page was loaded again, the same files must be picked again.
 */

/** A file that was picked or dropped, with its path from the folder that was. */
export interface PickedFile {
  readonly file: File;
  readonly path: string;
}

export interface Upload {
  readonly sentBytes: number;
  readonly bytes: number;
  readonly sentFiles: number;
  readonly files: number;
  /** "waiting" for a connection; "failed" for good. */
  readonly state: "sending" | "waiting" | "done" | "failed";
  readonly message: string | null;
}

const BASE = "/operator/import";
/** Files that one request names. */
const NAMED_AT_ONCE = 1_000;
/** Many files are small, and each takes a request. */
const AT_ONCE = 3;
const RETRY_MS = [1, 2, 5, 10].map((seconds) => seconds * SECOND_MS);

const uploads = new Map<string, Upload>();
const listeners = new Set<() => void>();

export function subscribeUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function getUpload(id: string): Upload | undefined {
  return uploads.get(id);
}

function update(id: string, change: Partial<Upload>): void {
  const before = uploads.get(id);
  if (before === undefined) return;
  uploads.set(id, { ...before, ...change });
  for (const listener of listeners) listener();
}

/** Leaving the page ends an upload, which the browser asks about. */
function warn(event: BeforeUnloadEvent): void {
  if ([...uploads.values()].some(({ state }) => state === "sending" || state === "waiting")) event.preventDefault();
}

/** An answer that no repetition changes. Its message is for the operator. */
class Refused extends Error {}

/** Begins an upload, and resolves with its id once its files are named. Rejects with the reason of a refusal. */
export async function beginUpload(picked: readonly PickedFile[]): Promise<string> {
  const bytes = picked.reduce((sum, { file }) => sum + file.size, 0);
  let id: string | undefined;
  for (let at = 0; at < picked.length; at += NAMED_AT_ONCE) {
    const files = picked
      .slice(at, at + NAMED_AT_ONCE)
      .map(({ file, path }) => [path, file.size, Math.floor(file.lastModified)]);
    const body = JSON.stringify({ id, count: picked.length, bytes, files });
    const answer = await fetch(`${BASE}/upload`, { method: "POST", body });
    if (!answer.ok) throw new Refused(await readReason(answer));
    ({ id } = (await answer.json()) as { id: string });
  }
  if (id === undefined) throw new Refused("There is no file.");
  void send(
    id,
    picked.map(({ file }) => file),
  );
  return id;
}

type Listed = readonly [path: string, bytes: number, modifiedMs: number, received: number];

/** Goes on with an upload whose files were picked again. Rejects with the reason if one that is missing is not among them. */
export async function continueUpload(id: string, picked: readonly PickedFile[]): Promise<void> {
  const listed = await listReceived(id);
  const files = listed.map(([path, bytes, modifiedMs, received]) => {
    const same = picked.find(
      ({ file, path: own }) =>
        file.size === bytes && file.lastModified === modifiedMs && (own === path || path.endsWith(`/${own}`)),
    );
    if (same === undefined && received < bytes) {
      throw new Refused(`${path} is missing, or was changed since the upload began. Pick the same files again.`);
    }
    return same?.file ?? null;
  });
  void send(id, files);
}

async function listReceived(id: string): Promise<readonly Listed[]> {
  const answer = await fetch(`${BASE}/${id}/upload`, { cache: "no-store" });
  if (!answer.ok) throw toError(answer.status, await readReason(answer));
  return ((await answer.json()) as { files: readonly Listed[] }).files;
}

/** @param files in the order of the list; null for one that was received as a whole */
async function send(id: string, files: readonly (File | null)[]): Promise<void> {
  window.addEventListener("beforeunload", warn);
  uploads.set(id, { sentBytes: 0, bytes: 0, sentFiles: 0, files: files.length, state: "sending", message: null });
  for (let tries = 0; ; tries++) {
    try {
      await sendMissing(id, files, () => (tries = 0));
      const answer = await fetch(`${BASE}/${id}/upload`, { method: "POST" });
      // What was lost on the server is sent again.
      if (answer.status !== 409) {
        if (!answer.ok) throw toError(answer.status, await readReason(answer));
        update(id, { state: "done", message: null });
        return;
      }
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof Refused) return update(id, { state: "failed", message });
      update(id, { state: "waiting", message: "The server cannot be reached. The upload goes on when it can." });
    }
    await new Promise((done) => setTimeout(done, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]));
  }
}

async function sendMissing(id: string, files: readonly (File | null)[], onSent: () => void): Promise<void> {
  const listed = await listReceived(id);
  const bytes = listed.reduce((sum, [, size]) => sum + size, 0);
  let sentBytes = listed.reduce((sum, [, , , received]) => sum + received, 0);
  let sentFiles = listed.filter(([, size, , received]) => received === size).length;
  update(id, { sentBytes, bytes, sentFiles, state: "sending", message: null });
  let next = 0;
  let failure: unknown = null;
  const work = async () => {
    while (next < listed.length && failure === null) {
      const at = next++;
      const [path, size, , before] = listed[at] as Listed;
      const file = files[at];
      let received = before;
      // An empty file has one empty piece: an hour of Dukascopy without a price.
      let isSent = before === size && size > 0;
      while (!isSent && failure === null) {
        if (file == null) throw new Refused(`${path} is missing. Pick the same files again.`);
        const now = await sendPiece(id, at, file, received);
        sentBytes += now - received;
        received = now;
        isSent = received === size;
        if (isSent && size > 0) sentFiles++;
        onSent();
        update(id, { sentBytes, sentFiles, state: "sending", message: null });
      }
    }
  };
  const guarded = () => work().catch((error: unknown) => (failure ??= error));
  await Promise.all(Array.from({ length: AT_ONCE }, guarded));
  if (failure !== null) throw failure;
}

/** Sends the piece of a file that begins at `offset`. Resolves with the bytes that the server has by then. */
async function sendPiece(id: string, at: number, file: File, offset: number): Promise<number> {
  const piece = file.slice(offset, offset + PIECE_BYTES);
  const content = await piece.arrayBuffer().catch(() => {
    throw new Refused(`${file.name} cannot be read any more. Pick the same files again.`);
  });
  const answer = await fetch(`${BASE}/${id}/upload?file=${at}&offset=${offset}`, { method: "PUT", body: content });
  if (!answer.ok) throw toError(answer.status, await readReason(answer));
  return ((await answer.json()) as { received: number }).received;
}

/** A refusal is final; what a server that is starting or overloaded did not take is sent again. */
function toError(status: number, reason: string): Error {
  if (status === 401) return new Refused("You are signed out. Sign in, and pick the same files again.");
  return status >= 500 && status !== 507 ? new Error(reason) : new Refused(reason);
}

async function readReason(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    return (JSON.parse(text) as { error: string }).error;
  } catch {
    return text.length > 0 && text.length < 300 ? text : `The server answered ${answer.status}.`;
  }
}

/** The files of a drop, with those of its folders. Hidden ones are left out, as the command leaves them out. */
export async function readDrop(transfer: DataTransfer): Promise<PickedFile[]> {
  // The list is empty once the event is over.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const found = entries.length > 0 ? await Promise.all(entries.map(readEntry)) : [readPicked(transfer.files)];
  return sort(found.flat());
}

async function readEntry(entry: FileSystemEntry): Promise<PickedFile[]> {
  if (entry.name.startsWith(".")) return [];
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ file, path }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: PickedFile[] = [];
  for (;;) {
    // Browsers return some of a folder at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return files;
    for (const each of some) files.push(...(await readEntry(each)));
  }
}

/** The files of a field, with their paths from the folder that was picked. */
export function readPicked(files: Iterable<File>): PickedFile[] {
  return sort(
    Array.from(files, (file) => ({ file, path: file.webkitRelativePath || file.name })).filter(
      ({ path }) => !path.split("/").some((name) => name.startsWith(".")),
    ),
  );
}

const sort = (files: PickedFile[]) => files.sort((a, b) => (a.path < b.path ? -1 : 1));
