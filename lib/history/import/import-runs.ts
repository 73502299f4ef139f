import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import type { GivenOptions } from "@/lib/history/import/import-options";
import type { ImportSummary } from "@/lib/history/import/import-summary";
import { type RunClaim, type RunState, RunStopped } from "@/lib/history/import/run-claim";
import { SECOND_MS } from "@/lib/time/units";

/**
 * The imports as rows, those of the page and those of the command. Several processes write to a row: the pages store what
 * operators want, and the process that works on it stores how far it is. Each transition names the states that it leaves.
 */

/** States in which a process works on an import, or is about to. */
const WORKING: readonly RunState[] = ["planning", "queued", "importing", "undoing"];

/** A file of an import, in the order of reading. The path of an upload is relative and has slashes. */
export interface RunFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

interface RunProgress {
  readonly rows: number;
  readonly bytesRead: number;
  readonly bytes: number;
  /** The file that is read. */
  readonly file: string;
  /** When this process began, UTC milliseconds. */
  readonly startedAtMs: number;
  /** Rows and bytes at that time: those of files that an earlier process had finished. */
  readonly rowsBefore: number;
  readonly bytesBefore: number;
}

export interface ImportRun {
  readonly id: string;
  /** The e-mail address of the account that began it; null for the command line, and for an account that is gone. */
  readonly account: string | null;
  readonly byCommand: boolean;
  readonly state: RunState;
  /** Whether its process ended without saying so. Only a command is left so: servers continue what they began. */
  readonly isInterrupted: boolean;
  readonly fileCount: number;
  readonly firstFile: string;
  readonly bytes: number;
  readonly options: GivenOptions;
  readonly summary: ImportSummary | null;
  /** Whether the summary is that of the import, not of its dry run. */
  readonly isImported: boolean;
  readonly progress: RunProgress | null;
  readonly error: string | null;
  readonly canUndo: boolean;
  readonly begunAtMs: number;
  readonly changedAtMs: number;
}

type Queryable = Pick<Pool, "query"> | Pick<PoolClient, "query">;

/** A process that said nothing for this long has ended. It says something every second. */
const SILENT = "seen_at < now() - interval '10 seconds'";
const IS_INTERRUPTED = `(state = 'importing' AND by_command AND ${SILENT})`;
const CAN_UNDO = `(NOT undo_expired AND (state IN ('done', 'failed', 'cancelled') OR ${IS_INTERRUPTED})
                   AND EXISTS (SELECT FROM import_undo WHERE run_id = import_run.id))`;
const COLUMNS = `import_run.id, account.email AS account, by_command AS "byCommand", state, ${IS_INTERRUPTED} AS "isInterrupted",
  file_count AS "fileCount", coalesce(files->0->>'path', '') AS "firstFile", bytes::float8 AS bytes, options,
  report IS NOT NULL AS "isImported", progress, error, ${CAN_UNDO} AS "canUndo",
  extract(epoch FROM begun_at)::float8 * 1000 AS "begunAtMs", extract(epoch FROM changed_at)::float8 * 1000 AS "changedAtMs"`;
const FROM = "import_run LEFT JOIN account ON account.id = account_id";
const MOST_LISTED = 100;

/** Whether a text is the id of an import. */
export function isRunId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** An import in the list of all: without its series. */
export interface ListedRun extends Omit<ImportRun, "summary"> {
  readonly summary: Pick<ImportSummary, "accepted" | "added"> | null;
}

/** The newest imports, newest first. */
export async function listRuns(db: Queryable): Promise<ListedRun[]> {
  const counts = "json_build_object('accepted', summary->'accepted', 'added', summary->'added')";
  const { rows } = await db.query<ListedRun>(
    `SELECT ${COLUMNS}, CASE WHEN summary IS NOT NULL THEN ${counts} END AS summary FROM ${FROM}
      ORDER BY begun_at DESC, import_run.id LIMIT ${MOST_LISTED}`,
  );
  return rows;
}

/** An import; null if there is none. */
export async function readRun(db: Queryable, id: string): Promise<ImportRun | null> {
  if (!isRunId(id)) return null;
  const { rows } = await db.query<ImportRun>(`SELECT ${COLUMNS}, summary FROM ${FROM} WHERE import_run.id = $1`, [id]);
  return rows[0] ?? null;
}

export async function readRunFiles(db: Queryable, id: string): Promise<readonly RunFile[]> {
  const { rows } = await db.query<{ files: readonly RunFile[] }>("SELECT files FROM import_run WHERE id = $1", [id]);
  return rows[0]?.files ?? [];
}

