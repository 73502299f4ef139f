import * as z from "zod";
import { createDataRoute, type DataRequest, refuse } from "@/features/session/data-route";
import { isFromOwnOrigin } from "@/features/session/own-origin";
import { isAccessError } from "@/lib/access/access-error";
import type { Operator } from "@/lib/access/actor";
import { createSizeError, MOST_BYTES, MOST_FILES } from "@/lib/access/import-control";
import { isRunId, noteReceiving, readRunFiles, type RunFile } from "@/lib/history/import/import-runs";
import { hasRoom, readReceived, removeUpload, writePiece } from "@/lib/history/import/import-uploads";
import { cleanPath, PIECE_BYTES } from "@/lib/history/import/upload-path";
import type { Runtime } from "@/lib/runtime";
import { formatBytes } from "@/lib/text/text";

/**
 * The routes over which the page sends files, in pieces. Only operators reach them, and only from a page of this site.
 * Each may be repeated: what was received already is not written again.
 */

interface UploadRequest<Params> extends DataRequest<Params> {
  readonly operator: Operator;
}

/** Creates such a route. What `answer` throws as an AccessError is refused with its message. */
function createUploadRoute<Params = object>(answer: (request: UploadRequest<Params>) => unknown) {
  return createDataRoute<Params>(async (given) => {
    const { account, runtime, request } = given;
    if (account.role !== "operator") return refuse(404, "Not found");
    if (request.method !== "GET" && !isFromOwnOrigin(request.headers, runtime.config.url))
      return refuse(403, "This request did not come from a page of this site.");
    try {
      return await answer({ ...given, operator: { kind: "operator", accountId: account.id } });
    } catch (error) {
      if (isAccessError(error)) {
        const status = { import_not_found: 404, import_too_large: 413 }[error.code as string] ?? 409;
        return refuse(status, error.message);
      }
      if (["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? ""))
        return refuse(507, "The server's disk is full. Free some space, then continue.");
      throw error;
    }
  });
}

const listing = z.object({
  /** The import to add them to; a new one without it. */
  id: z.string().refine(isRunId).optional(),
  /** The number of all files of the upload, also those that further calls name. */
  count: z.int().min(1),
  bytes: z.int().min(0),
  /** Path, bytes and time of change of each. */
  files: z.array(z.tuple([z.string().min(1).max(2_000), z.int().min(0), z.number()])).min(1),
});

/** Begins an upload, or names more files of it: refused before a byte is sent if there is no room. */
export const POST_FILES = createUploadRoute(async ({ runtime, request, operator }) => {
  const parsed = listing.safeParse(await readJson(request));
  if (!parsed.success) return refuse(400, "The list of files cannot be read.");
  const { count, bytes, files: given } = parsed.data;
  if (!runtime.behindOwnServer)
    return refuse(409, "This server cannot import from a browser. Use “spotline import” on the server.");
  if (count > MOST_FILES || bytes > MOST_BYTES || given.length > count) throw createSizeError();
  if (!(await hasRoom(runtime.config.dataDir, bytes)))
    return refuse(507, `The server's disk has no room for ${formatBytes(bytes)} and what the import needs.`);
  const files: RunFile[] = [];
  for (const [name, size, modifiedMs] of given) {
    const path = cleanPath(name);
    if (path === null) return refuse(400, `A file cannot be named ${name.slice(0, 200)} on the server.`);
    files.push({ path, bytes: size, modifiedMs: Math.floor(modifiedMs) });
  }
  const { importControl } = runtime;
  const known = parsed.data.id === undefined ? [] : await readRunFiles(runtime.database.pool, parsed.data.id);
  const twice = findTwice([...known, ...files]);
  if (twice !== null) return refuse(400, `Two files are named ${twice} on the server. Drop their folder instead.`);
  const id = parsed.data.id ?? (await importControl.create(operator));
  await importControl.addFiles(id, files);
  return { id };
});

async function readJson(request: Request): Promise<unknown> {
  try {
    return (await request.json()) as unknown;
  } catch {
    return null;
  }
}

/** A path that two files have, also where capitals do not count, or that is a folder of another file. */
function findTwice(files: readonly RunFile[]): string | null {
  const seen = new Set<string>();
  const folders = new Set<string>();
  for (const { path } of files) {
    const name = path.toLowerCase();
    if (seen.has(name)) return path;
    seen.add(name);
    for (let at = name.indexOf("/"); at !== -1; at = name.indexOf("/", at + 1)) folders.add(name.slice(0, at));
  }
  return files.find(({ path }) => folders.has(path.toLowerCase()))?.path ?? null;
}

type OfRun = { readonly id: string };

/** The files of an upload in its order, with how much of each was received. */
export const GET_RECEIVED = createUploadRoute<OfRun>(async ({ runtime, params }) => {
  const run = await runtime.importControl.require(params.id);
  const files = await readRunFiles(runtime.database.pool, run.id);
  const received = await readReceived(runtime.config.dataDir, run.id, files);
  return {
    state: run.state,
    files: files.map(({ path, bytes, modifiedMs }, at) => [path, bytes, modifiedMs, received[at] ?? 0]),
  };
});

/** The lists of files of the newest uploads: each has thousands of pieces. */
const lists = new Map<string, readonly RunFile[]>();
const MOST_LISTS = 4;

async function findFile({ database: { pool } }: Runtime, id: string, at: number): Promise<RunFile | undefined> {
  const listed = lists.get(id)?.[at];
  if (listed !== undefined) return listed;
  const files = await readRunFiles(pool, id);
  lists.delete(id);
  lists.set(id, files);
  for (const oldest of lists.keys()) if (lists.size > MOST_LISTS) lists.delete(oldest);
  return files[at];
}

/** Takes a piece of a file: `?file=` is its place in the list, `?offset=` where the piece begins. */
export const PUT_PIECE = createUploadRoute<OfRun>(async ({ runtime, request, query, params: { id } }) => {
  const [at, offset] = [readWhole(query.get("file")), readWhole(query.get("offset"))];
  if (at === null || offset === null || !isRunId(id)) return refuse(400, "A piece needs its file and its offset.");
  const state = await noteReceiving(runtime.database.pool, id);
  if (state === null) return refuse(404, "There is no such import.");
  if (state !== "uploading") return refuse(410, "The upload is over.");
  const file = await findFile(runtime, id, at);
  if (file === undefined) return refuse(404, "The upload has no such file.");
  const content = new Uint8Array(await request.arrayBuffer());
  if (content.length > PIECE_BYTES) return refuse(413, "The piece is too large.");
  if (offset + content.length > file.bytes) return refuse(400, "The file is longer than it was said to be.");
  const received = await writePiece(runtime.config.dataDir, id, file, { offset, content });
  return { received };
});

function readWhole(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Ends an upload, and has its files read. Answers 409 while something is missing. */
export const POST_COMPLETE = createUploadRoute<OfRun>(async ({ runtime, params: { id } }) => {
  const { importControl, config, database } = runtime;
  const run = await importControl.require(id);
  // Repeated after an answer that was lost.
  if (run.state !== "uploading") return { state: run.state };
  const files = await readRunFiles(database.pool, id);
  const received = await readReceived(config.dataDir, id, files);
  const missing = files.filter(({ bytes }, at) => received[at] !== bytes).length;
  if (missing > 0 || files.length === 0) return refuse(409, "Some files were not received as a whole.");
  await importControl.plan(id, run.options);
  return { state: "planning" };
});

/** Removes the files of an import that was discarded. */
export async function discardUpload({ config }: Runtime, id: string): Promise<void> {
  lists.delete(id);
  await removeUpload(config.dataDir, id);
}
