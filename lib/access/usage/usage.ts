import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { getDayStart } from "@/lib/access/admission/day-window";
import type { Directory, KeyEntry, LinkEntry } from "@/lib/access/admission/directory";
import { type MinuteWindow, WINDOW_MS } from "@/lib/access/admission/minute-window";
import { createLinkUses } from "@/lib/access/links";
import { createTraffic, type Traffic, type UsageCell } from "@/lib/access/usage/traffic";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { repeat, shareRuns } from "@/lib/platform/timing/repeat";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * Counts every call and writes the counts once a second. A failed write is repeated unchanged, with the same mark, so that
 * it is not counted twice if it did arrive. Later counts wait for it.
 */
export interface Usage {
  /** Counts one answered call. `endpoint` must be a path template, never a path that a caller can invent. */
  count(entry: KeyEntry, endpoint: string, status: number, credits: number, caller?: Caller, nowMs?: number): void;
  /** Records that a link was used, at most once a minute. */
  noteLink(link: LinkEntry, nowMs: number): void;
  /** The calls of the last minute, up to the last write. */
  traffic(): Traffic;
  /** Writes the counts. If the database fails it rejects and keeps them for the next flush. */
  flush(): Promise<void>;
  /** Milliseconds since the counts were last written without an error. */
  getSilenceMs(): number;
  /** Restores the open minute windows and today's quotas, after the directory has started; then flushes once a second. */
  start(): Promise<void>;
  /** Writes the last counts. */
  stop(): Promise<void>;
}

interface Options {
  readonly now: Clock;
  readonly log: Logger;
  readonly directory: Pick<Directory, "key">;
  readonly flushMs?: number;
}

const MAX_CELLS = 100_000;

export function createUsage(database: Database, { now, log, directory, flushMs = 1_000 }: Options): Usage {
  const cells = createUsageCells(MAX_CELLS);
  const lastUses = createLastUses();
  const linkUses = createLinkUses();
  const traffic = createTraffic({ now });
  const processId = randomUUID();
  const writer = `usage-writer:${processId}`;
  const minuteRows = createMinuteRows(directory, processId);
  let batches = 0;
  let unwritten: UsageBatch | null = null;

  async function writeAll(): Promise<void> {
    // A batch whose write failed goes first, unchanged.
    if (unwritten !== null) await writeBatch(database.pool, unwritten);
    const drained = cells.drain();
    traffic.add(drained);
    for (const { keyId } of drained) minuteRows.mark(keyId);
    unwritten = createBatch(drained);
    if (unwritten !== null) await writeBatch(database.pool, unwritten);
    unwritten = null;
    await minuteRows.flush(database.pool, now());
    await lastUses.flush(database.pool);
    await linkUses.flush(database.pool);
    const lost = cells.drainLost();
    if (lost > 0) log.error({ lost }, "calls were not counted, because too many wait for the database");
  }

  function createBatch(drained: readonly UsageCell[]): UsageBatch | null {
    if (drained.length === 0) return null;
    batches += 1;
    return { writer, mark: `${now()}-${batches}`, cells: drained };
  }

  const flush = shareRuns(writeAll);
  const flushing = repeat(flush, {
    pauseMs: flushMs,
    onFailure: (error) => log.error({ err: error }, "usage cannot be written; trying again"),
    onRecovery: () => log.info("usage can be written again"),
  });

  return {
    count(entry, endpoint, status, credits, caller, nowMs = now()) {
      cells.count(entry, endpoint, status, credits, nowMs);
      lastUses.record(entry, endpoint, status, caller ?? null, nowMs);
    },
    noteLink: linkUses.note,
    traffic: traffic.read,
    flush,
    getSilenceMs: flushing.getSilenceMs,
    async start() {
      const nowMs = now();
      await deleteOldWriters(database.pool, nowMs);
      await minuteRows.restore(database.pool, nowMs);
      for (const { keyId, calls, credits } of await readDay(database.pool, getDayStart(nowMs))) {
        const day = directory.key(keyId)?.day;
        if (day === undefined) continue;
        if (day.dayMs !== getDayStart(nowMs)) {
          day.dayMs = getDayStart(nowMs);
          day.used = 0;
          day.credits = 0;
        }
        day.used += calls;
        day.credits += credits;
      }
      flushing.start();
    },
    async stop() {
      flushing.stop();
      try {
        await flush();
        await database.pool.query("DELETE FROM setting WHERE name = $1", [writer]);
      } catch (error) {
        log.error({ err: error }, "the last usage could not be written");
      }
    },
  };
}

/** Usage in the database. Bulk, so raw SQL with `unnest` rather than Prisma. */

