import type { Pool } from "pg";
import type { KeyEntry } from "@/lib/access/admission/directory";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { repeat, shareRuns } from "@/lib/platform/timing/repeat";
import { toPlainText } from "@/lib/text/text";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

/**
 * The log of calls: which key made each, and why one was refused. Calls are noted in memory and written once a second;
 * what a process has not written is lost if it is killed.
 */
export interface RequestLog {
  readonly note: ReturnType<typeof createRequestBuffer>["note"];
  /** Writes what was noted. If the database fails it rejects and keeps the rows for the next flush. */
  flush(): Promise<void>;
  /** Flushes once a second from now on. */
  start(): void;
  /** Writes the last rows. */
  stop(): Promise<void>;
}

/** How long a row is retained. */
export const REQUEST_RETENTION_MS = 7 * DAY_MS;
/** The newest rows that are retained, of one account and of all. */
export const MAX_ACCOUNT_REQUESTS = 50_000;
const MAX_REQUESTS = 500_000;

export interface RequestBounds {
  readonly ofAccount: number;
  readonly inAll: number;
}

interface Options {
  readonly now: Clock;
  readonly log: Logger;
  readonly flushMs?: number;
  readonly size?: BufferSize;
  readonly bounds?: RequestBounds;
}

const WRITTEN_AT_ONCE = 1_000;
const TRIM_EVERY_MS = HOUR_MS;
/** The bounds are checked after this share of them was written, because counting the rows takes long. */
const CHECKED_SHARE = 0.01;

export function createRequestLog({ pool }: Pick<Database, "pool">, options: Options): RequestLog {
  const { now, log, flushMs = 1_000, size = { full: 500, max: 2_000 } } = options;
  const { bounds = { ofAccount: MAX_ACCOUNT_REQUESTS, inAll: MAX_REQUESTS } } = options;
  const buffer = createRequestBuffer(size);
  let unwritten: readonly NotedRequest[] = [];
  /** Rows written since the bounds were last checked, by account and in all. */
  const written = new Map<string, number>();
  let writtenInAll = 0;
  let trimmedAtMs = -Infinity;

  async function writeAll(): Promise<void> {
    // What a failed write left goes first. While the database fails, the buffer's size bounds the rest.
    await writeUnwritten();
    unwritten = buffer.drain();
    await writeUnwritten();
    const lost = buffer.drainLost();
    if (lost > 0) log.error({ lost }, "calls are missing in the request log, because too many wait for the database");
    await keepBounds();
    if (now() >= trimmedAtMs + TRIM_EVERY_MS) await trim();
  }

  async function writeUnwritten(): Promise<void> {
    while (unwritten.length > 0) {
      const rows = unwritten.slice(0, WRITTEN_AT_ONCE);
      await writeRequests(pool, rows);
      unwritten = unwritten.slice(rows.length);
      for (const { key } of rows) written.set(key.accountId, (written.get(key.accountId) ?? 0) + 1);
      writtenInAll += rows.length;
    }
  }

  async function keepBounds(): Promise<void> {
    for (const [accountId, rows] of written) {
      if (rows < bounds.ofAccount * CHECKED_SHARE) continue;
      while (await deleteRequestsAbove(pool, bounds.ofAccount, accountId));
      written.delete(accountId);
    }
    if (writtenInAll < bounds.inAll * CHECKED_SHARE) return;
    while (await deleteRequestsAbove(pool, bounds.inAll, null));
    writtenInAll = 0;
  }

  async function trim(): Promise<void> {
    const nowMs = now();
    while (await deleteRequestsBefore(pool, nowMs - REQUEST_RETENTION_MS));
    trimmedAtMs = nowMs;
  }

  const flush = shareRuns(writeAll);
  const flushing = repeat(flush, {
    pauseMs: flushMs,
    onFailure: (error) => log.error({ err: error }, "the request log cannot be written; trying again"),
    onRecovery: () => log.info("the request log can be written again"),
  });

  return {
    note: buffer.note,
    flush,
    start: flushing.start,
    async stop() {
      flushing.stop();
      try {
        await flush();
      } catch (error) {
        log.error({ err: error }, "the last rows of the request log could not be written");
      }
    },
  };
}

/** The request log in the database. Bulk, so raw SQL with `unnest` rather than Prisma. */

const MAX_MESSAGE_LENGTH = 300;
/** A trusted proxy may forward any text as an address. */
const MAX_ADDRESS_LENGTH = 64;
const MAX_INTEGER = 2_147_483_647;

