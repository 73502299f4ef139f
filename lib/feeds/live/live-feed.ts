import type { Feed, FeedSink, FeedSource, FetchPast } from "@/lib/feeds/feed";
import {
  type Connection,
  type CreateProtocol,
  type OpenWire,
  type Protocol,
  VenueError,
  type VenueTimes,
  type Wire,
} from "@/lib/feeds/live/connector";
import type { FrameRecorder } from "@/lib/feeds/live/frame-recorder";
import { createMask } from "@/lib/feeds/live/mask-secrets";
import type { Category, TradingHours } from "@/lib/market/instrument";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { inBackground } from "@/lib/platform/faults";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { describeError } from "@/lib/text/describe-error";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** What every live feed gets from the server. */
export interface LiveContext {
  readonly now: Clock;
  readonly monotonic: Clock;
  readonly log: Logger;
  /** From 0 up to 1; spreads the attempts to connect. */
  readonly random: () => number;
  /** Null unless what venues send is recorded. */
  readonly recorder: FrameRecorder | null;
}

export interface LiveFeedOptions extends LiveContext {
  /** The source's name. */
  readonly name: string;
  readonly times: VenueTimes;
  /** Ends a connection that has heartbeats but no prices although some are expected, as on an open market. */
  readonly prices?: PriceWatch | undefined;
  /** What the venue is signed in to with now. No status and no log line has these texts, though a venue repeats them. */
  readonly secrets?: () => readonly string[];
  readonly fetchPast?: FetchPast;
  readonly openWire: OpenWire;
  readonly createProtocol: CreateProtocol;
}

/** Creates a feed of one source that stays connected to a venue: whatever ends a connection, it connects again. */
export function createLiveFeed(options: LiveFeedOptions): Feed {
  return new LiveFeed(options);
}

class LiveFeed implements Feed {
  readonly name: string;
  readonly sources: readonly FeedSource[];
  readonly fetchPast: FetchPast | undefined;
  readonly #options: LiveFeedOptions;
  #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: LiveFeedOptions) {
    this.name = options.name;
    this.sources = [{ name: options.name, mode: "live" }];
    this.fetchPast = options.fetchPast;
    this.#options = options;
  }

  async start(sink: FeedSink): Promise<void> {
    this.#stopping = new AbortController();
    this.#running = this.#run(sink, this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(sink: FeedSink, signal: AbortSignal): Promise<void> {
    const { name, times, random, secrets } = this.#options;
    const pause = new RetryPause(times, random);
    while (!signal.aborted) {
      const { reason, subscribedMs } = await runConnection(this.#options, sink, signal);
      if (signal.aborted) return;
      const isFinal = reason instanceof VenueError && reason.isFinal;
      const mask = createMask(secrets?.() ?? []);
      sink.status(name, isFinal ? "ended" : "disconnected", mask(reason.message));
      if (isFinal) return;
      await wait(pause.next(subscribedMs, reason instanceof VenueError ? reason.retryAfterMs : 0), signal);
    }
  }
}

/** Resolves after a time, or at once when the signal is aborted. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}

interface EndedConnection {
  readonly reason: Error;
  /** For how many milliseconds the venue's subscription stood; 0 if never. */
  readonly subscribedMs: number;
}

/** Opens one connection, passes its prices to the sink, and resolves once it has ended. Never rejects. */
function runConnection(options: LiveFeedOptions, sink: FeedSink, signal: AbortSignal): Promise<EndedConnection> {
  return new Promise((resolve) => new OneConnection(options, sink, signal, resolve));
}

const LONGEST_NAMING_MS = 5 * SECOND_MS;

