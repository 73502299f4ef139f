import { randomUUID } from "node:crypto";
import { getDayStart } from "@/lib/access/admission/day-window";
import type { Directory, KeyEntry } from "@/lib/access/admission/directory";
import type { LinkEntry } from "@/lib/access/admission/entries";
import { createMinuteRows } from "@/lib/access/admission/minute-rows";
import { createLinkUses } from "@/lib/access/links/link-uses";
import { type Caller, createLastUses } from "@/lib/access/usage/last-uses";
import { createTraffic, type Traffic } from "@/lib/access/usage/traffic";
import { createUsageCells, type UsageCell } from "@/lib/access/usage/usage-cells";
import { deleteOldWriters, readDay, type UsageBatch, writeBatch } from "@/lib/access/usage/usage-rows";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { repeat, shareRuns } from "@/lib/platform/timing/repeat";

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
