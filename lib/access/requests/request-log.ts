import { type BufferSize, createRequestBuffer, type NotedRequest } from "@/lib/access/requests/request-buffer";
import { deleteRequestsAbove, deleteRequestsBefore, writeRequests } from "@/lib/access/requests/request-rows";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { repeat, shareRuns } from "@/lib/platform/timing/repeat";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

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
