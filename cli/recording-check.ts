import { statfs } from "node:fs/promises";
import type { ClientBase, Pool } from "pg";
import { formatBytes } from "@/lib/text/text";
import { formatUptime } from "@/lib/time/duration";
import { SECOND_MS } from "@/lib/time/units";

/** Checks the progress of the recording, its gaps, and the free disk space. */

interface Verdict {
  readonly state: "ok" | "note" | "wrong";
  readonly detail: string;
}

interface Recorded {
  /** Unix time of the newest second; null before the first. */
  readonly newest: number | null;
  readonly open: number;
  readonly closed: number;
  /** Hours without a tick among the 24 that end with the newest second. */
  readonly missing: number;
  readonly bytes: string;
}

/** An hour of ticks takes about ten megabytes, so this is enough for a few days. */
const MIN_FREE_BYTES = 1_000_000_000;

/** @param folder the folder of the database, or null if it is unknown */
export async function checkRecording(
  database: Pick<Pool | ClientBase, "query">,
  folder: string | null,
  nowMs: number,
): Promise<Verdict> {
  const { rows } = await (database as Pool).query<Recorded>(
    `WITH newest AS (
       SELECT greatest((SELECT max(second) FROM tick_second), (SELECT max(hour) * 3600 + 3599 FROM tick_hour)) AS second
     ), wanted AS (
       SELECT generate_series(second / 3600 - 23, second / 3600) AS hour FROM newest
     ), known AS (
       SELECT DISTINCT hour FROM tick_hour, newest WHERE hour > second / 3600 - 24
        UNION SELECT DISTINCT tick_second.second / 3600 FROM tick_second
     )
     SELECT newest.second AS newest,
            (SELECT count(DISTINCT second / 3600)::int FROM tick_second) AS open,
            (SELECT count(DISTINCT hour)::int FROM tick_hour) AS closed,
            (SELECT count(*)::int FROM wanted WHERE hour NOT IN (SELECT hour FROM known)) AS missing,
            pg_database_size(current_database()) AS bytes
       FROM newest`,
  );
  const recorded = rows[0];
  if (recorded === undefined || recorded.newest === null) return { state: "note", detail: "nothing is recorded yet" };
  const { newest, open, closed, missing, bytes } = recorded;
  const ageS = Math.max(0, Math.floor(nowMs / 1000) - newest);
  const { text: freeSpace, isShort } = await readFreeSpace(folder);
  const detail = [
    `newest second ${new Date(newest * 1000).toISOString().slice(0, 19)}Z, ${formatUptime(ageS * SECOND_MS)} ago`,
    `hours with ticks: ${open} open, ${closed} closed`,
    missing === 0 ? "the last 24 have no gap" : `${missing} of the last 24 have no tick at all`,
    `database ${formatBytes(Number(bytes))}${freeSpace}`,
  ].join("; ");
  return { state: isShort ? "wrong" : missing > 0 ? "note" : "ok", detail };
}

async function readFreeSpace(folder: string | null): Promise<{ text: string; isShort: boolean }> {
  if (folder === null) return { text: "", isShort: false };
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const isShort = free < MIN_FREE_BYTES;
  return { text: `, ${formatBytes(free)} free${isShort ? ", too little for recording to continue" : ""}`, isShort };
}
