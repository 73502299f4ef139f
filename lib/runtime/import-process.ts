import { randomUUID } from "node:crypto";
import { constants, setPriority } from "node:os";
import { loadCatalog } from "@/lib/feeds/instrument-store";
import { type HistoryOptions, importAll, readHistoryOptions } from "@/lib/history/import/import-all";
import { readImportOptions } from "@/lib/history/import/import-options";
import {
  claimRun,
  endWork,
  type HeldClaim,
  holdClaim,
  type ImportRun,
  readRun,
  readRunFiles,
  releaseClaim,
} from "@/lib/history/import/import-runs";
import { type ImportSummary, nameSeries } from "@/lib/history/import/import-summary";
import { getUploadFolder } from "@/lib/history/import/import-uploads";
import { type RunClaim, RunStopped } from "@/lib/history/import/run-claim";
import { undoClaimed, UndoRefused } from "@/lib/history/import/undo-import";
import { loadConfig } from "@/lib/platform/config";
import { type Database, joinDatabase } from "@/lib/platform/database/database";
import { describeFault } from "@/lib/platform/database/database-errors";
import { silentLog } from "@/lib/platform/log/log";

/**
 * The process that works on one import: `import-process <id>`. The server starts it, and it ends with the server. Its
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
  const config = loadConfig(process.env);
  const { databaseUrl, dataDir, sessionSecret: secret } = config;
  const database = await joinDatabase({ databaseUrl, dataDir, secret, log: silentLog });
  const claim = { id, worker: randomUUID() };
  try {
    await loadCatalog(database.pool);
    const state = await claimRun(database.pool, claim);
    if (state === null) return;
    const held = holdClaim(database.pool, claim);
    const signal = AbortSignal.any([held.signal, ending.signal]);
    const history = await readHistoryOptions(config);
    const folder = getUploadFolder(dataDir, id);
    try {
      await work({ database, claim, held, signal, history, folder }, state);
    } finally {
      await held.stop();
    }
  } catch (error) {
    if (error instanceof ServerEnds) await releaseClaim(database.pool, claim);
    else if (!(error instanceof RunStopped) && !(error instanceof UndoRefused)) {
      await endWork(database.pool, claim, { state: "failed", error: describeFault(error) });
    }
  } finally {
    await database.close();
  }
}

interface Work {
  readonly database: Database;
  readonly claim: RunClaim;
  readonly held: HeldClaim;
  readonly signal: AbortSignal;
  readonly history: HistoryOptions;
  readonly folder: string;
}

async function work({ database, claim, held, signal, history, folder }: Work, state: string): Promise<void> {
  const { pool } = database;
  const startedAtMs = Date.now();
  if (state === "undoing") {
    const onProgress = (hours: number) => {
      held.note({ rows: hours, bytesRead: 0, bytes: 0, file: "", startedAtMs, rowsBefore: 0, bytesBefore: 0 });
      signal.throwIfAborted();
    };
    await undoClaimed(pool, claim, { ...history, onProgress });
    return;
  }
  const [run, files] = [await readRun(pool, claim.id), await readRunFiles(pool, claim.id)];
  if (run === null) return;
  // Reports name files as the operator knows them, and formats read folders of their paths.
  process.chdir(folder);
  const isDryRun = state === "planning";
  const listed = files.map(({ path }) => ({ path, isOfFolder: true })).sort((a, b) => (a.path < b.path ? -1 : 1));
  const done = await importAll(database, listed, {
    ...history,
    ...readImportOptions(run.options),
    ...{ run: claim, signal, isDryRun },
    onProgress: (progress) => held.note({ ...progress, startedAtMs }),
  });
  if (isDryRun) {
    await endWork(pool, claim, { state: "planned", plan: done.json, summary: done.summary });
    return;
  }
  // After a restart, the catalog has what the import had added before.
  const added = [...new Set([...(run.summary?.added_instruments ?? []), ...done.summary.added_instruments])];
  const summary = { ...done.summary, added_instruments: added, series: keepShapes(run, done.summary.series) };
  await endWork(pool, claim, { state: done.failed ? "failed" : "done", report: done.json, summary });
}

/** The series of an import, with the charts that its dry run has made. */
function keepShapes({ summary }: ImportRun, series: ImportSummary["series"]): ImportSummary["series"] {
  const shapes = new Map(summary?.series.map((each) => [nameSeries(each), each.shape]));
  return series.map((each) => ({ ...each, shape: shapes.get(nameSeries(each)) ?? null }));
}

await main(process.argv[2] ?? "");
process.exit(0);
