import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import type { CalendarKind } from "@/lib/export/calendar-data";
import type { ManifestFile } from "@/lib/export/folder-files";
import type { PriceKind } from "@/lib/export/price-data";
import type { Format } from "@/lib/export/table";
import type { TickResolution } from "@/lib/history/tapes/kept-ticks";
import type { StoredTimeframe } from "@/lib/market/timeframe";
import { SECOND_MS } from "@/lib/time/units";

/**
 * Exports that callers of the API ask for, as rows. A process of a server works on each: queued → running → done or failed.
 * What was interrupted is continued, by the same server or by another one.
 */

export interface ExportRequest {
  readonly what: PriceKind | CalendarKind;
  /** Empty for the calendar. */
  readonly symbols: readonly string[];
  /** The timeframe of bars; null for anything else. */
  readonly timeframe: StoredTimeframe | null;
  /** The resolution of ticks; null for anything else, and absent in exports of versions that had seconds only. */
  readonly resolution?: TickResolution | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly format: Format;
  /** Whether events have their released figures. */
  readonly withActual: boolean;
}

type ExportState = "queued" | "running" | "done" | "failed";

export type ExportedFile = Pick<
  ManifestFile,
  "path" | "symbol" | "month" | "from" | "to" | "complete" | "rows" | "bytes" | "sha256"
>;

export interface ExportProgress {
  /** Finished files, of so many months that may have rows. */
  readonly files: number;
  readonly of: number;
  readonly rows: number;
  readonly bytes: number;
}

export interface ExportJob {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly request: ExportRequest;
  readonly state: ExportState;
  readonly progress: ExportProgress | null;
  readonly files: readonly ExportedFile[];
  /** The symbols of which nothing is stored in the range, and why; null for the calendar. */
  readonly empty: readonly { readonly symbol: string | null; readonly reason: string }[];
  readonly error: string | null;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
  readonly expiresAtMs: number | null;
}

type Queryable = Pick<Pool, "query"> | Pick<PoolClient, "query">;

/** A process that said nothing for this long has ended. It says something every second. */
const SILENT = "seen_at < now() - interval '10 seconds'";
const IS_WAITING = `state IN ('queued', 'running') AND (worker IS NULL OR ${SILENT})`;
const toMs = (column: string) => `extract(epoch FROM ${column})::float8 * 1000`;
const COLUMNS = `id, account_id AS "accountId", key_id AS "keyId", request, state, progress, files, empty, error,
  ${toMs("created_at")} AS "createdAtMs", ${toMs("finished_at")} AS "finishedAtMs", ${toMs("expires_at")} AS "expiresAtMs"`;

/** How long the files of a finished export are kept, and the reason of one that failed. */
const KEPT_DAYS = 7;
const FAILED_KEPT_DAYS = 1;

export function isJobId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** An export that has not expired; null if there is none. */
export async function readJob(db: Queryable, id: string): Promise<ExportJob | null> {
  if (!isJobId(id)) return null;
  const { rows } = await db.query<ExportJob>(
    `SELECT ${COLUMNS} FROM export_job WHERE id = $1 AND (expires_at IS NULL OR expires_at > now())`,
    [id],
  );
  return rows[0] ?? null;
}

/** The exports of an account, newest first. */
export async function listJobs(db: Queryable, accountId: string): Promise<ExportJob[]> {
  const { rows } = await db.query<ExportJob>(
    `SELECT ${COLUMNS} FROM export_job WHERE account_id = $1 AND (expires_at IS NULL OR expires_at > now())
      ORDER BY created_at DESC, id`,
    [accountId],
  );
  return rows;
}

