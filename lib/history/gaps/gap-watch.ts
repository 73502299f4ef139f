import type { FeedSource, GapReason } from "@/lib/feeds/feed";
import type { Quote } from "@/lib/feeds/intake";
import { GapFiller, type GapFillerOptions } from "@/lib/history/gaps/gap-filler";
import { cutOpenSpans, readSeen, type SeenSource, type TrackedGap, writeGaps } from "@/lib/history/gaps/gap-rows";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { type Clock, monotonicClock } from "@/lib/platform/timing/clock";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import { HOUR_MS, MINUTE_MS, SECOND_MS, type Span } from "@/lib/time/units";

interface Options extends GapFillerOptions {
  readonly sources: readonly FeedSource[];
  /** Throws LeaseLost on a server that does not record. */
  readonly readFence: () => number;
  /** Gaps before this moment are removed, UTC milliseconds. */
  readonly keptFromMs: () => number;
  readonly monotonic?: Clock;
}

const STORE_MS = 2 * SECOND_MS;
const FILL_MS = 5 * SECOND_MS;

/** Finds, stores and fills the gaps of the sources. Call it before the first price. */
export async function openGapWatch(options: Options): Promise<GapWatch> {
  return new GapWatch(options, await readSeen(options.pool));
}

export class GapWatch {
  readonly #options: Options;
  readonly #tracker: GapTracker;
  readonly #filler: GapFiller;
  readonly #repetitions: readonly Repetition[];
  /** When this process last ran, on a clock that is never set. */
  #ranAtMs: number;
  #running: NodeJS.Timeout | undefined;

