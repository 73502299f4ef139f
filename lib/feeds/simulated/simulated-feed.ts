import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import type { Feed, FeedSink, FeedSource, PastPrice } from "@/lib/feeds/feed";
import { defineFeedKind } from "@/lib/feeds/feed-kind";
import { type BrokerStream, createBrokerStream } from "@/lib/feeds/simulated/broker-stream";
import { brokers, isDown } from "@/lib/feeds/simulated/brokers";
import { createMarket, type Price } from "@/lib/feeds/simulated/market";
import type { Instrument } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { type Logger, silentLog } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS } from "@/lib/time/units";

interface SimulatedOptions extends SimulatedStreamsOptions {
  readonly now: Clock;
  readonly sleep?: (ms: number) => Promise<unknown>;
  readonly log?: Logger;
}

export interface SimulatedFeed extends Feed {
  /** Returns a broker's price at any moment, also outside trading hours; undefined if it does not quote the symbol. */
  priceAt(symbol: string, source: string, atMs: number): Price | undefined;
  history(symbol: string, source: string, fromMs: number, toMs: number, stepMs: number): Generator<PastPrice>;
}

const ROUND_MS = 50;
/** After a longer pause (a laptop in standby, a changed clock) the feed continues from now, as a real one does. */
const MAX_PAUSE_MS = 10_000;

/**
 * Creates four invented brokers in an invented market, to try Spotline without a broker's account. Levels, movement,
 * spreads and hours are like real ones; connections fail and come back, and some ticks are bad. The same seed gives the
 * same prices at the same times, also in the past.
 */
export function createSimulatedFeed(options: SimulatedOptions): SimulatedFeed {
  return new BrokerSimulation(options);
}

class BrokerSimulation implements SimulatedFeed {
  readonly name = "simulated";
  readonly sources: readonly FeedSource[] = brokers.map(({ name }) => ({ name, mode: "simulated" }));
  readonly #seed: string;
  readonly #streams: SimulatedStreams;
  readonly #now: Clock;
  readonly #sleep: (ms: number) => Promise<unknown>;
  readonly #log: Logger;
  /** Whether each broker's connection is down; without an entry before its first status. */
  readonly #down = new Map<string, boolean>();
  #sink: FeedSink | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor({ seed, hours, instruments, now, sleep = setTimeout, log = silentLog }: SimulatedOptions) {
    this.#seed = seed;
    this.#streams = new SimulatedStreams({ seed, hours, instruments });
    this.#now = now;
    this.#sleep = sleep;
    this.#log = log;
  }

  async start(sink: FeedSink): Promise<void> {
    this.#sink = sink;
    this.#running = this.#run().catch((error: unknown) => {
      this.#log.error({ err: error }, "The simulated market stopped");
      sink.failed?.(error);
    });
  }

  async stop(): Promise<void> {
    this.#sink = null;
    await this.#running;
  }

  priceAt(symbol: string, source: string, atMs: number): Price | undefined {
    return this.#streams.find(symbol, source)?.priceAt(atMs);
  }

  history(symbol: string, source: string, fromMs: number, toMs: number, stepMs: number): Generator<PastPrice> {
    return this.#streams.history(symbol, source, fromMs, toMs, stepMs);
  }

  async #run(): Promise<void> {
    this.#down.clear();
    let lastMs = this.#now();
    this.#skipTo(lastMs);
    this.#sendLastBeforeClose(lastMs);
    while (this.#sink !== null) {
      const atMs = this.#now();
      if (Math.abs(atMs - lastMs) > MAX_PAUSE_MS) this.#skipTo(atMs);
      lastMs = atMs;
      this.#reportConnections(atMs);
      for (const stream of this.#streams.all) this.#sendDueTicks(stream, atMs);
      await this.#sleep(ROUND_MS);
    }
  }

  #skipTo(atMs: number): void {
    for (const stream of this.#streams.all) stream.skipTo(atMs);
  }

  #reportConnections(atMs: number): void {
    for (const { name } of brokers) {
      const isNowDown = isDown(this.#seed, name, atMs);
      if (this.#down.get(name) === isNowDown) continue;
      this.#down.set(name, isNowDown);
      this.#sink?.status(name, isNowDown ? "disconnected" : "connected", "simulated");
    }
  }

  #sendDueTicks(stream: BrokerStream, atMs: number): void {
    while (stream.nextAtMs <= atMs && this.#sink !== null) {
      const dueMs = stream.nextAtMs;
      const { tick, bad } = stream.take(atMs);
      if (this.#down.get(stream.source) === true || !this.#streams.isOpen(stream, dueMs)) continue;
      this.#sink.tick(tick);
      // The sink may have stopped the feed.
      if (bad !== null) this.#sink?.tick(bad);
    }
  }

  /** A broker that is connected to while a market is closed still shows its last price, with that price's time. */
  #sendLastBeforeClose(atMs: number): void {
    for (const stream of this.#streams.all) {
      if (this.#streams.isOpen(stream, atMs)) continue;
      const closedAtMs = this.#streams.findClose(stream, atMs);
      if (closedAtMs !== null) this.#sink?.tick(stream.tickAt(closedAtMs - 1_000, atMs));
    }
  }
}

