import type { Pool } from "pg";
import { type MinuteWindow, WINDOW_MS } from "@/lib/access/admission/minute-window";

/** Stores open minute windows in the database, at most a second late, so that a restarted process continues them. */

interface Directory {
  key(id: string): { readonly minute: MinuteWindow } | undefined;
}

/** @param writer a unique id of this process */
export function createMinuteRows(directory: Directory, writer: string) {
  let unwritten = new Set<string>();
  let deletedAtMs = -Infinity;

  return {
    /** Marks the window of this key to be written at the next flush. */
    mark(keyId: string): void {
      unwritten.add(keyId);
    },

    /** Writes the marked windows. If the database fails it rejects and keeps the marks. */
    async flush(pool: Pool, nowMs: number): Promise<void> {
      const marked = unwritten;
      unwritten = new Set();
      try {
        await writeWindows(pool, writer, openWindows(directory, marked, nowMs));
        if (nowMs - deletedAtMs < WINDOW_MS && nowMs >= deletedAtMs) return;
        await deleteOldWindows(pool, nowMs);
        deletedAtMs = nowMs;
      } catch (error) {
        for (const keyId of marked) unwritten.add(keyId);
        throw error;
      }
    },

    /** Restores the windows that are still open. */
    async restore(pool: Pool, nowMs: number): Promise<void> {
      for (const { keyId, startedAtMs, used } of await readWindows(pool, nowMs)) {
        const minute = directory.key(keyId)?.minute;
        if (minute === undefined) continue;
        minute.startedAtMs = startedAtMs;
        minute.used = used;
      }
      await deleteOldWindows(pool, nowMs);
      deletedAtMs = nowMs;
    },
  };
}

interface WindowRow {
  readonly keyId: string;
  readonly startedAtMs: number;
  readonly used: number;
}

function openWindows(directory: Directory, keyIds: Iterable<string>, nowMs: number): WindowRow[] {
  const rows: WindowRow[] = [];
  for (const keyId of keyIds) {
    const minute = directory.key(keyId)?.minute;
    if (minute === undefined || minute.used === 0 || nowMs - minute.startedAtMs >= WINDOW_MS) continue;
    rows.push({ keyId, startedAtMs: minute.startedAtMs, used: minute.used });
  }
  return rows;
}

async function writeWindows(pool: Pool, writer: string, rows: readonly WindowRow[]): Promise<void> {
  if (rows.length === 0) return;
  await pool.query(
    `INSERT INTO minute_window (key_id, writer, started_at, used)
     SELECT key_id, $1::uuid, to_timestamp(started_at_ms / 1000), used
       FROM unnest($2::uuid[], $3::float8[], $4::int4[]) AS open_window (key_id, started_at_ms, used)
     ON CONFLICT (key_id, writer) DO UPDATE SET started_at = excluded.started_at, used = excluded.used
      WHERE (minute_window.started_at, minute_window.used) <> (excluded.started_at, excluded.used)`,
    [writer, rows.map(({ keyId }) => keyId), rows.map((row) => row.startedAtMs), rows.map(({ used }) => used)],
  );
}

/** Of several processes' windows of one key, the one with the most calls, to be safe. */
async function readWindows(pool: Pool, nowMs: number): Promise<WindowRow[]> {
  const { rows } = await pool.query<WindowRow>(
    `SELECT DISTINCT ON (key_id)
            key_id AS "keyId", (extract(epoch FROM started_at) * 1000)::float8 AS "startedAtMs", used
       FROM minute_window WHERE started_at > to_timestamp($1::float8 / 1000)
      ORDER BY key_id, used DESC, started_at DESC`,
    [nowMs - WINDOW_MS],
  );
  return rows;
}

async function deleteOldWindows(pool: Pool, nowMs: number): Promise<void> {
  await pool.query(`DELETE FROM minute_window WHERE started_at <= to_timestamp($1::float8 / 1000)`, [
    nowMs - WINDOW_MS,
  ]);
}