  constructor(options: Options, seen: readonly SeenSource[]) {
    const { log, sources } = options;
    this.#options = options;
    this.#tracker = new GapTracker(sources, seen);
    this.#filler = new GapFiller(options);
    this.#ranAtMs = this.#readMonotonic();
    this.#repetitions = [
      repeat(() => this.store(), {
        pauseMs: STORE_MS,
        onFailure: (error) => log.warn({ err: error }, "the gaps of the sources could not be stored"),
        onRecovery: () => log.info("the gaps of the sources can be stored again"),
      }),
      repeat(() => this.fill(), {
        pauseMs: FILL_MS,
        onFailure: (error) => log.warn({ err: error }, "the gaps of the sources could not be filled"),
        onRecovery: () => log.info("the gaps of the sources can be filled again"),
      }),
    ];
  }

  start(): void {
    for (const repetition of this.#repetitions) repetition.start();
    this.#running = setInterval(() => this.#notePause(), SECOND_MS).unref();
  }

  onQuote(quote: Quote): void {
    this.#notePause();
    this.#tracker.onQuote(quote);
  }

  /** A process that was paused received nothing meanwhile, although its connections may have lasted. */
  #notePause(): void {
    const before = this.#ranAtMs;
    this.#ranAtMs = this.#readMonotonic();
    if (this.#ranAtMs - before >= SHORTEST_GAP_MS) this.#tracker.onPause();
  }

  #readMonotonic(): number {
    return (this.#options.monotonic ?? monotonicClock)();
  }

  onLoss(source: string, reason: GapReason): void {
    this.#tracker.onLoss(source, reason);
  }

  setSources(sources: readonly FeedSource[]): void {
    this.#tracker.setSources(sources);
  }

  /** Writes the gaps that have ended, and when each source last had a price. A standby leaves both to the recorder. */
  async store(): Promise<void> {
    const gaps = this.#tracker.take();
    try {
      const { pool, readFence, keptFromMs } = this.#options;
      await writeGaps(pool, readFence(), { gaps, seen: this.#tracker.listSeen(), keptFromMs: keptFromMs() });
    } catch (error) {
      if (error instanceof LeaseLost) return;
      this.#tracker.putBack(gaps);
      throw error;
    }
  }

  /** Fills what is due. */
  async fill(): Promise<void> {
    try {
      await this.#filler.run(this.#options.readFence());
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }

  /** Call it after the feeds have stopped, while this server still holds the lease. */
  async stop(): Promise<void> {
    for (const repetition of this.#repetitions) repetition.stop();
    clearInterval(this.#running);
    this.#filler.stop();
    const { log } = this.#options;
    await this.store().catch((error: unknown) => log.warn({ err: error }, "storing the last times of sources failed"));
  }
}

interface Track {
  readonly symbols: Set<string>;
  seenMs: number;
  reason: GapReason | null;
  /** Whether it had prices until the server stopped, which a back-fill then adds from the next start on. */
  isBeforeStart: boolean;
  /** The prices since the last gap, for the usual pause between two. */
  firstMs: number;
  count: number;
}

const SHORTEST_GAP_MS = 5 * SECOND_MS;
/** A gap is longer than this many of the source's usual pauses. */
const USUAL_PAUSES = 10;
/** Markets are quiet around their opening and close. */
const SHORTEST_AT_CLOSURE_MS = MINUTE_MS;

/** Finds the gaps of live and simulated sources from their prices and the reports of their connections. */
export class GapTracker {
  #sources = new Map<string, FeedSource>();
  readonly #tracks = new Map<string, Track>();
  #found: TrackedGap[] = [];

  /** @param seen the last prices before this start */
  constructor(sources: readonly FeedSource[], seen: readonly SeenSource[]) {
    this.setSources(sources);
    for (const { source, seenMs, symbols, reason } of seen) {
      if (!this.#sources.has(source)) continue;
      const track = { symbols: new Set(symbols), seenMs, firstMs: seenMs, count: 0, isBeforeStart: reason === null };
      this.#tracks.set(source, { ...track, reason: reason ?? "stopped" });
    }
  }

  /** Forgets the sources that are not in the list: an operator removed them. */
  setSources(sources: readonly FeedSource[]): void {
    this.#sources = new Map(sources.filter(({ mode }) => mode !== "replay").map((source) => [source.name, source]));
    for (const name of this.#tracks.keys()) if (!this.#sources.has(name)) this.#tracks.delete(name);
  }

  onQuote({ source, instrument: { symbol }, receivedAtMs }: Quote): void {
    const track = this.#tracks.get(source);
    if (track === undefined) return this.#begin(source, symbol, receivedAtMs);
    if (track.reason !== null) this.#end(source, track, receivedAtMs);
    if (!track.symbols.has(symbol)) track.symbols.add(symbol);
    track.seenMs = receivedAtMs;
    track.count++;
  }

  /** No prices come from now on. The first reason counts, until a price comes. */
  onLoss(source: string, reason: GapReason): void {
    const track = this.#tracks.get(source);
    if (track !== undefined) track.reason ??= reason;
  }

  /** This process did not run for a while. */
  onPause(): void {
    for (const source of this.#tracks.keys()) this.onLoss(source, "stopped");
  }

  listSeen(): SeenSource[] {
    return Array.from(this.#tracks, ([source, { seenMs, symbols, reason }]) => ({
      ...{ source, seenMs, reason },
      symbols: [...symbols].sort(),
    }));
  }

  /** The gaps that have ended since the last call, oldest first. */
  take(): TrackedGap[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Takes gaps back that could not be stored. */
  putBack(gaps: readonly TrackedGap[]): void {
    this.#found = [...gaps, ...this.#found];
  }

  #begin(source: string, symbol: string, atMs: number): void {
    if (!this.#sources.has(source)) return;
    const track = { symbols: new Set([symbol]), seenMs: atMs, reason: null, firstMs: atMs, count: 1 };
    this.#tracks.set(source, { ...track, isBeforeStart: false });
  }

  #end(source: string, track: Track, atMs: number): void {
    const { reason, seenMs, symbols, firstMs, count, isBeforeStart } = track;
    track.reason = null;
    track.isBeforeStart = false;
    track.firstMs = atMs;
    track.count = 0;
    // The clock was set back.
    if (reason === null || atMs <= seenMs) return;
    const shortestMs = Math.max(SHORTEST_GAP_MS, count === 0 ? 0 : (USUAL_PAUSES * (seenMs - firstMs)) / count);
    for (const { fromMs, untilMs, touchesClosure } of cutOpenSpans(this.#listHours(source, symbols), {
      fromMs: seenMs,
      untilMs: atMs,
    })) {
      const leastMs = touchesClosure ? Math.max(shortestMs, SHORTEST_AT_CLOSURE_MS) : shortestMs;
      if (untilMs - fromMs < leastMs) continue;
      const lostUntilMs = this.#findLost(source, { fromMs, untilMs, isBeforeStart });
      this.#found.push({ source, fromMs, toMs: untilMs, reason, symbols: [...symbols].sort(), lostUntilMs });
    }
  }

  /** The back-fill of a simulated source adds hours in which no server ran, and what the open hour lacks. */
  #findLost(source: string, { fromMs, untilMs, isBeforeStart }: Span & { readonly isBeforeStart: boolean }): number {
    if (this.#sources.get(source)?.mode === "live") return Infinity;
    if (!isBeforeStart) return untilMs;
    const hourEndMs = (Math.floor(fromMs / HOUR_MS) + 1) * HOUR_MS;
    return hourEndMs < untilMs ? hourEndMs : fromMs;
  }

  #listHours(source: string, symbols: ReadonlySet<string>) {
    const hours = this.#sources.get(source)?.hours;
    if (hours !== undefined) return [hours];
    return [...new Set([...symbols].flatMap((symbol) => instrumentBySymbol.get(symbol)?.tradingHours ?? []))];
  }
}
