import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "@/lib/api/engine/errors";
import { formatGap, formatRelease, isChosenRelease } from "@/lib/api/stream/other-changes";
import { type PastLine, PastPrices } from "@/lib/api/stream/past-prices";
import { NO_EXTRAS, type PastExtras, PastWriter } from "@/lib/api/stream/past-writer";
import { type PriceChanges, type SymbolSet } from "@/lib/api/stream/price-changes";
import { joinLive, LiveTap } from "@/lib/api/stream/replay-join";
import type { StreamReader } from "@/lib/api/stream/stream-format";
import type { PastRelease } from "@/lib/calendar/event-rows";
import type { FeedSource, SourceGap } from "@/lib/feeds/feed";
import type { PastReader, PastSeconds } from "@/lib/history/as-of/past-changes";
import { toPrice } from "@/lib/market/price";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { slices } from "@/lib/platform/timing/slices";
import { formatTime } from "@/lib/time/iso-time";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** A range of the past that a stream begins with, in whole seconds of Unix time. */
export interface ReplayRange {
  readonly from: number;
  /** Itself not in it; Infinity joins the live stream. */
  readonly to: number;
  /** Seconds in each second; Infinity for as many as the reader takes. */
  readonly speed: number;
}

interface Options {
  readonly range: ReplayRange;
  readonly past: PastReader;
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
  /** Up to which second the reader has everything; null at the beginning. */
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
/** Releases and gaps of so long are read at once. */
const EXTRAS_MS = DAY_MS;
/** What was received in the last moments may not be stored yet. */
const UNSETTLED_MS = 2 * SECOND_MS;
/** A log that does not go on for so long has ended. */
const MAX_LAG_MS = 30 * SECOND_MS;
const RETRY_READ_MS = 200;
/** A reader of a slow replay gets seconds at once that are due within this time. */
const SHORTEST_WAIT_MS = 5;

class Stopped extends Error {}

/**
 * Sends a range of the past in the live format, then the end of the range or the live stream. It reads only as fast as its
 * reader takes the bytes, and needs nothing of this process to continue: a position is a second.
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
  /** Everything before this second was sent. */
  #at = 0;
  /** Everything before it was read; null before anything was. */
  #readUntil: number | null = null;
  #hasBegun = false;
  #startedAtMs = 0;
  #startedAt = 0;
  #tap: LiveTap | null = null;
  readonly #extras: Extras;

  constructor(options: Options) {
    this.#options = options;
    this.range = options.range;
    this.#extras = new Extras(options);
  }

