import { hash } from "node:crypto";
import type { Pool } from "pg";
import {
  type Batch,
  type BatchProgress,
  NO_BATCHES,
  placeBatch,
  readBatches,
  readBoots,
  readDigest,
  storeBatch,
} from "@/lib/feeds/mt5/batch-store";
import type { Inlets } from "@/lib/feeds/mt5/inlets";
import type { TickPush } from "@/lib/feeds/mt5/tick-push";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** A token's terminal, as the database knows it. */
export interface TerminalId {
  /** The id of its token. */
  readonly id: string;
  readonly source: string;
}

/** Two terminals use one boot id: the batch was stored already with other ticks. */
export class BootIdTaken extends Error {}

/** Another server has taken over recording: it accepts the batch. */
export class OtherServerRecords extends Error {}

/** How long batches wait for the offset of the trade server's clock, and how many. */
const MAX_WAIT_MS = 2 * MINUTE_MS;
const MAX_WAITING = 2_000;

interface Options {
  readonly pool: Pool;
  readonly inlets: Inlets;
  /** The number under which this server records: batches are accepted by no other. */
  readonly fence: number;
}

/** Receives the batches of one terminal, one after the other. */
export class Terminal {
  readonly counts: TerminalCounts = createTerminalCounts();
  readonly #id: TerminalId;
  readonly #options: Options;
  readonly #clock = new ServerClock();
  /** By boot id; null until they are read, and after a failure. */
  #boots: Map<string, BatchProgress> | null = null;
  #latestBoot: string | null = null;
  /** Stored batches whose times are not known yet, oldest first. */
  #waiting: Batch[] = [];
  #work: Promise<unknown> = Promise.resolve();

  constructor(id: TerminalId, options: Options) {
    this.#id = id;
    this.#options = options;
  }

  /** Whether the offset of the trade server's clock is known; how far it is ahead of UTC. */
  get offsetMs(): number | null {
    return this.#clock.offsetMs;
  }

  /** Passes on what was stored before the start. Call it before the first `accept`. */
  async restore(nowMs: number): Promise<void> {
    const { pool } = this.#options;
    for (const batch of await readBatches(pool, this.#id.id, nowMs)) this.#pass(batch);
  }

  /**
   * Stores a batch and passes it on; resolves once it is stored. A batch that was stored before changes nothing. Rejects
   * with BootIdTaken or OtherServerRecords, or if the database fails.
   */
  accept(push: TickPush, receivedAtMs: number): Promise<PushOutcome> {
    const result = this.#work.then(() => this.#accept(push, receivedAtMs));
    this.#work = result.catch(() => {
      this.#boots = null;
    });
    return result;
  }

