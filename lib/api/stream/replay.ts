import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "@/lib/api/engine/errors";
import { formatGap } from "@/lib/api/stream/other-changes";
import { PastOthers } from "@/lib/api/stream/past-others";
import { type PastLine, PastPrices } from "@/lib/api/stream/past-prices";
import { NO_EXTRAS, PastWriter } from "@/lib/api/stream/past-writer";
import type { PriceChanges, SymbolSet } from "@/lib/api/stream/price-changes";
import { joinLive, LiveTap } from "@/lib/api/stream/replay-join";
import type { StreamReader } from "@/lib/api/stream/stream-format";
import type { PastRelease } from "@/lib/calendar/event-rows";
import type { FeedSource, SourceGap } from "@/lib/feeds/feed";
import type { PastReader, PastSeconds } from "@/lib/history/as-of/past-changes";
import type { TickResolution } from "@/lib/history/tapes/kept-ticks";
import type { NotKept } from "@/lib/history/tapes/tape-history";
import { inBackground } from "@/lib/platform/faults";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { mapMaybeAsync, slices } from "@/lib/platform/timing/slices";
import { formatMilliseconds, formatTime } from "@/lib/time/iso-time";
import { SECOND_MS } from "@/lib/time/units";

/** A range of the past that a stream begins with, in whole seconds of Unix time. */
export interface ReplayRange {
  readonly from: number;
  /** Itself not in it; Infinity joins the live stream. */
  readonly to: number;
  /** Seconds in each second; Infinity for as many as the reader takes. */
  readonly speed: number;
  /** Whether the last price of each second is sent, or every tick where it is stored. */
  readonly resolution: TickResolution;
}

interface Options {
  readonly range: ReplayRange;
  /** What was recorded, in the resolution of the range. */
  readonly past: PastReader;
  /**
   * Reads in which times of the range not every tick of some symbols is stored. Throws an ApiError if it never is. Only
   * for a range of ticks.
   */
  readonly readNotKept: (symbols: readonly string[]) => Promise<readonly NotKept[]>;
  readonly listSources: () => readonly FeedSource[];
  readonly readReleases: (afterMs: number, untilMs: number) => Promise<readonly PastRelease[]>;
  readonly readGaps: (afterMs: number, untilMs: number) => Promise<readonly SourceGap[]>;
  readonly marketNow: Clock;
  readonly monotonic: Clock;
  readonly log: Logger;
}

/** The stream that a replay belongs to. */
export interface ReplayTarget {
  readonly changes: PriceChanges;
  readonly set: SymbolSet;
  readonly reader: StreamReader;
  /** The reader has everything that was received before this moment, UTC milliseconds; null at the beginning. */
  readonly after: number | null;
  /** Continues with the live changes after this number. */
  onLive(at: number): void;
  /** The range is over, and everything was sent. */
  onDone(): void;
  onFailure(reason: ApiError): void;
}

/** Bytes are sent when there are so many, and while so many such parts are not taken yet nothing more is read. */
const PART_BYTES = 96 * 1_024;
const MAX_PARTS = 2;
/** So many times without every tick are named at the beginning. */
const MAX_NOT_KEPT = 100;
/** A log that does not go on for so long has ended. */
const MAX_LAG_MS = 30 * SECOND_MS;
const RETRY_READ_MS = 200;
/** A reader of a slow replay gets at once what is due within this time. */
const SHORTEST_WAIT_MS = 5;

class Stopped extends Error {}

const ignore = (): void => {};

/**
 * Sends a range of the past in the live format, then the end of the range or the live stream. It reads only as fast as its
 * reader takes the bytes, and needs nothing of this process to continue: a position is a second or, among ticks, a
 * millisecond.
 */
export class Replay {
  /** Parts of the bytes that the connection has taken. */
  taken = 0;
  readonly range: ReplayRange;
  readonly #options: Options;
  #target: ReplayTarget | null = null;
  #writer: PastWriter | null = null;
  #prices: PastPrices | null = null;
  #isStopped = false;
  readonly #stopping = new AbortController();
  #waitingParts = 0;
  #resume: (() => void) | null = null;
  /** Everything that was received before this moment was sent, UTC milliseconds. */
  #atMs = 0;
  /** Everything before this second was read; null before anything was. */
  #readUntil: number | null = null;
  #hasBegun = false;
  #startedAtMs = 0;
  /** What was due then. */
  #startedMs = 0;
  #tap: LiveTap | null = null;
  readonly #others: PastOthers;

