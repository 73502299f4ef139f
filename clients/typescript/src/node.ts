/// <reference types="node" />
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Spotline } from "./client.js";
import { ApiError, ConnectionError, ExportError, readApiError } from "./errors.js";
import { computeRetryDelay, RETRY_DEFAULTS, sleep } from "./retry.js";
import type { Body, Data } from "./types.js";

/** Exports as files on disk, for programs that have one: Node.js, Deno and Bun. */

type Export = Data<"getExportId">;
type ExportFile = Export["files"][number];

export interface DownloadOptions {
  /** Where the files go. It is created if it is not there. */
  readonly folder: string;
  /** Called with the export while it is written, and then with each finished file. */
  readonly onProgress?: ((progress: Export, file: ExportFile | null) => void) | undefined;
  /** Ends the waiting and the download, with its reason. What is downloaded stays, and is continued by the next call. */
  readonly signal?: AbortSignal | undefined;
}

/** A file on disk. Its size and SHA-256 are those that the server lists. */
export type DownloadedFile = ExportFile & { readonly path: string };

const FIRST_POLL_MS = 1_000;
const MAX_POLL_MS = 10_000;
/** A connection that brings nothing for so long is lost. */
const SILENCE_MS = 30_000;

/**
 * Begins an export, waits until it is done, and downloads its files. With the id of an export that was begun before, it
 * goes on with that one: files that are there already are only checked, and one that is there in part is continued.
 * Throws an ExportError if the export fails or a file is not as listed, and otherwise as calls do.
 */
export async function downloadExport(
  client: Spotline,
  request: Body<"postExport"> | string,
  options: DownloadOptions,
): Promise<{ readonly export: Export; readonly files: readonly DownloadedFile[] }> {
  const { folder, signal, onProgress } = options;
  const call = { signal };
  const id = typeof request === "string" ? request : (await client.createExport(request, call)).data.id;
  let current = await waitUntilDone(client, id, options);
  await mkdir(folder, { recursive: true });
  const files: DownloadedFile[] = [];
  for (const { name } of current.files) {
    // A name must not lead out of the folder.
    if (!/^[^/\\]+$/.test(name) || name.startsWith(".")) throw new ExportError(`“${name}” is no name of a file.`, id);
    const findFile = async (isLinkOld: boolean): Promise<ExportFile> => {
      if (isLinkOld) current = (await client.readExport(id, call)).data;
      const file = current.files.find((each) => each.name === name);
      if (file === undefined) throw new ExportError(`The export does not have ${name} any more.`, id);
      return file;
    };
    const path = join(folder, name);
    const file = await downloadFile(path, findFile, { id, signal });
    files.push({ ...file, path });
    onProgress?.(current, file);
  }
  return { export: current, files };
}

async function waitUntilDone(client: Spotline, id: string, { signal, onProgress }: DownloadOptions): Promise<Export> {
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(MAX_POLL_MS, waitMs * 1.5)) {
    const { data } = await client.readExport(id, { signal });
    onProgress?.(data, null);
    if (data.state === "done") return data;
    if (data.state === "failed") throw new ExportError(data.error ?? "The export failed.", id);
    await sleep(waitMs, signal);
  }
}

type Job = { readonly id: string; readonly signal: AbortSignal | undefined };

/** Downloads one file, and tries again from where it was while that brings something. */
async function downloadFile(
  path: string,
  findFile: (isLinkOld: boolean) => Promise<ExportFile>,
  job: Job,
): Promise<ExportFile> {
  let file = await findFile(false);
  if (await isWhole(path, file)) return file;
  // A part of another content has another name, so that two are never joined.
  const part = `${path}.${file.sha256.slice(0, 12)}.part`;
  for (let failures = 0, before = await findSize(part); ;) {
    try {
      await continuePart(part, file, job);
      break;
    } catch (failure) {
      job.signal?.throwIfAborted();
      const size = await findSize(part);
      failures = size > before ? 1 : failures + 1;
      before = size;
      // A link is valid for a day. The export has a new one.
      const isLinkOld = failure instanceof ApiError && failure.status === 403;
      const waitMs = isLinkOld ? 0 : computeRetryDelay(failure, failures - 1, RETRY_DEFAULTS, Math.random());
      if (waitMs === null || failures > RETRY_DEFAULTS.retries) throw failure;
      await sleep(waitMs, job.signal);
      if (isLinkOld) file = await findFile(true);
    }
  }
  if (!(await isWhole(part, file))) {
    await rm(part, { force: true });
    throw new ExportError(`${file.name} did not arrive as the export lists it.`, job.id);
  }
  await rename(part, path);
  return file;
}

/** Reads what a part lacks. The link needs no key, and gets none. */
async function continuePart(
  part: string,
  { url, bytes, sha256, name }: ExportFile,
  { id, signal }: Job,
): Promise<void> {
  let size = await findSize(part);
  if (size > bytes) {
    await rm(part, { force: true });
    size = 0;
  }
  if (size === bytes && size > 0) return;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const etag = `"${sha256}"`;
  try {
    const response = await fetch(url, {
      headers: size === 0 ? {} : { Range: `bytes=${size}-`, "If-Range": etag },
      signal: signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok) throw readApiError(response.status, response.headers, await response.text());
    const found = response.headers.get("etag");
    if (found !== null && found !== etag) throw new ExportError(`${name} is another file than the export lists.`, id);
    // The server may answer a range with the whole file.
    const isContinued = response.status === 206;
    if (!isContinued) size = 0;
    const target = await open(part, isContinued ? "a" : "w");
    try {
      for await (const chunk of response.body ?? []) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        size += chunk.length;
        if (size > bytes) throw new ExportError(`${name} is longer than the export lists.`, id);
        await target.writeFile(chunk);
      }
    } finally {
      await target.close();
    }
    if (size < bytes) throw new ConnectionError("The connection ended before the file did.");
  } catch (error) {
    if (error instanceof ApiError || error instanceof ExportError || error instanceof ConnectionError) throw error;
    // What the disk refuses is no fault of the connection.
    if (typeof (error as NodeJS.ErrnoException).syscall === "string") throw error;
    throw new ConnectionError("The server could not be reached, or the connection was lost.", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function findSize(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}

/** Whether a file is there with the listed size and SHA-256, which is also the ETag. */
async function isWhole(path: string, { bytes, sha256 }: Pick<ExportFile, "bytes" | "sha256">): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true || found.size !== bytes) return false;
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest("hex") === sha256;
}