/** Writes rows. Those that were written before are left out, as are those of closed accounts. */
async function writeRequests(pool: Pool, rows: readonly NotedRequest[]): Promise<void> {
  const column = <Value>(pick: (row: NotedRequest) => Value) => rows.map(pick);
  await pool.query(
    `WITH living AS (SELECT id FROM account WHERE id = ANY($1::uuid[]) FOR KEY SHARE)
     INSERT INTO request_log (account_id, key_id, at, request_id, method, endpoint, symbols, status, code, message,
                              credits, address, duration_us, more)
     SELECT account_id, key_id, to_timestamp(at_ms / 1000), request_id, method, endpoint, symbols, status, code, message,
            credits, address, duration_us, more
       FROM unnest($1::uuid[], $2::uuid[], $3::float8[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::int2[],
                   $9::text[], $10::text[], $11::int2[], $12::text[], $13::int4[], $14::int4[]) WITH ORDINALITY
              AS row (account_id, key_id, at_ms, request_id, method, endpoint, symbols, status, code, message, credits,
                      address, duration_us, more, position)
      WHERE account_id IN (SELECT id FROM living)
      ORDER BY position
     ON CONFLICT (request_id) DO NOTHING`,
    [
      column(({ key }) => key.accountId),
      column(({ key }) => key.id),
      column(({ atMs }) => atMs),
      column(({ requestId }) => requestId),
      column(({ method }) => method),
      column(({ endpoint }) => endpoint),
      column(listSymbols),
      column(({ status }) => status),
      column(({ refusal }) => refusal?.wireCode ?? null),
      column(({ refusal }) => (refusal === null ? null : toPlainText(refusal.message, MAX_MESSAGE_LENGTH))),
      column(({ credits }) => credits),
      column(({ address }) => (address === null ? null : toPlainText(toShortAddress(address), MAX_ADDRESS_LENGTH))),
      column(({ ms }) => Math.min(MAX_INTEGER, Math.round(ms * 1_000))),
      column(({ more }) => more),
    ],
  );
}

/** An IPv4 address as such, also where a socket has it as IPv6. */
function toShortAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, "");
}

/** Rows of one statement that deletes. Longer ones would delay those of calls. */
const DELETED_AT_ONCE = 2_000;

/** Deletes rows from before a time, oldest first. Resolves with whether there may be more. */
async function deleteRequestsBefore(pool: Pool, beforeMs: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `DELETE FROM request_log
      WHERE id IN (SELECT id FROM (SELECT id, at FROM request_log ORDER BY id LIMIT ${DELETED_AT_ONCE}) AS oldest
                    WHERE at < to_timestamp($1::float8 / 1000))`,
    [beforeMs],
  );
  return rowCount === DELETED_AT_ONCE;
}

/** Deletes the oldest rows but the newest `most`, of one account or of all. Resolves with whether there may be more. */
async function deleteRequestsAbove(pool: Pool, most: number, accountId: string | null): Promise<boolean> {
  const isCounted = accountId === null ? "true" : "account_id = $2";
  const { rowCount } = await pool.query(
    `WITH last AS (SELECT id FROM request_log WHERE ${isCounted} ORDER BY id DESC OFFSET $1 LIMIT 1)
     DELETE FROM request_log
      WHERE id IN (SELECT id FROM request_log WHERE ${isCounted} AND id <= (SELECT id FROM last)
                    ORDER BY id LIMIT ${DELETED_AT_ONCE})`,
    accountId === null ? [most] : [most, accountId],
  );
  return rowCount === DELETED_AT_ONCE;
}

const MAX_LISTED = 3;
const MAX_NAME_LENGTH = 24;

/**
 * The symbols that a call names in its path, query or body, as the caller spells them: "EURUSD", or
 * "EURUSD, GBPUSD, USDJPY and 7 more". Null if it names none.
 */