  constructor(options: Options) {
    this.#options = options;
    this.range = options.range;
    this.#others = new PastOthers({ ...options, to: options.range.to });
  }

  start(target: ReplayTarget): void {
    const { set, reader, after } = target;
    const { from, to } = this.range;
    this.#target = target;
    const [fromMs, toMs] = [from * SECOND_MS, to * SECOND_MS];
    const atMs = after === null ? fromMs : Math.min(Math.max(after, fromMs), toMs);
    this.#atMs = this.#isOfTicks ? atMs : Math.floor(atMs / SECOND_MS) * SECOND_MS;
    this.#startedAtMs = this.#options.monotonic();
    this.#startedMs = this.#atMs;
    this.#writer = new PastWriter(reader.format, set.options, set.mark);
    this.#prices = new PastPrices({
      symbols: listSymbols(set),
      chosen: set.options,
      sources: this.#options.listSources(),
    });
    if (!this.#isOfTicks) this.#announce({});
    inBackground(this.#run(target), this.#options.log, "sending a stream of the past");
  }

  get #isOfTicks(): boolean {
    return this.range.resolution === "tick";
  }

  #announce(more: Readonly<Record<string, unknown>>): void {
    const { to, speed, resolution } = this.range;
    this.#name("replay", {
      from: this.#atMs % SECOND_MS === 0 ? formatTime(this.#atMs) : formatMilliseconds(this.#atMs),
      to: Number.isFinite(to) ? formatTime(to * SECOND_MS) : null,
      speed: Number.isFinite(speed) ? speed : "max",
      resolution,
      ...more,
    });
  }

  async #announceTicks({ set }: ReplayTarget): Promise<void> {
    const notKept = await this.#options.readNotKept(listSymbols(set));
    this.#requireOpen();
    this.#announce({
      not_kept: notKept.slice(0, MAX_NOT_KEPT).map(({ fromMs, toMs, symbols }) => ({
        ...{ from: formatMilliseconds(fromMs), to: formatMilliseconds(toMs), symbols },
      })),
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopping.abort();
    this.#resume?.();
  }

  /** To be called after each round of live changes. */
  onRound(): void {
    this.#tap?.collect();
  }

  /** Says that the connection is alive, and up to when everything was sent. */
  beat(): void {
    const { reader } = this.#target ?? {};
    if (reader === undefined || reader.countWaiting() > 0) return;
    reader.write(Buffer.from(reader.format.heartbeat(new Date(this.#atMs).toISOString()), "latin1"));
  }

  async #run(target: ReplayTarget): Promise<void> {
    try {
      if (this.#isOfTicks) await this.#announceTicks(target);
      for (;;) {
        await this.#readOn(target);
        if (this.#atMs >= this.range.to * SECOND_MS) return await this.#end(target);
        if (await this.#joins(target)) return;
        await this.#sleep(RETRY_READ_MS);
      }
    } catch (error) {
      if (this.#isStopped) return;
      if (error instanceof ApiError) return target.onFailure(error);
      this.#options.log.error({ err: error }, "a stream of the past failed");
      target.onFailure(new ApiError("SERVICE_UNAVAILABLE", "The past cannot be read at the moment. Connect again."));
    }
  }

  /** The second of the next moment. */
  get #second(): number {
    return Math.floor(this.#atMs / SECOND_MS);
  }

  /** Sends what is stored. */
  async #readOn({ set }: ReplayTarget): Promise<void> {
    const { to } = this.range;
    const isContinued = this.#readUntil !== null;
    const from = this.#readUntil ?? this.#second;
    for await (const part of this.#options.past.read(from, to, listSymbols(set), isContinued)) {
      await this.#play(part);
      this.#requireOpen();
    }
    await this.#flush();
  }

  async #play(part: PastSeconds): Promise<void> {
    const { to } = this.range;
    const prices = this.#prices as PastPrices;
    const at = this.#second;
    const gapFrom = this.#hasBegun ? this.#readUntil : at;
    prices.take(part);
    this.#readUntil = Math.max(this.#readUntil ?? part.until, part.until);
    const since = Math.max(part.since, at);
    // The first rows lead to the beginning.
    if (part.until < at) return prices.pass(part.until - 1);
    const gap = gapFrom !== null && since > gapFrom ? { from: gapFrom, to: since } : null;
    if (!this.#hasBegun || gap !== null) await this.#begin(since, gap);
    const until = Math.min(part.until, to);
    const seconds = {
      *[Symbol.iterator]() {
        for (let second = since; second < until; second++) yield second;
      },
    };
    await slices.map(seconds, (second) => this.#pass(second));
  }

  /** Sends the book at a second after which more was recorded, and the gap before it. */
  async #begin(second: number, gap: { readonly from: number; readonly to: number } | null): Promise<void> {
    const [prices, writer] = [this.#prices as PastPrices, this.#writer as PastWriter];
    prices.pass(second - 1);
    const startMs = second * SECOND_MS;
    if (!this.#hasBegun) {
      const isResumed = this.#target?.after !== null;
      if (!isResumed || gap !== null) writer.writeSnapshot(startMs, prices.listLines());
      prices.changed.length = 0;
      this.#hasBegun = true;
    }
    this.#atMs = Math.max(this.#atMs, startMs);
    if (gap === null) return;
    // Nobody waits for it.
    this.#startedMs += (gap.to - gap.from) * SECOND_MS;
    const [fromMs, toMs] = [gap.from * SECOND_MS, gap.to * SECOND_MS];
    const gaps = [formatGap({ source: null, reason: "not_recorded", fromMs, toMs })];
    writer.begin(startMs);
    for (const line of prices.changed) writer.add(line);
    writer.end({ ...NO_EXTRAS, gaps });
    await this.#others.read(gap.from, gap.to);
  }

  /** Sends a second, when it is due. */
  #pass(second: number): void | Promise<void> {
    this.#requireOpen();
    const next = second + 1;
    if (this.#others.isKnown(next)) return this.#send(second);
    return this.#others.read(second, next).then(() => this.#send(second));
  }

  #send(second: number): void | Promise<void> {
    if (this.#isOfTicks) return this.#sendTicks(second);
    return mapMaybeAsync<void, void>(this.#wait(second * SECOND_MS), () => {
      (this.#writer as PastWriter).begin((second + 1) * SECOND_MS);
      this.#endSecond(second);
      return this.#makeRoom();
    });
  }

  /** Writes what is known at the end of a second. */
  #endSecond(second: number): void {
    const [prices, writer] = [this.#prices as PastPrices, this.#writer as PastWriter];
    const { options } = (this.#target as ReplayTarget).set;
    prices.pass(second);
    for (const line of prices.changed) writer.add(line);
    const endMs = (second + 1) * SECOND_MS;
    writer.end(this.#others.take(endMs, options, options.hasBars ? prices.takeBars(second) : []));
    this.#atMs = endMs;
  }

  /** Sends each millisecond of a second in which something was received, or a state became another one. */
  #sendTicks(second: number): void | Promise<void> {
    const prices = this.#prices as PastPrices;
    prices.beginSecond(second);
    // What was sent before the stream was continued.
    if (this.#atMs > second * SECOND_MS) {
      prices.passUntil(this.#atMs, ignore);
      this.#others.take(this.#atMs, (this.#target as ReplayTarget).set.options);
    }
    return this.#sendMoments(second);
  }

  #sendMoments(second: number): void | Promise<void> {
    const [prices, writer] = [this.#prices as PastPrices, this.#writer as PastWriter];
    const lastMs = (second + 1) * SECOND_MS - 1;
    while (this.#atMs <= lastMs) {
      const nextMs = Math.max(this.#atMs, Math.min(prices.nextMs, this.#others.nextMs, lastMs));
      const waiting = this.#wait(nextMs) ?? this.#makeRoom();
      if (waiting !== undefined) return waiting.then(() => this.#sendMoments(second));
      writer.begin(nextMs + 1);
      prices.passUntil(nextMs + 1, this.#addLine);
      if (nextMs === lastMs) this.#endSecond(second);
      else {
        writer.end(this.#others.take(nextMs + 1, (this.#target as ReplayTarget).set.options));
        this.#atMs = nextMs + 1;
      }
    }
  }

  readonly #addLine = (line: PastLine): void => this.#writer?.add(line);

  /** Waits until a moment is due; undefined if it is. */
  #wait(momentMs: number): Promise<void> | undefined {
    const { speed } = this.range;
    if (!Number.isFinite(speed)) return undefined;
    const dueMs = this.#startedAtMs + (momentMs - this.#startedMs) / speed;
    const waitMs = dueMs - this.#options.monotonic();
    if (waitMs < SHORTEST_WAIT_MS) return undefined;
    return this.#flush().then(() => this.#sleep(waitMs));
  }

  /** Sends what was written if it is much. */
  #makeRoom(): Promise<void> | undefined {
    return (this.#writer as PastWriter).length < PART_BYTES ? undefined : this.#flush();
  }

  /** Sends what was written, and waits until the connection has room for more. */
  async #flush(): Promise<void> {
    const writer = this.#writer as PastWriter;
    const part = writer.take();
    if (part === null) return;
    const { bytes, messages } = part;
    const { reader } = this.#target as ReplayTarget;
    this.#waitingParts++;
    const onTaken = () => {
      this.#waitingParts--;
      this.taken++;
      writer.giveBack(bytes);
      this.#resume?.();
    };
    messages.forEach((message, i) => reader.write(message, i === messages.length - 1 ? onTaken : undefined));
    while (this.#waitingParts >= MAX_PARTS) {
      this.#requireOpen();
      await new Promise<void>((resolve) => (this.#resume = resolve));
    }
    this.#requireOpen();
  }

  async #end({ onDone }: ReplayTarget): Promise<void> {
    await this.#wait(this.#atMs);
    await this.#flush();
    this.#summarise("done");
    onDone();
  }

  /** Begins to note live changes where nothing more is stored; joins them when the past is known up to their first. */
  async #joins(target: ReplayTarget): Promise<boolean> {
    const { changes, set, reader } = target;
    const { marketNow, monotonic } = this.#options;
    const now = Math.floor(marketNow() / SECOND_MS);
    if (Number.isFinite(this.range.to)) {
      if (now < this.range.to + MAX_LAG_MS / SECOND_MS) return false;
      await this.#skip(this.range.to);
      await this.#end(target);
      return true;
    }
    this.#tap ??= new LiveTap({ changes, set, format: reader.format, marketNow, monotonic });
    const tap = this.#tap;
    const isLate = monotonic() - tap.begunAtMs >= MAX_LAG_MS;
    if (this.#atMs < tap.second * SECOND_MS && !isLate) return false;
    if (isLate) await this.#skip(now);
    if (!tap.isWhole) throw new Error("more changes came than are kept while the log is read");
    await this.#flush();
    this.#summarise("live");
    const past = { prices: this.#prices as PastPrices, second: this.#second, sent: this.#others.sent };
    const joined = joinLive(tap, past);
    if (joined.text !== null) reader.write(Buffer.from(joined.text, "latin1"));
    target.onLive(joined.at);
    return true;
  }

  /** Notes that nothing was recorded up to a second. */
  async #skip(second: number): Promise<void> {
    const from = Math.max(this.#second, this.#readUntil ?? 0);
    if (from >= second) return;
    await this.#begin(second, { from, to: second });
    await this.#flush();
  }

  /** Sends how much was sent, so that the reader can check that it has everything. */
  #summarise(name: "live" | "done"): void {
    const { changes, checksum } = this.#writer as PastWriter;
    this.#name(name, {
      time: formatTime(this.#atMs),
      changes,
      crc32: checksum.toString(16).padStart(8, "0"),
    });
  }

  #name(name: string, fields: Readonly<Record<string, unknown>>): void {
    const { reader } = this.#target as ReplayTarget;
    const text = reader.format.isEvents
      ? `event: ${name}\ndata: ${JSON.stringify(fields)}\n\n`
      : JSON.stringify({ type: name, ...fields });
    reader.write(Buffer.from(text, "latin1"));
  }

  #requireOpen(): void {
    if (this.#isStopped) throw new Stopped();
  }

  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal });
  }
}

function listSymbols({ served }: SymbolSet): string[] {
  return served.map(({ symbol }) => symbol);
}