/** The plan and the report of an import, as the command prints them. */
export async function readRunDocuments(db: Queryable, id: string) {
  const { rows } = await db.query<{ plan: unknown; report: unknown }>(
    "SELECT plan, report FROM import_run WHERE id = $1",
    [id],
  );
  return rows[0] ?? null;
}

/** Adds the row of a command, which works on it from now on. */
export async function beginCommand(db: Queryable, files: readonly RunFile[], options: GivenOptions): Promise<RunClaim> {
  const claim = { id: randomUUID(), worker: randomUUID() };
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  await db.query(
    `INSERT INTO import_run (id, by_command, state, files, file_count, bytes, options, worker, seen_at)
     VALUES ($1, TRUE, 'importing', $2, $3, $4, $5, $6, now())`,
    [claim.id, JSON.stringify(files), files.length, bytes, JSON.stringify(options), claim.worker],
  );
  return claim;
}

/** The imports that wait for a process, longest waiting first. */
export async function listWaiting(db: Queryable): Promise<{ readonly id: string; readonly state: RunState }[]> {
  const { rows } = await db.query<{ id: string; state: RunState }>(
    `SELECT id, state FROM import_run
      WHERE state IN ('planning', 'queued', 'importing', 'undoing') AND NOT (by_command AND state = 'importing')
        AND (worker IS NULL OR ${SILENT})
      ORDER BY changed_at LIMIT 50`,
  );
  return rows;
}

/** A plan whose processes ended so often without a word, such as for lack of memory, is not read again by itself. */
const MOST_CRASHES_OF_PLAN = 2;
const PLAN_SET_ASIDE = `Twice the process that read its files ended without a word, as for lack of memory. Read them again on this page, or import them one by one with “spotline import” to find the one.`;

/**
 * Takes an import that waits, and returns what is to be done; null if another process has it, or if it is a plan that is
 * set aside because its processes end.
 */
export async function claimRun(db: Queryable, claim: RunClaim): Promise<RunState | null> {
  const { rows } = await db.query<{ state: RunState; crashes: number }>(
    `UPDATE import_run SET worker = $2, seen_at = now(), state = CASE state WHEN 'queued' THEN 'importing' ELSE state END,
            crashes = crashes + CASE WHEN worker IS NULL THEN 0 ELSE 1 END
      WHERE id = $1 AND state = ANY ($3) AND (worker IS NULL OR ${SILENT}) RETURNING state, crashes`,
    [claim.id, claim.worker, WORKING],
  );
  const [row] = rows;
  if (row?.state !== "planning" || row.crashes < MOST_CRASHES_OF_PLAN) return row?.state ?? null;
  await endWork(db, claim, { state: "failed", error: PLAN_SET_ASIDE });
  return null;
}

