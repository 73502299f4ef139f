import { setTimeout } from "node:timers/promises";
import type { Feed, FeedSink, PastPrice } from "@/lib/feeds/feed";
import { type BrokerStream, createBrokerStream } from "@/lib/feeds/simulated/broker-stream";
import { brokers, isDown } from "@/lib/feeds/simulated/brokers";
import { createMarket, type Price } from "@/lib/feeds/simulated/market";
import type { Instrument } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";
import type { Clock } from "@/lib/platform/clock";
import { type Logger, silentLog } from "@/lib/platform/log";
import { HOUR_MS } from "@/lib/time/units";

/**
 * Four invented brokers in an invented market, for trying Spotline without an account anywhere: levels, movement, spreads
 * and hours like the real ones', lines that go down and come back, and a bad tick now and then. The same seed gives the
 * same prices at the same times, past ones included.
 */

interface SimulatedOptions {
  readonly seed: string;
  /** "always" trades round the clock, weekends too, so that there is something to see; "market" keeps trading hours. */
  readonly hours: "always" | "market";
  readonly instruments: readonly Instrument[];
  readonly now: Clock;
  readonly sleep?: (ms: number) => Promise<unknown>;
  readonly log?: Logger;
}

export interface SimulatedFeed extends Feed {
  /** One broker's price at any moment, past or to come; undefined where it does not quote the symbol. Hours play no part. */
  priceAt(symbol: string, source: string, atMs: number): Price | undefined;
  history(symbol: string, source: string, fromMs: number, toMs: number, stepMs: number): Generator<PastPrice>;
}

const ROUND_MS = 50;
/** After a longer pause (a laptop asleep, a clock set) the feed goes on from now, as a real one would. */
const LONGEST_PAUSE_MS = 10_000;
const LONGEST_CLOSURE_HOURS = 24 * 7;

export function createSimulatedFeed(options: SimulatedOptions): SimulatedFeed {
  const { seed, hours, instruments, now, sleep = setTimeout, log = silentLog } = options;
  const market = createMarket(seed, instruments);
  const streams = new Map<string, BrokerStream>();
  for (const broker of brokers) {
    for (const [symbol, priced] of market) {
      if (!broker.categories.has(priced.instrument.category)) continue;
      streams.set(streamKey(symbol, broker.name), createBrokerStream(seed, broker, priced));
    }
  }
  const isOpen = ({ market: { instrument } }: BrokerStream, atMs: number) =>
    hours === "always" || isMarketOpen(instrument.tradingHours, atMs);
  let sink: FeedSink | null = null;
  let running: Promise<void> = Promise.resolve();

  async function run() {
    const down = new Map<string, boolean>();
    let lastMs = now();
    for (const stream of streams.values()) stream.skipTo(lastMs);
    sendLastBeforeClose(lastMs);
    while (sink !== null) {
      const atMs = now();
      if (Math.abs(atMs - lastMs) > LONGEST_PAUSE_MS) {
        for (const stream of streams.values()) stream.skipTo(atMs);
      }
      lastMs = atMs;
      for (const { name } of brokers) {
        const isNowDown = isDown(seed, name, atMs);
        if (down.get(name) !== isNowDown) sink.status(name, isNowDown ? "disconnected" : "connected", "simulated");
        down.set(name, isNowDown);
      }
      for (const stream of streams.values()) {
        while (stream.nextAtMs <= atMs && sink !== null) {
          const dueMs = stream.nextAtMs;
          const { tick, bad } = stream.take(atMs);
          if (down.get(stream.source) === true || !isOpen(stream, dueMs)) continue;
          sink.tick(tick);
          if (bad !== null) sink?.tick(bad);
        }
      }
      await sleep(ROUND_MS);
    }
  }

  /** A broker that is joined while a market is closed still shows its last price, with that price's time. */
  function sendLastBeforeClose(atMs: number) {
    for (const stream of streams.values()) {
      if (isOpen(stream, atMs)) continue;
      const closedAtMs = findClose(stream, atMs);
      if (closedAtMs !== null) sink?.tick(stream.tickAt(closedAtMs - 1_000, atMs));
    }
  }

  function findClose(stream: BrokerStream, atMs: number): number | null {
    let openMs = atMs;
    for (let hour = 0; !isOpen(stream, openMs); hour++) {
      if (hour === LONGEST_CLOSURE_HOURS) return null;
      openMs -= HOUR_MS;
    }
    let closedMs = openMs + HOUR_MS;
    while (closedMs - openMs > 1) {
      const middleMs = Math.floor((openMs + closedMs) / 2);
      if (isOpen(stream, middleMs)) openMs = middleMs;
      else closedMs = middleMs;
    }
    return closedMs;
  }

  return {
    name: "simulated",
    sources: brokers.map(({ name }) => ({ name, mode: "simulated" })),
    async start(to) {
      sink = to;
      running = run().catch((error: unknown) => log.error({ err: error }, "The simulated market stopped"));
    },
    async stop() {
      sink = null;
      await running;
    },
    priceAt: (symbol, source, atMs) => streams.get(streamKey(symbol, source))?.priceAt(atMs),
    *history(symbol, source, fromMs, toMs, stepMs) {
      const stream = streams.get(streamKey(symbol, source));
      if (stream === undefined) return;
      for (let timeMs = Math.ceil(fromMs / stepMs) * stepMs; timeMs < toMs; timeMs += stepMs) {
        if (!isOpen(stream, timeMs)) continue;
        const updates = stream.countTicks(timeMs, stepMs);
        if (updates === 0) continue;
        const { bid, ask } = stream.priceAt(timeMs);
        yield { timeMs, bid, ask, updates };
      }
    },
  };
}

function streamKey(symbol: string, source: string): string {
  return `${symbol} ${source}`;
}
