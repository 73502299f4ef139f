import type { Broker } from "@/lib/feeds/simulated/brokers";
import { createQuoter, type Price, type PricedInstrument } from "@/lib/feeds/simulated/market";
import { deriveSeed, drawUniform } from "@/lib/feeds/simulated/noise";
import type { Tick } from "@/lib/market/bar";

/** A name in no catalog, sent now and then as brokers do send unknown symbols. */
export const JUNK_SYMBOL = "XTESTSYMBOL";

/** One broker's ticks of one instrument, at times and prices that depend only on the seed. */
export interface BrokerStream {
  readonly source: string;
  readonly market: PricedInstrument;
  readonly priceAt: (atMs: number) => Price;
  /** When the next tick is due, by the market clock. */
  nextAtMs: number;
  /** Makes the next tick the first one due from a little before `atMs` on. */
  skipTo(atMs: number): void;
  /** Returns the due tick, and a bad one after it if the seed has one there; moves on to the next. */
  take(receivedAtMs: number): { readonly tick: Tick; readonly bad: Tick | null };
  /** How many ticks were sent in a span; an estimate for a long span. */
  countTicks(fromMs: number, lengthMs: number): number;
  /** The tick that this broker would send for `atMs`. */
  tickAt(atMs: number, receivedAtMs: number): Tick;
}

const MIN_INTERVAL_MS = 330;
const MAX_INTERVAL_MS = 2_600;
/** Longer spans are not counted tick by tick, but estimated from the share of ticks at some moments of them. */
const MAX_COUNTED_MS = 5_000;
const MOMENTS = 4;
/** No two hours of a market are equally busy. */
const UNEVENNESS = 0.3;
/** One tick in this many is followed by a bad one, so that the intake's refusals can be seen. */
const BAD_EVERY = 3_000;

export function createBrokerStream(seed: string, broker: Broker, market: PricedInstrument): BrokerStream {
  const streamSeed = deriveSeed(seed, broker.name, market.instrument.symbol, "ticks");
  const brokerSymbol = broker.spell(market.instrument);
  const priceAt = createQuoter(seed, broker, market);
  // Instruments with wide spreads are quoted less often.
  const usualMs = Math.min(
    Math.max(MIN_INTERVAL_MS * (market.usualSpread * 20_000) ** 0.7, MIN_INTERVAL_MS),
    MAX_INTERVAL_MS,
  );
  const slotMs = usualMs / broker.pace;
  let slot = 0;

  const findMoment = (slot: number) => Math.floor((slot + drawUniform(streamSeed, slot, 0)) * slotMs);
  const hasTick = (slot: number, atMs: number) => drawUniform(streamSeed, slot, 1) * market.wideningAt(atMs) < 1;

  /** Each slot has one tick at its own moment; in quiet hours, some have none. */
  function findNext() {
    for (;;) {
      slot++;
      const atMs = findMoment(slot);
      if (hasTick(slot, atMs)) {
        stream.nextAtMs = atMs;
        return;
      }
    }
  }

  function countTicks(fromMs: number, lengthMs: number): number {
    if (lengthMs > MAX_COUNTED_MS) return estimateTicks(fromMs, lengthMs);
    let count = 0;
    const last = Math.floor((fromMs + lengthMs) / slotMs);
    for (let each = Math.floor(fromMs / slotMs); each <= last; each++) {
      const atMs = findMoment(each);
      if (atMs >= fromMs && atMs < fromMs + lengthMs && hasTick(each, atMs)) count++;
    }
    return count;
  }

  function estimateTicks(fromMs: number, lengthMs: number): number {
    let share = 0;
    for (let moment = 0; moment < MOMENTS; moment++) {
      const atMs = fromMs + ((moment + 0.5) / MOMENTS) * lengthMs;
      const unevenness = 1 - UNEVENNESS * drawUniform(streamSeed, Math.floor(atMs / slotMs), 4);
      share += (unevenness * Math.min(1, 1 / market.wideningAt(atMs))) / MOMENTS;
    }
    return Math.max(1, Math.round((lengthMs / slotMs) * share));
  }

  function tickAt(atMs: number, receivedAtMs: number): Tick {
    const { bid, ask } = priceAt(atMs);
    return { source: broker.name, brokerSymbol, bid, ask, brokerTimeMs: atMs + broker.skewMs, receivedAtMs };
  }

  const stream: BrokerStream = {
    source: broker.name,
    market,
    priceAt,
    nextAtMs: 0,
    skipTo(atMs) {
      slot = Math.floor(atMs / slotMs) - 2;
      findNext();
    },
    take(receivedAtMs) {
      const tick = tickAt(stream.nextAtMs, receivedAtMs);
      const isFollowed = drawUniform(streamSeed, slot, 2) < 1 / BAD_EVERY;
      const bad = isFollowed ? corrupt(tick, drawUniform(streamSeed, slot, 3)) : null;
      findNext();
      return { tick, bad };
    },
    countTicks,
    tickAt,
  };
  return stream;
}

/**
 * Errors that occur at real brokers: crossed prices, a slipped decimal point, an old tick, no number, an unknown
 * symbol.
 */
function corrupt(tick: Tick, choice: number): Tick {
  const { bid, ask, brokerTimeMs } = tick;
  if (choice < 0.4) return { ...tick, bid: ask + (ask - bid) + ask * 0.00002, ask: bid };
  if (choice < 0.55) return { ...tick, bid: bid * 10, ask: ask * 10 };
  if (choice < 0.75) return { ...tick, brokerTimeMs: brokerTimeMs - 30_000 };
  if (choice < 0.85) return { ...tick, ask: NaN };
  return { ...tick, brokerSymbol: JUNK_SYMBOL };
}