interface UsageBatch {
  /** Unique to the process that writes. */
  readonly writer: string;
  /** Unique among the batches of this writer. */
  readonly mark: string;
  readonly cells: readonly UsageCell[];
}

const WRITER_LIFETIME_MS = DAY_MS;

/**
 * Adds a batch to the counts, in one atomic statement. It stores the batch's mark too, so writing the same batch again
 * changes nothing. Standard keys on pay-as-you-go spend their account's prepaid credits. Accounts are locked in the order
 * of their ids, so that two writers cannot deadlock. Usage of closed accounts is left out.
 */
async function writeBatch(pool: Pool, { writer, mark, cells }: UsageBatch): Promise<void> {
  const column = <Value>(pick: (cell: UsageCell) => Value) => cells.map(pick);
  await pool.query(
    `WITH marked AS (
       INSERT INTO setting (name, value) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE setting.value <> excluded.value
       RETURNING 1
     ), cell AS (
       SELECT *
         FROM unnest($3::uuid[], $4::uuid[], $5::float8[], $6::text[], $7::int2[], $8::int4[], $9::int4[])
              AS given (key_id, account_id, hour_ms, endpoint, status, calls, credits)
        WHERE EXISTS (SELECT FROM marked)
     ), spent AS (
       SELECT cell.account_id, sum(cell.credits) AS credits
         FROM cell JOIN api_key ON api_key.id = cell.key_id AND api_key.kind = 'standard'
        GROUP BY cell.account_id HAVING sum(cell.credits) > 0
     ), paid AS (
       UPDATE account SET prepaid_credits = prepaid_credits - owed.credits
         FROM (SELECT payer.id, spent.credits
                 FROM account AS payer JOIN spent ON spent.account_id = payer.id
                WHERE payer.plan = 'payg' ORDER BY payer.id FOR NO KEY UPDATE OF payer) AS owed
        WHERE account.id = owed.id
     ), living AS (
       SELECT id FROM account WHERE id = ANY($4::uuid[]) FOR KEY SHARE
     )
     INSERT INTO usage_hour (key_id, account_id, hour, endpoint, status, calls, credits)
     SELECT key_id, account_id, to_timestamp(hour_ms / 1000), endpoint, status, sum(calls), sum(credits)
       FROM cell
      WHERE account_id IN (SELECT id FROM living)
      GROUP BY key_id, account_id, hour_ms, endpoint, status
      ORDER BY key_id, hour_ms, endpoint, status
     ON CONFLICT (key_id, hour, endpoint, status) DO UPDATE
        SET calls = usage_hour.calls + excluded.calls, credits = usage_hour.credits + excluded.credits`,
    [
      writer,
      mark,
      column((cell) => cell.keyId),
      column((cell) => cell.accountId),
      column((cell) => cell.hourMs),
      column((cell) => cell.endpoint),
      column((cell) => cell.status),
      column((cell) => cell.calls),
      column((cell) => cell.credits),
    ],
  );
}

interface KeyDay {
  readonly keyId: string;
  readonly calls: number;
  readonly credits: number;
}

/** Calls since midnight that count toward the daily quota, by key: those answered with a 2xx status. */
async function readDay(pool: Pool, dayMs: number): Promise<KeyDay[]> {
  const { rows } = await pool.query<KeyDay>(
    `SELECT day.key_id AS "keyId", sum(day.calls)::float8 AS calls, sum(day.credits)::float8 AS credits
       FROM account, LATERAL (
              SELECT key_id, calls, credits FROM usage_hour
               WHERE account_id = account.id AND hour >= to_timestamp($1::float8 / 1000) AND status BETWEEN 200 AND 299
            ) AS day
      GROUP BY day.key_id`,
    [dayMs],
  );
  return rows;
}

/** Deletes the marks of processes that crashed. A mark begins with the time it was created. */
async function deleteOldWriters(pool: Pool, nowMs: number): Promise<void> {
  await pool.query(
    `DELETE FROM setting WHERE name LIKE 'usage-writer:%' AND split_part(value, '-', 1)::float8 < $1::float8`,
    [nowMs - WRITER_LIFETIME_MS],
  );
}

/**
 * Counts calls in memory. A repeated call of the hour costs two look-ups and allocates nothing. Holds at most `maxCells`
 * cells between two drains; further calls are counted as lost.
 */