interface SimulatedStreamsOptions {
  readonly seed: string;
  /** "always" trades round the clock, weekends too; "market" follows the trading hours. */
  readonly hours: "always" | "market";
  readonly instruments: readonly Instrument[];
}

const MAX_CLOSURE_HOURS = 24 * 7;

/** The streams of all simulated brokers, with their hours and their past. */
class SimulatedStreams {
  readonly all: readonly BrokerStream[];
  readonly #byKey = new Map<string, BrokerStream>();
  readonly #hours: "always" | "market";

  constructor({ seed, hours, instruments }: SimulatedStreamsOptions) {
    const market = createMarket(seed, instruments);
    for (const broker of brokers) {
      for (const [symbol, priced] of market) {
        if (!broker.categories.has(priced.instrument.category)) continue;
        this.#byKey.set(toKey(symbol, broker.name), createBrokerStream(seed, broker, priced));
      }
    }
    this.all = [...this.#byKey.values()];
    this.#hours = hours;
  }

  find(symbol: string, source: string): BrokerStream | undefined {
    return this.#byKey.get(toKey(symbol, source));
  }

  isOpen({ market: { instrument } }: BrokerStream, atMs: number): boolean {
    return this.#hours === "always" || isMarketOpen(instrument.tradingHours, atMs);
  }

  /** Returns the last close before a moment at which the market is closed; null if it closed more than a week before. */
  findClose(stream: BrokerStream, atMs: number): number | null {
    let openMs = atMs;
    for (let hour = 0; !this.isOpen(stream, openMs); hour++) {
      if (hour === MAX_CLOSURE_HOURS) return null;
      openMs -= HOUR_MS;
    }
    let closedMs = openMs + HOUR_MS;
    while (closedMs - openMs > 1) {
      const middleMs = Math.floor((openMs + closedMs) / 2);
      if (this.isOpen(stream, middleMs)) openMs = middleMs;
      else closedMs = middleMs;
    }
    return closedMs;
  }

  /** Yields what `Feed.history` promises. */
  *history(symbol: string, source: string, fromMs: number, toMs: number, stepMs: number): Generator<PastPrice> {
    const stream = this.find(symbol, source);
    if (stream === undefined) return;
    for (let timeMs = Math.ceil(fromMs / stepMs) * stepMs; timeMs < toMs; timeMs += stepMs) {
      if (!this.isOpen(stream, timeMs)) continue;
      const updates = stream.countTicks(timeMs, stepMs);
      if (updates === 0) continue;
      const { bid, ask } = stream.priceAt(timeMs);
      yield { timeMs, bid, ask, updates };
    }
  }
}

function toKey(symbol: string, source: string): string {
  return `${symbol} ${source}`;
}

export const simulatedKind = defineFeedKind({
  kind: "simulated",
  sources: "several",
  isFallback: true,
  settings: { seed: z.string().min(1), trading: z.enum(["always", "market"]) },
  secrets: {},
  create: ({ settings, now, instruments, log }) =>
    createSimulatedFeed({ seed: settings.seed, hours: settings.trading, now, instruments, log }),
});