/** The exports that wait for a process, longest waiting first. */
export async function listWaitingJobs(db: Queryable): Promise<readonly { readonly id: string }[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM export_job WHERE ${IS_WAITING} ORDER BY created_at LIMIT 50`,
  );
  return rows;
}

/** A process that works on an export. */
export interface JobClaim {
  readonly id: string;
  readonly worker: string;
}

/** Takes an export that waits; null if another process has it. */
export async function claimJob(db: Queryable, id: string) {
  const claim: JobClaim = { id, worker: randomUUID() };
  const { rows } = await db.query<ExportJob>(
    `UPDATE export_job SET worker = $2, seen_at = now(), state = 'running' WHERE id = $1 AND ${IS_WAITING}
      RETURNING ${COLUMNS}`,
    [claim.id, claim.worker],
  );
  const [job] = rows;
  return job === undefined ? null : { claim, job };
}

/** Thrown where an export was deleted, or where another process has taken it over. */
export class JobStopped extends Error {
  override readonly name = "JobStopped";
  constructor() {
    super("The export was stopped");
  }
}

/**
 * Says every second that the process works on an export, and how far it is. `signal` is aborted with JobStopped once it is
 * no longer its own. A database that cannot be reached now does not stop it.
 */
export function holdJob(pool: Pool, { id, worker }: JobClaim) {
  const controller = new AbortController();
  let noted: ExportProgress | null = null;
  let saving: Promise<void> | null = null;
  const save = async () => {
    const text = `UPDATE export_job SET seen_at = now(), progress = coalesce($3::jsonb, progress)
                   WHERE id = $1 AND worker = $2 AND state = 'running'`;
    const values = [id, worker, noted === null ? null : JSON.stringify(noted)];
    const isOwn = await pool.query(text, values).then(
      ({ rowCount }) => rowCount === 1,
      () => true,
    );
    if (!isOwn) controller.abort(new JobStopped());
  };
  const timer = setInterval(() => {
    saving ??= save().finally(() => (saving = null));
  }, SECOND_MS);
  return {
    signal: controller.signal,
    note: (progress: ExportProgress) => void (noted = progress),
    async stop() {
      clearInterval(timer);
      await saving;
    },
  };
}

/** Ends the work of a process with its files. Does nothing if the export is no longer its own. */
export async function finishJob(
  db: Queryable,
  { id, worker }: JobClaim,
  { files, empty, progress }: Pick<ExportJob, "files" | "empty" | "progress">,
): Promise<void> {
  await db.query(
    `UPDATE export_job SET state = 'done', files = $3, empty = $4, progress = $5, worker = NULL, finished_at = now(),
            expires_at = now() + interval '${KEPT_DAYS} days'
      WHERE id = $1 AND worker = $2`,
    [id, worker, ...[files, empty, progress].map((value) => JSON.stringify(value))],
  );
}

/** @param worker the process whose own it must be; null where its processes end without a word */
export async function failJob(db: Queryable, id: string, worker: string | null, error: string): Promise<void> {
  await db.query(
    `UPDATE export_job SET state = 'failed', error = $3, worker = NULL, finished_at = now(),
            expires_at = now() + interval '${FAILED_KEPT_DAYS} day'
      WHERE id = $1 AND state IN ('queued', 'running') AND ($2::uuid IS NULL OR worker = $2)`,
    [id, worker, error],
  );
}

/** Gives an export back, so that another process may go on with it at once. */
export async function releaseJob(db: Queryable, { id, worker }: JobClaim): Promise<void> {
  await db.query("UPDATE export_job SET worker = NULL, seen_at = NULL WHERE id = $1 AND worker = $2", [id, worker]);
}

/** Removes expired exports. Returns those of `ids` that are gone: their files are not needed any more. */
export async function removeExpiredJobs(db: Queryable, ids: readonly string[]): Promise<string[]> {
  await db.query("DELETE FROM export_job WHERE expires_at <= now()");
  const { rows } = await db.query<{ id: string }>(
    "SELECT id FROM unnest($1::uuid[]) AS listed (id) LEFT JOIN export_job USING (id) WHERE state IS NULL",
    [ids],
  );
  return rows.map(({ id }) => id);
}