export function createUsageCells(maxCells: number) {
  let byKey = new Map<KeyEntry, Map<string, UsageCell[]>>();
  let size = 0;
  let hourMs = -Infinity;
  /** Cells of hours that ended before they were drained. */
  let ended: UsageCell[] = [];
  let lost = 0;

  function endHour(nowMs: number): void {
    ended = drain();
    hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    byKey = new Map();
    size = ended.length;
  }

  function addCell(entry: KeyEntry, endpoint: string, status: number): UsageCell | null {
    if (size >= maxCells) {
      lost += 1;
      return null;
    }
    size += 1;
    let endpoints = byKey.get(entry);
    if (endpoints === undefined) byKey.set(entry, (endpoints = new Map()));
    let cells = endpoints.get(endpoint);
    if (cells === undefined) endpoints.set(endpoint, (cells = []));
    const { id: keyId, accountId } = entry;
    const cell = { keyId, accountId, hourMs, endpoint, status, calls: 0, credits: 0 };
    cells.push(cell);
    return cell;
  }

  /** Returns and resets the counts since the last drain. */
  function drain(): UsageCell[] {
    const drained = ended;
    ended = [];
    size -= drained.length;
    for (const endpoints of byKey.values()) {
      for (const cells of endpoints.values()) {
        for (const cell of cells) {
          if (cell.calls === 0) continue;
          drained.push({ ...cell });
          cell.calls = 0;
          cell.credits = 0;
        }
      }
    }
    return drained;
  }

  return {
    drain,
    count(entry: KeyEntry, endpoint: string, status: number, credits: number, nowMs: number): void {
      if (nowMs >= hourMs + HOUR_MS || nowMs < hourMs) endHour(nowMs);
      const cells = byKey.get(entry)?.get(endpoint);
      let cell: UsageCell | null | undefined;
      // An endpoint has few statuses: a loop is faster than another map.
      if (cells !== undefined) for (const one of cells) if (one.status === status) cell = one;
      cell ??= addCell(entry, endpoint, status);
      if (cell === null) return;
      cell.calls += 1;
      cell.credits += credits;
    },
    /** Returns and resets the number of lost calls. */
    drainLost(): number {
      const drained = lost;
      lost = 0;
      return drained;
    },
  };
}

/**
 * When, from where and for what each key was last used. Records at most one call per key and minute, so that the hot
 * path only compares two numbers and a busy key's row is written once a minute.
 */

/** A call of the API, as far as this file needs it. */
interface Caller {
  address(): string | null;
}

interface LastUse {
  readonly atMs: number;
  readonly from: string | null;
  readonly endpoint: string;
  readonly status: number;
}

const PAUSE_MS = MINUTE_MS;

function createLastUses() {
  let unwritten = new Map<string, LastUse>();

  return {
    /** Records the call unless another was recorded within the last minute. */
    record(entry: KeyEntry, endpoint: string, status: number, caller: Caller | null, nowMs: number): void {
      if (nowMs < entry.notedAtMs + PAUSE_MS && nowMs >= entry.notedAtMs) return;
      entry.notedAtMs = nowMs;
      unwritten.set(entry.id, { atMs: nowMs, from: caller?.address() ?? null, endpoint, status });
    },

    /** Writes the recorded calls. If the database fails it rejects and keeps them for the next flush. */
    async flush(pool: Pool): Promise<void> {
      if (unwritten.size === 0) return;
      const writing = unwritten;
      unwritten = new Map();
      try {
        await writeLastUses(pool, writing);
      } catch (error) {
        unwritten = new Map([...writing, ...unwritten]);
        throw error;
      }
    },
  };
}

/** Keeps a later call that another process wrote. Writing the same uses again changes nothing. */
async function writeLastUses(pool: Pool, uses: ReadonlyMap<string, LastUse>): Promise<void> {
  const column = <Value>(pick: (use: LastUse) => Value) => [...uses.values()].map(pick);
  await pool.query(
    `UPDATE api_key
        SET last_used_at = to_timestamp(at_ms / 1000), last_used_from = address,
            last_used_endpoint = endpoint, last_used_status = status
       FROM unnest($1::uuid[], $2::float8[], $3::text[], $4::text[], $5::int2[])
            AS last_use (key_id, at_ms, address, endpoint, status)
      WHERE api_key.id = last_use.key_id
        AND (last_used_at IS NULL OR last_used_at < to_timestamp(at_ms / 1000))`,
    [
      [...uses.keys()],
      column(({ atMs }) => atMs),
      column(({ from }) => from),
      column(({ endpoint }) => endpoint),
      column(({ status }) => status),
    ],
  );
}

/** Stores open minute windows in the database, at most a second late, so that a restarted process continues them. */

interface MinuteDirectory {
  key(id: string): { readonly minute: MinuteWindow } | undefined;
}

/** @param writer a unique id of this process */
function createMinuteRows(directory: MinuteDirectory, writer: string) {
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

function openWindows(directory: MinuteDirectory, keyIds: Iterable<string>, nowMs: number): WindowRow[] {
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

/** Reads the window with the most calls of each key: several processes may have one, and the largest is safe. */
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
