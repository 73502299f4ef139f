import { randomUUID } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import type { Operator, OperatorCli } from "@/lib/access/actor";
import { type EventName, type Facts, NO_ACCOUNT, record } from "@/lib/access/audit/record";
import { change } from "@/lib/access/revision";
import { type GivenOptions, readImportOptions } from "@/lib/history/import/import-options";
import { type ImportRun, readRun, type RunFile } from "@/lib/history/import/import-runs";
import { type RunState } from "@/lib/history/import/run-claim";
import { requireUndoable, UndoRefused } from "@/lib/history/import/undo-import";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { formatCount } from "@/lib/text/text";

/** What operators do with imports. A process of the server does the work; see lib/runtime/job-runner.ts. */

export type ImportControl = ReturnType<typeof createImportControl>;

/** More files, or more bytes, are for the command, which reads them where they are. */
export const MOST_FILES = 10_000;
export const MOST_BYTES = 8 * 1024 ** 3;

const PLANNABLE: readonly RunState[] = ["uploading", "planned", "failed", "cancelled"];
const STARTABLE: readonly RunState[] = ["planned", "failed", "cancelled"];
const STOPPABLE: readonly RunState[] = ["queued", "importing"];
/** An import that has stored something cannot be discarded: its outcome is kept. */
const DISCARDABLE: readonly RunState[] = ["uploading", "planning", "planned", "failed", "cancelled"];

export function createImportControl(database: Database, { now }: { readonly now: Clock }) {
  const { pool } = database;

  async function require(id: string): Promise<ImportRun> {
    const run = await readRun(pool, id);
    if (run === null) throw new AccessError("import_not_found", "There is no such import.");
    return run;
  }

  /** Changes the state of an import if it is one of `from`; rejects with the AccessError "import_state" if not. */
  async function move(
    run: ImportRun,
    from: readonly RunState[],
    to: RunState,
    audit: { readonly event: EventName; readonly by: Operator | OperatorCli; readonly facts?: Facts },
  ): Promise<void> {
    await change(database, async (transaction) => {
      const changed = await transaction.$executeRaw`
        UPDATE import_run SET state = ${to}, worker = NULL, seen_at = NULL, progress = NULL, error = NULL, changed_at = now()
         WHERE id = ${run.id}::uuid AND state = ANY (${[...from]})`;
      if (changed === 0) throw createStateError();
      const after = { import: run.id, files: run.fileCount, bytes: run.bytes, ...audit.facts };
      await record(transaction, { atMs: now(), event: audit.event, by: audit.by, accountId: NO_ACCOUNT, after });
    });
  }

  return {
    require,

    /** Begins an upload of files that `addFiles` names. Resolves with the id. */
    async create(by: Operator): Promise<string> {
      const id = randomUUID();
      await pool.query(
        `INSERT INTO import_run (id, account_id, by_command, state, files, file_count, bytes, options, begun_at, changed_at)
         VALUES ($1, $2, FALSE, 'uploading', '[]', 0, 0, '{}', $3, $3)`,
        [id, by.accountId, new Date(now())],
      );
      return id;
    },

    /**
     * Adds files to an upload; the caller has checked their names. Rejects with the AccessError "import_too_large" if there
     * are more than an import may have.
     */
    async addFiles(id: string, files: readonly RunFile[]): Promise<void> {
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      const { rowCount } = await pool.query(
        `UPDATE import_run SET files = files || $2::jsonb, file_count = file_count + $3, bytes = bytes + $4, changed_at = now()
          WHERE id = $1 AND state = 'uploading' AND file_count + $3 <= $5 AND bytes + $4 <= $6`,
        [id, JSON.stringify(files), files.length, bytes, MOST_FILES, MOST_BYTES],
      );
      if (rowCount === 1) return;
      const run = await require(id);
      if (run.state !== "uploading") throw createStateError();
      throw createSizeError();
    },

    /** Has the files of an import read with these options. Rejects with OptionRefused for one that has no meaning. */
    async plan(id: string, options: GivenOptions): Promise<void> {
      readImportOptions(options);
      const run = await require(id);
      // What is stored was read with other options.
      if (run.byCommand || run.isImported || run.canUndo) throw createStateError();
      const { rowCount } = await pool.query(
        `UPDATE import_run SET state = 'planning', options = $2, plan = NULL, summary = NULL, error = NULL, worker = NULL,
                seen_at = NULL, changed_at = now()
          WHERE id = $1 AND state = ANY ($3)`,
        [run.id, JSON.stringify(options), PLANNABLE],
      );
      if (rowCount !== 1) throw createStateError();
    },

    /** Has the files imported, or the import continued. */
    async start(id: string, by: Operator): Promise<void> {
      const run = await require(id);
      if (run.byCommand || run.summary === null) throw createStateError();
      await move(run, STARTABLE, "queued", { event: "import.begin", by, facts: { ...run.options } });
    },

    /** Records that a command begins an import. */
    async noteCommand(id: string, facts: Facts, by: OperatorCli): Promise<void> {
      await change(database, async (transaction) => {
        const after = { import: id, ...facts };
        await record(transaction, { atMs: now(), event: "import.begin", by, accountId: NO_ACCOUNT, after });
      });
    },

    /** Stops an import between two transactions; what it stored stays, and can be undone. */
    async stop(id: string, by: Operator): Promise<void> {
      await move(await require(id), STOPPABLE, "cancelled", { event: "import.stop", by });
    },

    /** Has an import undone. Rejects with the AccessError "import_state" and the reason if that is not possible. */
    async undo(id: string, by: Operator | OperatorCli): Promise<void> {
      const run = await require(id);
      if (run.state === "undoing") return;
      if (!run.canUndo) throw new AccessError("import_state", explainNoUndo(run));
      try {
        await requireUndoable(pool, run.id);
      } catch (error) {
        if (error instanceof UndoRefused) throw new AccessError("import_state", error.message);
        throw error;
      }
      await move(run, [run.state], "undoing", { event: "import.undo", by });
    },

    /** Removes an import that has stored nothing. */
    async discard(id: string): Promise<void> {
      const run = await require(id);
      const { rowCount } = await pool.query(
        `DELETE FROM import_run WHERE id = $1 AND state = ANY ($2) AND NOT by_command
            AND NOT EXISTS (SELECT FROM import_undo WHERE run_id = $1)`,
        [run.id, DISCARDABLE],
      );
      if (rowCount !== 1) throw createStateError();
    },
  };
}

export function createSizeError(): AccessError {
  return new AccessError(
    "import_too_large",
    `One import may have ${formatCount(MOST_FILES)} files and 8 GB. Use “spotline import” on the server for more.`,
  );
}

function createStateError(): AccessError {
  return new AccessError("import_state", "The import is in another state by now. Look at it again.");
}

function explainNoUndo({ state, isInterrupted }: ImportRun): string {
  if (state === "undone") return "The import is undone already.";
  if (!isInterrupted && ["queued", "importing"].includes(state)) return "The import still runs: stop it first.";
  if (state === "uploading" || state === "planning" || state === "planned") return "The import has stored nothing.";
  return "There is nothing to undo: it stored nothing, its rows were removed, or it is more than 90 days old.";
}