class OneConnection implements Connection {
  readonly now: LiveFeedOptions["now"];
  readonly #options: LiveFeedOptions;
  readonly #sink: FeedSink;
  readonly #signal: AbortSignal;
  readonly #onEnd: (ended: EndedConnection) => void;
  readonly #silence: NodeJS.Timeout;
  readonly #protocol: Protocol;
  readonly #wire: Wire;
  readonly #abort = () => {
    this.#guard(() => this.#protocol.stopping?.());
    this.#end(new Error("stopped"));
  };
  readonly #priceSilence: NodeJS.Timeout | undefined;
  #keepAlive: NodeJS.Timeout | undefined;
  #subscribedAtMs: number | null = null;
  #hasEnded = false;

  constructor(options: LiveFeedOptions, sink: FeedSink, signal: AbortSignal, onEnd: (ended: EndedConnection) => void) {
    this.now = options.now;
    this.#options = options;
    this.#sink = sink;
    this.#signal = signal;
    this.#onEnd = onEnd;
    const { silenceMs } = options.times;
    this.#silence = setTimeout(() => this.#end(new Error(`nothing arrived for ${silenceMs} ms`)), silenceMs);
    const { prices } = options;
    if (prices !== undefined) {
      this.#priceSilence = setInterval(() => {
        if (prices.areExpected()) this.#end(new Error(`no price for ${prices.silenceMs} ms`));
      }, prices.silenceMs);
    }
    this.#protocol = options.createProtocol(this);
    this.#wire = options.openWire({
      opened: () => this.#guard(() => this.#opened()),
      received: (data) => this.#guard(() => this.#received(data)),
      alive: () => void this.#silence.refresh(),
      symbols: (facts, then) => this.symbols(facts, then),
      closed: (reason) => this.#end(reason),
    });
    signal.addEventListener("abort", this.#abort);
    if (signal.aborted) this.#abort();
  }

  send(data: string | Buffer): void {
    if (this.#hasEnded) return;
    this.#options.recorder?.record(this.#options.name, "sent", data, this.now());
    this.#wire.send(data);
  }

  subscribed(detail?: string): void {
    if (this.#subscribedAtMs !== null || this.#hasEnded) return;
    this.#subscribedAtMs = this.#options.monotonic();
    this.#sink.status(this.#options.name, "connected", detail);
  }

  price(venueSymbol: string, bid: number, ask: number, venueTimeMs: number | null): void {
    // The sink may have stopped the feed while a message with several prices is read.
    if (this.#hasEnded) return;
    this.#priceSilence?.refresh();
    const receivedAtMs = this.now();
    const brokerTimeMs = venueTimeMs ?? receivedAtMs;
    this.#sink.tick({ source: this.#options.name, brokerSymbol: venueSymbol, bid, ask, brokerTimeMs, receivedAtMs });
  }

  symbols(facts: readonly SymbolFacts[], then: () => void): void {
    if (this.#hasEnded) return;
    const named = facts.length === 0 ? undefined : this.#sink.symbols?.(this.#options.name, facts);
    if (named === undefined) return this.#guard(then);
    // A slow database must not keep prices back for long. What it stores later is in the catalog then.
    const ending = new AbortController();
    const late = wait(LONGEST_NAMING_MS, AbortSignal.any([ending.signal, this.#signal]));
    const begun = Promise.race([named, late]).finally(() => {
      ending.abort();
      this.#guard(then);
    });
    inBackground(begun, this.#options.log, "naming the symbols of a venue");
  }

  warn(problem: string): void {
    const { log, name, secrets } = this.#options;
    log.warn({ source: name, problem: createMask(secrets?.() ?? [])(problem) }, "The venue reported a problem");
  }

  #opened(): void {
    this.#silence.refresh();
    this.#options.recorder?.record(this.#options.name, "opened", "", this.now());
    this.#protocol.opened();
    const { keepAlive } = this.#protocol;
    if (keepAlive === undefined || this.#hasEnded) return;
    this.#keepAlive = setInterval(() => this.#guard(() => keepAlive.send()), keepAlive.everyMs);
  }

  #received(data: string | Buffer): void {
    this.#silence.refresh();
    this.#options.recorder?.record(this.#options.name, "received", data, this.now());
    this.#protocol.received(data);
  }

  /** What a protocol throws ends its connection, not the process. */
  #guard(work: () => void): void {
    if (this.#hasEnded) return;
    try {
      work();
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(describeError(error)));
    }
  }

  #end(reason: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#silence);
    clearInterval(this.#priceSilence);
    clearInterval(this.#keepAlive);
    this.#signal.removeEventListener("abort", this.#abort);
    this.#wire?.destroy();
    const { monotonic } = this.#options;
    this.#onEnd({ reason, subscribedMs: this.#subscribedAtMs === null ? 0 : monotonic() - this.#subscribedAtMs });
  }
}

/** A connection that lasted this long after its subscription was a good one. */
const STABLE_MS = MINUTE_MS;

/**
 * The pauses between attempts to connect: each twice the one before, within the venue's limits, and up to half as long
 * again by chance, so that many clients do not return at the same moment.
 */
export class RetryPause {
  readonly #times: VenueTimes;
  readonly #random: () => number;
  #failures = 0;

  constructor(times: VenueTimes, random: () => number) {
    this.#times = times;
    this.#random = random;
  }

  /**
   * Returns the milliseconds to wait after a connection ended.
   * @param lastedMs how long it had been subscribed; 0 if never
   */
  next(lastedMs: number, demandedMs = 0): number {
    const { retryMs, maxRetryMs } = this.#times;
    if (lastedMs >= STABLE_MS) this.#failures = 0;
    const pauseMs = Math.min(retryMs * 2 ** this.#failures, maxRetryMs);
    this.#failures = Math.min(this.#failures + 1, 30);
    return Math.max(pauseMs, demandedMs) * (1 + this.#random() / 2);
  }
}

/** When a connection that has heartbeats but no prices is dropped. */
export interface PriceWatch {
  /** It is dropped after this long without a price, in milliseconds, */
  readonly silenceMs: number;
  /** if prices were expected all the time. */
  readonly areExpected: () => boolean;
}

interface Options {
  /** What the source is subscribed to. */
  readonly instruments: readonly { readonly category: Category; readonly tradingHours: TradingHours }[];
  /** When the source trades, if not at the hours of its instruments. */
  readonly hours: TradingHours | null;
  /** Its usual prices a second; null if unknown. */
  readonly expectedRate: number | null;
  readonly now: Clock;
}

const CRYPTO_SILENCE_MS = MINUTE_MS;
const SILENCE_MS = 3 * MINUTE_MS;
/** In quiet hours there are far fewer prices than usual: a silence this many times the usual interval is a fault. */
const MISSED_PRICES = 60;
const SHORTEST_SILENCE_MS = 30 * SECOND_MS;

/** Creates the watch of one source. Without any known instrument there is none. */
export function createPriceWatch({ instruments, hours, expectedRate, now }: Options): PriceWatch | undefined {
  if (instruments.length === 0) return undefined;
  const markets = hours === null ? [...new Set(instruments.map(({ tradingHours }) => tradingHours))] : [hours];
  const usualMs = instruments.every(({ category }) => category === "crypto") ? CRYPTO_SILENCE_MS : SILENCE_MS;
  const silenceMs =
    expectedRate === null
      ? usualMs
      : Math.max(SHORTEST_SILENCE_MS, Math.ceil((MISSED_PRICES * SECOND_MS) / expectedRate));
  // A market that has only just opened need not have had a price.
  const areExpected = () => {
    const nowMs = now();
    return markets.some((market) => isMarketOpen(market, nowMs - silenceMs) && isMarketOpen(market, nowMs));
  };
  return { silenceMs, areExpected };
}
