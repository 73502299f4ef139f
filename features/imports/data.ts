import { type ImportRun, type ListedRun, listRuns, readRun, readRunFiles } from "@/lib/history/import/import-runs";
import { readReceived } from "@/lib/history/import/import-uploads";
import type { Runtime } from "@/lib/runtime";

/** The data of the page of imports. */
export interface ImportsData {
  readonly nowMs: number;
  readonly runs: readonly ListedRun[];
}

/** The data of the page of one import. */
export interface ImportData {
  readonly nowMs: number;
  /** Null once it was discarded. */
  readonly run: ImportRun | null;
  /** Bytes of its files that were received; null once all were. */
  readonly receivedBytes: number | null;
}

export async function readImports({ database, now }: Runtime): Promise<ImportsData> {
  return { nowMs: now(), runs: await listRuns(database.pool) };
}

export async function readImport({ database, config, now }: Runtime, id: string): Promise<ImportData> {
  const run = await readRun(database.pool, id);
  if (run?.state !== "uploading") return { nowMs: now(), run, receivedBytes: null };
  const received = await readReceived(config.dataDir, id, await readRunFiles(database.pool, id));
  return { nowMs: now(), run, receivedBytes: received.reduce((sum, bytes) => sum + bytes, 0) };
}
