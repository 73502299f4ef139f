import { constants, setPriority } from "node:os";
import { CALENDAR_KINDS, createCalendarDataset } from "@/lib/export/calendar-data";
import { type Dataset, readPresent } from "@/lib/export/dataset";
import { exportFolder } from "@/lib/export/export-folder";
import {
  claimJob,
  type ExportedFile,
  type ExportJob,
  type ExportProgress,
  type ExportRequest,
  failJob,
  finishJob,
  holdJob,
  JobStopped,
  releaseJob,
} from "@/lib/export/export-jobs";
import { ExportStore } from "@/lib/export/export-store";
import { ExportRefused, type ManifestFile } from "@/lib/export/folder-files";
import { createPriceDataset, type PriceKind } from "@/lib/export/price-data";
import { loadCatalog } from "@/lib/feeds/instrument-store";
import { loadConfig } from "@/lib/platform/config";
import { type Database, joinDatabase } from "@/lib/platform/database/database";
import { describeFault, isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import { silentLog } from "@/lib/platform/log/log";
import { version } from "@/lib/platform/version";

/**
 * The process that works on one export: `export-process <id>`. The server starts it, and it ends with the server. Its
 * memory is its own, and prices come first for the processor.
 */

class ServerEnds extends Error {
  override readonly name = "ServerEnds";
}

async function main(id: string): Promise<void> {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const ending = new AbortController();
  const end = () => ending.abort(new ServerEnds("The server ends"));
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "disconnect"]) process.on(signal, end);
  const { databaseUrl, dataDir, sessionSecret: secret, exportBytes } = loadConfig(process.env);
  const database = await joinDatabase({ databaseUrl, dataDir, secret, log: silentLog });
  try {
    await loadCatalog(database.pool);
    const claimed = await claimJob(database.pool, id);
    if (claimed === null) return;
    const { claim, job } = claimed;
    const held = holdJob(database.pool, claim);
    const signal = AbortSignal.any([held.signal, ending.signal]);
    const store = new ExportStore(dataDir, exportBytes);
    try {
      let result: Awaited<ReturnType<typeof work>>;
      try {
        result = await work({ database, store, signal, note: held.note }, job);
      } finally {
        await held.stop();
      }
      await finishJob(database.pool, claim, result);
    } catch (error) {
      if (error instanceof ServerEnds) return await releaseJob(database.pool, claim);
      if (error instanceof JobStopped) return;
      // What was written stays, and the runner begins again where it ended.
      if (isDatabaseUnavailable(error)) throw error;
      await fail(database, job, claim.worker, error);
      await store.removeJob(id);
    }
  } finally {
    await database.close();
  }
}

/** Notes a failure: the reason for the caller where the caller can do something, and the rest for the log. */
async function fail(database: Database, { id }: ExportJob, worker: string, error: unknown): Promise<void> {
  const isRefused = error instanceof ExportRefused;
  if (!isRefused) process.stderr.write(`${(error as Error).stack ?? describeFault(error)}\n`);
  const reason = isRefused ? error.message : "The server failed. Try again, or tell its operator the id of the export.";
  await failJob(database.pool, id, worker, reason);
  if (!isRefused) process.exitCode = 1;
}

interface Work {
  readonly database: Database;
  readonly store: ExportStore;
  readonly signal: AbortSignal;
  readonly note: (progress: ExportProgress) => void;
}

/** Bytes after which the space on the disk is looked at again. */
const CHECKED_BYTES = 32 * 1024 * 1024;

async function work(
  { database: { pool }, store, signal, note }: Work,
  { id, request, createdAtMs }: ExportJob,
): Promise<Pick<ExportJob, "files" | "empty" | "progress">> {
  await store.requireRoom();
  const { symbols, fromMs, toMs, format } = request;
  // What came after the call is not in its files, whenever they are written.
  const { closedUntilMs, settledUntilMs } = await readPresent(pool, Date.now());
  const present = { closedUntilMs, settledUntilMs: Math.min(settledUntilMs, createdAtMs) };
  let progress: ExportProgress = { files: 0, of: 0, rows: 0, bytes: 0 };
  let unchecked = 0;
  let checking: Promise<void> | null = null;
  let fault: unknown = null;
  const dataset = createDataset(request);
  const outcome = await exportFolder({
    ...{ pool, datasets: [dataset], symbols, fromMs, toMs, format, present, version, signal },
    folder: store.getJobFolder(id),
    keptFromMs: -Infinity,
    shared: store,
    onPlan: (of) => note((progress = { ...progress, of })),
    onFile({ file }) {
      const { files, rows, bytes } = progress;
      progress = { ...progress, files: files + 1, rows: rows + file.rows, bytes: bytes + file.bytes };
      note(progress);
    },
    onBytes(count) {
      if (fault !== null) throw fault;
      unchecked += count;
      if (unchecked < CHECKED_BYTES || checking !== null) return;
      unchecked = 0;
      checking = store
        .requireRoom()
        .catch((error: unknown) => void (fault = error))
        .finally(() => void (checking = null));
    },
  });
  signal.throwIfAborted();
  const files = outcome.files.filter(({ state }) => state !== "removed").map(({ file }) => toFile(file));
  return { files, empty: outcome.empty.map(({ symbol, reason }) => ({ symbol, reason })), progress };
}

function createDataset({ what, timeframe, resolution, withActual }: ExportRequest): Dataset {
  const kind = CALENDAR_KINDS.find((each) => each === what);
  if (kind !== undefined) return createCalendarDataset(kind, withActual);
  return createPriceDataset(what as PriceKind, { timeframe, resolution });
}

function toFile({ path, symbol, month, from, to, complete, rows, bytes, sha256 }: ManifestFile): ExportedFile {
  return { path, symbol, month, from, to, complete, rows, bytes, sha256 };
}

await main(process.argv[2] ?? "");
process.exit();