  start(target: ReplayTarget): void {
    const { set, reader, after } = target;
    const { from, to, speed } = this.range;
    this.#target = target;
    this.#at = after === null ? from : Math.min(Math.max(after, from), to);
    this.#startedAtMs = this.#options.monotonic();
    this.#startedAt = this.#at;
    this.#writer = new PastWriter(reader.format, set.options, set.mark);
    this.#prices = new PastPrices({
      symbols: set.served.map(({ symbol }) => symbol),
      chosen: set.options,
      sources: this.#options.listSources(),
    });
    this.#name("replay", {
      from: formatTime(this.#at * SECOND_MS),
      to: Number.isFinite(to) ? formatTime(to * SECOND_MS) : null,
      speed: Number.isFinite(speed) ? speed : "max",
      resolution: "1s",
    });
    void this.#run(target);
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
    reader.write(Buffer.from(reader.format.heartbeat(new Date(this.#at * SECOND_MS).toISOString()), "latin1"));
  }

  async #run(target: ReplayTarget): Promise<void> {
    try {
      for (;;) {
        await this.#readOn(target);
        if (this.#at >= this.range.to) return this.#end(target);
        if (await this.#joins(target)) return;
        await this.#sleep(RETRY_READ_MS);
      }
    } catch (error) {
      if (this.#isStopped) return;
      this.#options.log.error({ err: error }, "a stream of the past failed");
      target.onFailure(new ApiError("SERVICE_UNAVAILABLE", "The past cannot be read at the moment. Connect again."));
    }
  }

  /** Sends what is stored. */
  async #readOn({ set }: ReplayTarget): Promise<void> {
    const { to } = this.range;
    const symbols = set.served.map(({ symbol }) => symbol);
    const isContinued = this.#readUntil !== null;
    for await (const part of this.#options.past.read(this.#readUntil ?? this.#at, to, symbols, isContinued)) {
      await this.#play(part);
      this.#requireOpen();
    }
    await this.#flush();
  }

  async #play(part: PastSeconds): Promise<void> {
    const { to } = this.range;
    const prices = this.#prices as PastPrices;
    const gapFrom = this.#hasBegun ? this.#readUntil : this.#at;
    prices.take(part);
    this.#readUntil = Math.max(this.#readUntil ?? part.until, part.until);
    const since = Math.max(part.since, this.#at);
    // The first rows lead to the beginning.
    if (part.until < this.#at) return prices.pass(Math.min(part.until, this.#at) - 1);
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
    if (!this.#hasBegun) {
      const isResumed = this.#target?.after !== null;
      if (!isResumed || gap !== null) writer.writeSnapshot(second, prices.listLines());
      prices.changed.length = 0;
      this.#hasBegun = true;
    }
    this.#at = second;
    if (gap === null) return;
    // Nobody waits for it.
    this.#startedAt += gap.to - gap.from;
    const [fromMs, toMs] = [gap.from * SECOND_MS, gap.to * SECOND_MS];
    const gaps = [formatGap({ source: null, reason: "not_recorded", fromMs, toMs })];
    writer.writeSecond(second, prices.changed, { ...NO_EXTRAS, gaps });
    await this.#extras.read(gap.from, gap.to);
  }

  /** Sends a second, when it is due. */
  #pass(second: number): void | Promise<void> {
    this.#requireOpen();
    const next = second + 1;
    if (this.#extras.isKnown(next)) return this.#send(second);
    return this.#extras.read(second, next).then(() => this.#send(second));
  }

  #send(second: number): void | Promise<void> {
    const { set } = this.#target as ReplayTarget;
    const [prices, writer] = [this.#prices as PastPrices, this.#writer as PastWriter];
    prices.pass(second);
    writer.writeSecond(second + 1, prices.changed, this.#extras.take(second, set, prices));
    this.#at = second + 1;
    const { speed } = this.range;
    if (Number.isFinite(speed)) return this.#pace(speed);
    if (writer.length >= PART_BYTES) return this.#flush();
  }

  async #pace(speed: number): Promise<void> {
    const dueMs = this.#startedAtMs + ((this.#at - this.#startedAt) * SECOND_MS) / speed;
    const waitMs = dueMs - this.#options.monotonic();
    const { length } = this.#writer as PastWriter;
    if (waitMs < SHORTEST_WAIT_MS && length < PART_BYTES) return;
    await this.#flush();
    if (waitMs >= SHORTEST_WAIT_MS) await this.#sleep(waitMs);
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
    if (this.#at < tap.second && !isLate) return false;
    if (isLate) await this.#skip(now);
    if (!tap.isWhole) throw new Error("more changes came than are kept while the log is read");
    await this.#flush();
    this.#summarise("live");
    const joined = joinLive(tap, { prices: this.#prices as PastPrices, second: this.#at, sent: this.#extras.sent });
    if (joined.text !== null) reader.write(Buffer.from(joined.text, "latin1"));
    target.onLive(joined.at);
    return true;
  }

  /** Notes that nothing was recorded up to a second. */
  async #skip(second: number): Promise<void> {
    const from = Math.max(this.#at, this.#readUntil ?? 0);
    if (from >= second) return;
    await this.#begin(second, { from, to: second });
    await this.#flush();
  }

  /** Sends how much was sent, so that the reader can check that it has everything. */
  #summarise(name: "live" | "done"): void {
    const { changes, checksum } = this.#writer as PastWriter;
    this.#name(name, {
      time: formatTime(this.#at * SECOND_MS),
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

/** An event that is received in a second, and its text. */
interface Timed {
  readonly atMs: number;
  readonly release?: PastRelease;
  readonly gap?: SourceGap;
}

/** Figures of the calendar are released at most so long before or after their time; see price-changes.ts. */
const RELEASED_LATE_MS = 2 * DAY_MS;
const RELEASED_EARLY_MS = HOUR_MS;
const MAX_SENT = 50;

/** The bars, releases and gaps of each second. */
class Extras {
  /** The texts of the latest releases and gaps. */
  readonly sent: string[] = [];
  readonly #options: Options;
  #waiting: Timed[] = [];
  #knownUntil = -Infinity;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether everything that was received before a second was read. */
  isKnown(second: number): boolean {
    return second <= this.#knownUntil;
  }

  /** Reads what was received from a second on, at least up to another one. */
  async read(from: number, to: number): Promise<void> {
    const { marketNow, readReleases, readGaps, range } = this.#options;
    const begin = Math.max(from, this.#knownUntil);
    const settled = Math.floor((marketNow() - UNSETTLED_MS) / SECOND_MS);
    const until = Math.max(to, Math.min(begin + EXTRAS_MS / SECOND_MS, settled, range.to));
    if (until <= begin) return;
    const span = [begin * SECOND_MS - 1, until * SECOND_MS - 1] as const;
    const [releases, gaps] = await Promise.all([readReleases(...span), readGaps(...span)]);
    const added: Timed[] = [
      ...releases.map((release) => ({ atMs: release.atMs, release })),
      ...gaps.map((gap) => ({ atMs: gap.toMs, gap })),
    ];
    this.#waiting.push(...added.sort((a, b) => a.atMs - b.atMs));
    this.#knownUntil = until;
  }

  /** What was received until the end of a second. */
  take(second: number, { options }: SymbolSet, prices: PastPrices): PastExtras {
    const endMs = (second + 1) * SECOND_MS;
    const [first] = this.#waiting;
    const bars = options.hasBars ? prices.listBarred(second).map((line) => formatBar(line, second)) : NO_EXTRAS.bars;
    if (first === undefined || first.atMs >= endMs) return bars.length === 0 ? NO_EXTRAS : { ...NO_EXTRAS, bars };
    const releases: string[] = [];
    const gaps: string[] = [];
    while ((this.#waiting[0]?.atMs ?? Infinity) < endMs) {
      const { release, gap } = this.#waiting.shift() as Timed;
      if (release !== undefined && options.events !== null) {
        const { event, atMs } = release;
        const isTimely = event.timeMs >= atMs - RELEASED_LATE_MS && event.timeMs <= atMs + RELEASED_EARLY_MS;
        const entry = { event, titleLower: "", twin: null, json: null, jsonWithoutActual: null };
        if (isTimely && isChosenRelease(event, options.events)) releases.push(formatRelease(entry));
      }
      if (
        gap !== undefined &&
        (options.sources === null || options.sources === "all" || options.sources.has(gap.source))
      )
        gaps.push(formatGap(gap));
    }
    this.sent.push(...releases, ...gaps);
    this.sent.splice(0, this.sent.length - MAX_SENT);
    return { bars, releases, gaps };
  }
}

/** The bar of the recorded price of a second, of which there is one. */
function formatBar({ symbol, bid, digits }: Pick<PastLine, "symbol" | "bid" | "digits">, second: number): string {
  const price = toPrice(bid, digits);
  const time = new Date(second * SECOND_MS).toISOString();
  return `{"symbol":"${symbol}","time":"${time}","open":${price},"high":${price},"low":${price},"close":${price},"volume":1}`;
}