/** Says that the process works on. Resolves with false once it must stop. */
async function saveProgress(db: Queryable, claim: RunClaim, progress: RunProgress | null): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE import_run SET seen_at = now(), progress = coalesce($3::jsonb, progress)
      WHERE id = $1 AND worker = $2 AND state = ANY ($4)`,
    [claim.id, claim.worker, progress === null ? null : JSON.stringify(progress), WORKING],
  );
  return rowCount === 1;
}

/** What a process that works on an import holds while it does. */
export interface HeldClaim {
  /** Aborted, with RunStopped as its reason, once the import was stopped or another process has taken it over. */
  readonly signal: AbortSignal;
  /** Notes how far it is. It is stored at most once a second. */
  note(progress: RunProgress): void;
  stop(): Promise<void>;
}

/** Says every second that the process works on the import. A database that cannot be reached now does not stop it. */
export function holdClaim(pool: Pool, claim: RunClaim): HeldClaim {
  const controller = new AbortController();
  let noted: RunProgress | null = null;
  let saving: Promise<void> | null = null;
  const save = async () => {
    const isOwn = await saveProgress(pool, claim, noted).catch(() => true);
    if (!isOwn) controller.abort(new RunStopped());
  };
  const timer = setInterval(() => {
    saving ??= save().finally(() => (saving = null));
  }, SECOND_MS);
  return {
    signal: controller.signal,
    note: (progress) => void (noted = progress),
    async stop() {
      clearInterval(timer);
      await saving;
    },
  };
}

interface Ending {
  readonly state: RunState;
  readonly plan?: unknown;
  readonly report?: unknown;
  readonly summary?: ImportSummary;
  readonly error?: string | null;
}

/** Ends the work of a process. Does nothing if the import is no longer its own. */
export async function endWork(db: Queryable, claim: RunClaim, ending: Ending): Promise<void> {
  const { state, plan, report, summary, error = null } = ending;
  const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await db.query(
    `UPDATE import_run
        SET state = $3, plan = coalesce($4::json, plan), report = coalesce($5::json, report),
            summary = coalesce($6::json, summary), error = $7, worker = NULL, progress = NULL, crashes = 0,
            changed_at = now()
      WHERE id = $1 AND worker = $2 AND state = ANY ($8)`,
    [claim.id, claim.worker, state, toJson(plan), toJson(report), toJson(summary), error, WORKING],
  );
}

/** Gives an import back, so that another process may go on with it at once. */
export async function releaseClaim(db: Queryable, { id, worker }: RunClaim): Promise<void> {
  await db.query("UPDATE import_run SET worker = NULL, seen_at = NULL WHERE id = $1 AND worker = $2", [id, worker]);
}

/**
 * Ends imports whose files no server has: after a restored backup, for example. Where several machines may have some, one
 * that is busy for long is waited for.
 *
 * @param here the imports of which this machine has the files
 */
export async function failLost(db: Queryable, here: readonly string[], isOnlyMachine: boolean): Promise<void> {
  await db.query(
    `UPDATE import_run SET state = 'failed', error = 'Its files are not on the server any more. Upload them again.',
            worker = NULL, progress = NULL, changed_at = now()
      WHERE state IN ('planning', 'queued', 'importing') AND NOT by_command AND (worker IS NULL OR ${SILENT})
        AND id <> ALL ($1::uuid[]) AND changed_at < now() - make_interval(mins => $2)`,
    [here, isOnlyMachine ? 1 : 1_440],
  );
}

/** Ends an import whose processes end without a word. */
export async function failRun(db: Queryable, id: string, error: string): Promise<void> {
  await db.query(
    `UPDATE import_run SET state = 'failed', error = $2, worker = NULL, progress = NULL, changed_at = now()
      WHERE id = $1 AND state = ANY ($3)`,
    [id, error, WORKING],
  );
}

/**
 * Removes uploads that received nothing for a day, plans that nobody imported for a day, and commands that ended without a
 * word before they stored anything.
 */
export async function removeAbandoned(db: Queryable): Promise<void> {
  await db.query(
    `DELETE FROM import_run WHERE (state IN ('uploading', 'planned') OR ${IS_INTERRUPTED})
        AND changed_at < now() - interval '1 day' AND NOT EXISTS (SELECT FROM import_undo WHERE run_id = import_run.id)`,
  );
}

/**
 * The state of an import that receives a piece of a file; null if there is none. An upload that receives something is not
 * abandoned.
 */
export async function noteReceiving(db: Queryable, id: string): Promise<RunState | null> {
  const { rows } = await db.query<{ state: RunState }>(
    `WITH noted AS (UPDATE import_run SET changed_at = now()
                     WHERE id = $1 AND state = 'uploading' AND changed_at < now() - interval '1 hour')
     SELECT state FROM import_run WHERE id = $1`,
    [id],
  );
  return rows[0]?.state ?? null;
}

/**
 * Lists the imports whose files are not needed any more: finished ones, those that failed or were stopped a day ago,
 * and those that are gone.
 */
export async function listFinished(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM unnest($1::uuid[]) AS listed (id) LEFT JOIN import_run USING (id)
      WHERE state IS NULL OR state IN ('done', 'undone') OR (state IN ('failed', 'cancelled') AND changed_at < now() - interval '1 day')`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Removes the row of a command that has stored nothing. Resolves with whether it is gone. */
export async function dropIfEmpty(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "DELETE FROM import_run WHERE id = $1 AND NOT EXISTS (SELECT FROM import_undo WHERE run_id = $1)",
    [id],
  );
  return rowCount === 1;
}

const KEPT_DAYS = 90;
const ROWS_AT_ONCE = 2_000;

/** Removes what was kept for undoing imports of long ago, in statements of a bounded size. */
export async function expireUndo(pool: Pool): Promise<void> {
  await pool.query(
    `UPDATE import_run SET undo_expired = TRUE
      WHERE NOT undo_expired AND state <> 'undoing' AND changed_at < now() - make_interval(days => ${KEPT_DAYS})`,
  );
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM import_undo WHERE (run_id, symbol, hour, timeframe, source) IN (
         SELECT run_id, symbol, hour, timeframe, source FROM import_undo JOIN import_run ON id = run_id
          WHERE undo_expired LIMIT ${ROWS_AT_ONCE})`,
    );
    if (rowCount === 0) return;
  }
}
