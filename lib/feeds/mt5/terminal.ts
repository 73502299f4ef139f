import { hash } from "node:crypto";
import type { Pool } from "pg";
import { type BatchProgress, NO_BATCHES, placeBatch } from "@/lib/feeds/mt5/batch-order";
import { type Batch, readBatches, readBoots, readDigest, storeBatch } from "@/lib/feeds/mt5/batch-store";
import type { Inlets } from "@/lib/feeds/mt5/inlets";
import { ServerClock } from "@/lib/feeds/mt5/server-clock";
import { createTerminalCounts, type PushOutcome, type TerminalCounts } from "@/lib/feeds/mt5/terminal-counts";
import type { TickPush } from "@/lib/feeds/mt5/tick-push";
import { MINUTE_MS } from "@/lib/time/units";

/** A token's terminal, as the database knows it. */
export interface TerminalId {
  /** Of its token. */
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