export function listSymbols({
  segment,
  search,
  body,
}: Pick<NotedRequest, "segment" | "search" | "body">): string | null {
  const names = findNames(segment, search, body);
  if (names.length === 0) return null;
  const listed = names.slice(0, MAX_LISTED).map((name) => toPlainText(name, MAX_NAME_LENGTH));
  const others = names.length - listed.length;
  return `${listed.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

function findNames(segment: string, search: string, body: unknown): string[] {
  if (segment !== "") return [decode(segment)];
  const query = search === "" ? null : new URLSearchParams(search);
  const text = query?.get("symbol") ?? query?.get("symbols") ?? "";
  if (text !== "") return text.split(",").filter((name) => name.trim() !== "");
  const list = body !== null && typeof body === "object" && "symbols" in body ? body.symbols : null;
  return Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A call that was answered, as far as the log needs it. The pipeline's state of a call has these fields. */
export interface AnsweredCall {
  /** 32 hexadecimal characters. */
  readonly requestId: string;
  /** When it was answered, UTC milliseconds. */
  readonly nowMs: number;
  /** The endpoint's path template, and the path parameter, percent-encoded; empty without one. */
  readonly match: { readonly path: string; readonly segment: string } | null;
  /** The validated body; null without one. */
  readonly body: unknown;
  readonly call: { readonly method: string; readonly search: string; address(): string | null };
}

/** The reason of a refusal, as the caller got it. */
export interface RefusalReason {
  readonly wireCode: string;
  readonly message: string;
}

/** One call that has a row of its own, before it is written. */
export interface NotedRequest {
  readonly key: KeyEntry;
  readonly atMs: number;
  readonly requestId: string;
  readonly method: string;
  readonly endpoint: string;
  readonly segment: string;
  readonly search: string;
  readonly body: unknown;
  readonly status: number;
  readonly refusal: RefusalReason | null;
  readonly credits: number;
  readonly address: string | null;
  readonly ms: number;
  /** Further calls of this kind in the same second. */
  more: number;
}

/** Calls of one key in one second that have a row each: answered ones, and refused or failed ones. */
export const MAX_ANSWERED_ROWS = 5;
export const MAX_REFUSED_ROWS = 50;

/** Rows that wait. Above the first number only the first call of each kind gets a row; above the second, none. */
export interface BufferSize {
  readonly full: number;
  readonly max: number;
}

interface Second {
  readonly second: number;
  answered: number;
  refused: number;
  readonly rows: NotedRequest[];
}

/**
 * Collects calls in memory. The first calls of a key in a second get a row each; further ones are counted on the last
 * row of their kind, which is one with the same method, endpoint, status and code. So the rows of a second stand for all
 * of its calls, and no kind is missing.
 */
export function createRequestBuffer({ full, max }: BufferSize) {
  let rows: NotedRequest[] = [];
  let seconds = new Map<KeyEntry, Second>();
  let lost = 0;

  function findSecond(key: KeyEntry, nowMs: number): Second {
    const second = Math.floor(nowMs / SECOND_MS);
    let found = seconds.get(key);
    if (found === undefined || found.second !== second) {
      found = { second, answered: 0, refused: 0, rows: [] };
      seconds.set(key, found);
    }
    return found;
  }

  return {
    /** Notes one call. Costs most calls under load two look-ups and no allocation. */
    note(
      key: KeyEntry,
      answered: AnsweredCall,
      status: number,
      refusal: RefusalReason | null,
      credits: number,
      ms: number,
    ): void {
      const { call, match, requestId, nowMs, body } = answered;
      if (match === null) return;
      const second = findSecond(key, nowMs);
      const isOver = status < 400 ? ++second.answered > MAX_ANSWERED_ROWS : ++second.refused > MAX_REFUSED_ROWS;
      if (isOver || rows.length >= full) {
        const alike = findAlike(second.rows, call.method, match.path, status, refusal);
        if (alike !== null) {
          alike.more += 1;
          return;
        }
      }
      if (rows.length >= max) {
        lost += 1;
        return;
      }
      const row: NotedRequest = {
        key,
        atMs: nowMs,
        requestId,
        method: call.method,
        endpoint: match.path,
        segment: match.segment,
        search: call.search,
        body,
        status,
        refusal,
        credits,
        address: call.address(),
        ms,
        more: 0,
      };
      second.rows.push(row);
      rows.push(row);
    },

    /** Returns and forgets the rows since the last drain. */
    drain(): NotedRequest[] {
      const drained = rows;
      rows = [];
      seconds = new Map();
      return drained;
    },

    /** Returns and resets the number of calls that are in no row. */
    drainLost(): number {
      const drained = lost;
      lost = 0;
      return drained;
    },
  };
}

function findAlike(
  rows: readonly NotedRequest[],
  method: string,
  endpoint: string,
  status: number,
  refusal: RefusalReason | null,
): NotedRequest | null {
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index] as NotedRequest;
    if (row.status !== status || row.endpoint !== endpoint || row.method !== method) continue;
    if (row.refusal?.wireCode === refusal?.wireCode) return row;
  }
  return null;
}
