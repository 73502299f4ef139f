// Keeps the embedded database's write-ahead log small. PostgreSQL's own checkpoints need processes that PGlite does not
// have: without these the log grows until the server stops, and a killed server replays all of it at its next start.
import { BACKUP_NAME } from "./own-sessions.mjs";

/** A checkpoint is due when this much was logged since the last. */
const DUE_BYTES = 32 * 1024 * 1024;
const CHECK_MS = 1_000;

/** The log keeps at most this much after a checkpoint; 32 MB is the least that PostgreSQL accepts. */
export const walSettings = ["-c", "min_wal_size=32MB", "-c", "max_wal_size=64MB"];

/**
 * `onFailure` is called with the first error after a check that succeeded.
 * @param {import("./session-queue.mjs").SessionQueue} queue
 */
export function startCheckpoints(queue, onFailure) {
  let isFailing = false;
  const check = async () => {
    try {
      if (!queue.isConnected(BACKUP_NAME)) await queue.runOwn(checkpointIfDue);
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
    timer = setTimeout(check, CHECK_MS);
  };
  let timer = setTimeout(check, CHECK_MS);
  return { stop: () => clearTimeout(timer) };
}

async function checkpointIfDue(pglite) {
  const { rows } = await pglite.query(
    "SELECT pg_current_wal_insert_lsn() - redo_lsn > $1 AS is_due FROM pg_control_checkpoint()",
    [DUE_BYTES],
  );
  if (rows[0].is_due) await pglite.exec("CHECKPOINT");
}
