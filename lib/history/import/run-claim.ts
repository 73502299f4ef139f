import type { PoolClient } from "pg";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";

/** What binds the transactions of an import to its row: the process that may write, and what it changes. */

/**
 * uploading → planning → planned → queued → importing → done, failed or cancelled → undoing → undone. An import whose
 * options are changed goes back to planning, one that is continued goes from failed or cancelled to queued, and an undo that
 * turns out to be impossible ends in failed.
 */
export type RunState =
  | "uploading"
  | "planning"
  | "planned"
  | "queued"
  | "importing"
  | "done"
  | "failed"
  | "cancelled"
  | "undoing"
  | "undone";

/** A process that works on an import. */
export interface RunClaim {
  readonly id: string;
  readonly worker: string;
}

/** Thrown where an import was stopped, or where another process has taken it over. */
export class RunStopped extends Error {
  override readonly name = "RunStopped";
  constructor() {
    super("The import was stopped");
  }
}

/** Throws RunStopped unless this process works on the import. Nobody stops it until the caller's transaction ends. */
export async function requireClaim(client: PoolClient, { id, worker }: RunClaim, state: RunState): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM import_run WHERE id = $1 AND worker = $2 AND state = $3 FOR SHARE",
    [id, worker, state],
  );
  if (rowCount !== 1) throw new RunStopped();
}

/** A part that an import changes. Hours are counted since 1970. */
export interface PartChange {
  readonly hour: number;
  readonly timeframe: number;
  readonly source: string;
  /** Its block before; null where there was none. */
  readonly before: Buffer | null;
}

/** Keeps what parts were before an import first changed them, in the transaction of the change. */
export async function noteChanges(
  client: PoolClient,
  id: string,
  symbol: string,
  changes: readonly PartChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const text = `
    INSERT INTO import_undo (run_id, symbol, hour, timeframe, source, block, first_change, last_change)
    SELECT $1, $2, part.*, imports, imports
      FROM unnest($3::int4[], $4::int2[], $5::text[], $6::bytea[]) AS part, history_revision
    ON CONFLICT (run_id, symbol, hour, timeframe, source) DO UPDATE SET last_change = excluded.last_change`;
  const values = [
    id,
    symbol,
    changes.map(({ hour }) => hour),
    changes.map(({ timeframe }) => timeframe),
    changes.map(({ source }) => source),
    changes.map(({ before }) => before),
  ];
  await client.query({ text, values, query_timeout: HOUR_WORK_TIMEOUT_MS } as { text: string; values: unknown[] });
}