  async #accept(push: TickPush, receivedAtMs: number): Promise<PushOutcome> {
    const { boot_id: bootId, seq, ticks } = push;
    const { pool, fence } = this.#options;
    const boots = (this.#boots ??= await this.#readBoots());
    const progress = boots.get(bootId) ?? NO_BATCHES;
    const { isRepeated, skipped, after } = placeBatch(progress, seq);
    const digest = hash("sha256", JSON.stringify(ticks), "hex");
    if (isRepeated) {
      const stored = await readDigest(pool, this.#id.id, bootId, seq);
      if (stored !== null && stored !== digest) {
        this.counts.conflicts++;
        throw new BootIdTaken();
      }
      this.counts.repeated++;
      return this.#describe(seq, { isRepeated, skipped, hasOther: false });
    }
    // The time since the batch was built, by the terminal's own clock, which may be wrong.
    const ageMs = Math.max(0, push.sent_gmt - (push.made_gmt ?? push.sent_gmt));
    const batch: Batch = { bootId, seq, receivedAtMs, builtAtMs: receivedAtMs - ageMs, ticks };
    if (!(await storeBatch(pool, fence, this.#id.id, { ...batch, digest, after }))) throw new OtherServerRecords();
    const hasOther = this.#latestBoot !== null && this.#latestBoot !== bootId && boots.has(bootId);
    boots.set(bootId, after);
    this.#latestBoot = bootId;
    this.#count(push, receivedAtMs, skipped, hasOther);
    this.#pass(batch);
    return this.#describe(seq, { isRepeated, skipped, hasOther });
  }

  async #readBoots(): Promise<Map<string, BatchProgress>> {
    const boots = await readBoots(this.#options.pool, this.#id.id);
    this.#latestBoot = boots[0]?.bootId ?? null;
    return new Map(boots.map(({ bootId, ...progress }) => [bootId, progress]));
  }

  #describe(
    seq: number,
    { isRepeated, skipped, hasOther }: { isRepeated: boolean; skipped: number; hasOther: boolean },
  ): PushOutcome {
    return {
      ack: seq,
      ...(skipped === 0 ? {} : { expected: seq - skipped }),
      repeated: isRepeated,
      clock: this.#clock.offsetMs === null ? "unknown" : this.#waiting.length > 0 ? "in_doubt" : "known",
      ...(hasOther
        ? { warning: "Another run of the program pushes with this token. Give each terminal its own." }
        : {}),
    };
  }

  #count({ broker, sent_gmt: sentAtMs, ticks }: TickPush, atMs: number, skipped: number, hasOther: boolean): void {
    const { counts } = this;
    counts.batches++;
    counts.ticks += ticks.length;
    counts.skipped += skipped;
    if (hasOther) counts.conflicts++;
    counts.broker = broker ?? counts.broker;
    counts.lastBatchAtMs = atMs;
    counts.computerAheadMs = sentAtMs - atMs;
    const newest = ticks.at(-1);
    if (newest !== undefined) counts.lastTick = { symbol: newest.s, bid: newest.b, ask: newest.a, atMs };
  }

  /** Passes a batch on once its times are known, after those that waited before it. */
  #pass(batch: Batch): void {
    const { builtAtMs, receivedAtMs, ticks } = batch;
    const times = ticks.map(({ t }) => t).filter((time) => Number.isFinite(time));
    const isKnown = this.#clock.observe(times.length === 0 ? null : Math.max(...times), builtAtMs);
    this.#waiting.push(batch);
    if (isKnown) {
      for (const waiting of this.#waiting.splice(0)) this.#deliver(waiting);
      return;
    }
    const oldestMs = receivedAtMs - MAX_WAIT_MS;
    const tooMany = this.#waiting.length - MAX_WAITING;
    const left = this.#waiting.filter((waiting, index) => index >= tooMany && waiting.receivedAtMs >= oldestMs);
    const given = this.#waiting.filter((waiting) => !left.includes(waiting));
    this.#waiting = left;
    for (const waiting of given) {
      if (this.#clock.offsetMs === null) this.counts.undated += waiting.ticks.length;
      else this.#deliver(waiting);
    }
    // The terminal counts as connected, also while its prices wait.
    this.#options.inlets.deliver(this.#id.source, [], receivedAtMs);
  }

  #deliver({ ticks, receivedAtMs, builtAtMs }: Batch): void {
    const { source } = this.#id;
    const read = ticks.map(({ s, b, a, t }) => ({
      ...{ source, brokerSymbol: s, bid: b, ask: a, receivedAtMs },
      brokerTimeMs: Number.isFinite(t) ? this.#clock.toUtc(t, builtAtMs) : NaN,
    }));
    this.#options.inlets.deliver(source, read, receivedAtMs);
  }
}

const QUARTER_MS = 15 * MINUTE_MS;
const MAX_OFFSET_MS = 14 * HOUR_MS;
/** How far the newest tick of a live batch may be from the time when the batch was built. */
const FRESH_MS = MINUTE_MS;
/** Batches that must agree on another offset before it is believed. */
const AGREEING = 3;
/** How long ticks of before a change may still come. */
const OVERLAP_MS = 10 * MINUTE_MS;
const STRADDLE_MS = HOUR_MS / 2;

/**
 * Measures the offset of a trade server's clock, which shows the broker's wall time. A live batch's newest tick is only
 * moments old, so its time less the UTC time at which the batch was built is the offset, in quarters of an hour. Old
 * ticks, such as those of a closed market, say nothing. Times are milliseconds.
 */
export class ServerClock {
  /** Trade-server time less UTC; null until it is known. */
  offsetMs: number | null = null;
  #previousMs: number | null = null;
  #changedAtMs = 0;
  #candidateMs: number | null = null;
  #agreeing = 0;
  #newestMs: number | null = null;

  /**
   * Reads the newest tick of a batch. Returns false while the times of this batch are unknown: the offset is unknown,
   * or the batch suggests another one. The batch is then to be kept until a later call returns true.
   *
   * @param newestMs trade-server time of the newest tick; null for a batch without ticks
   * @param builtAtMs UTC time at which the terminal built the batch
   */
  observe(newestMs: number | null, builtAtMs: number): boolean {
    if (newestMs === null) return this.#candidateMs === null && this.offsetMs !== null;
    const isNew = newestMs !== this.#newestMs;
    this.#newestMs = newestMs;
    const aheadMs = newestMs - builtAtMs;
    // Without minus zero.
    const measuredMs = Math.round(aheadMs / QUARTER_MS) * QUARTER_MS + 0;
    const isFresh = Math.abs(aheadMs - measuredMs) <= FRESH_MS && Math.abs(measuredMs) <= MAX_OFFSET_MS;
    if (!isFresh) return this.offsetMs !== null;
    if (measuredMs === this.offsetMs) {
      this.#forgetCandidate();
      return true;
    }
    if (isNew) this.#count(measuredMs);
    if (this.#agreeing < AGREEING) return false;
    this.#previousMs = this.offsetMs;
    this.#changedAtMs = builtAtMs;
    this.offsetMs = measuredMs;
    this.#forgetCandidate();
    return true;
  }

  /**
   * UTC of a tick. Near a change of the offset, ticks of before and after it may be in one batch. Throws an Error while
   * the offset is unknown.
   */
  toUtc(serverMs: number, builtAtMs: number): number {
    if (this.offsetMs === null) throw new Error("The offset of the trade server is not known yet.");
    const utcMs = serverMs - this.offsetMs;
    if (this.#previousMs === null || builtAtMs - this.#changedAtMs > OVERLAP_MS) return utcMs;
    const isNear = (ms: number) => ms <= builtAtMs + FRESH_MS && ms >= builtAtMs - STRADDLE_MS;
    const earlierMs = serverMs - this.#previousMs;
    return !isNear(utcMs) && isNear(earlierMs) ? earlierMs : utcMs;
  }

  #count(measuredMs: number): void {
    this.#agreeing = measuredMs === this.#candidateMs ? this.#agreeing + 1 : 1;
    this.#candidateMs = measuredMs;
  }

  #forgetCandidate(): void {
    this.#candidateMs = null;
    this.#agreeing = 0;
  }
}

/** The answer to a terminal about a batch that is stored. */
export interface PushOutcome {
  readonly ack: number;
  /** The number that was due, if batches before this one are missing. */
  readonly expected?: number;
  /** Whether the batch was stored before. */
  readonly repeated: boolean;
  /** unknown: the offset of the trade server is not measured yet · in_doubt: it may have changed; prices wait. */
  readonly clock: "known" | "in_doubt" | "unknown";
  readonly warning?: string;
}

/** What came from one terminal since the start of this server. Times are UTC milliseconds. */
export interface TerminalCounts {
  batches: number;
  ticks: number;
  /** Batches that came again. */
  repeated: number;
  /** Batches that never came, by the gaps in their numbers. */
  skipped: number;
  /** Batches that show that two terminals use one token or one boot id. */
  conflicts: number;
  /** Ticks that were dropped because the offset of the trade server's clock was not known in time. */
  undated: number;
  broker: string | null;
  lastBatchAtMs: number | null;
  /** How far the clock of the terminal's computer is ahead of ours. */
  computerAheadMs: number | null;
  lastTick: { readonly symbol: string; readonly bid: number; readonly ask: number; readonly atMs: number } | null;
}

export function createTerminalCounts(): TerminalCounts {
  return {
    ...{ batches: 0, ticks: 0, repeated: 0, skipped: 0, conflicts: 0, undated: 0 },
    ...{ broker: null, lastBatchAtMs: null, computerAheadMs: null, lastTick: null },
  };
}
