import type { PastPrice } from "@/lib/feeds/feed";
import { type BrokerStream, createBrokerStream } from "@/lib/feeds/simulated/broker-stream";
import { brokers } from "@/lib/feeds/simulated/brokers";
import { createMarket } from "@/lib/feeds/simulated/market";
import type { Instrument } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { HOUR_MS } from "@/lib/time/units";

export interface SimulatedStreamsOptions {
  readonly seed: string;
  /** "always" trades round the clock, weekends too; "market" follows the trading hours. */
  readonly hours: "always" | "market";
  readonly instruments: readonly Instrument[];
}

const MAX_CLOSURE_HOURS = 24 * 7;

/** The streams of all simulated brokers, with their hours and their past. */
export class SimulatedStreams {
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
