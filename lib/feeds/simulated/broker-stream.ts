import type { Broker } from "@/lib/feeds/simulated/brokers";
import { createQuoter, type Price, type PricedInstrument } from "@/lib/feeds/simulated/market";
import { seedOf, uniform } from "@/lib/feeds/simulated/noise";
import type { Tick } from "@/lib/market/tick";

/** A name no catalog knows, sent now and then as brokers send symbols nobody asked for. */
export const JUNK_SYMBOL = "XTESTSYMBOL";

/** One broker's ticks of one instrument, at times and prices that follow from the seed. */
export interface BrokerStream {
  readonly source: string;
  readonly market: PricedInstrument;
  readonly priceAt: (atMs: number) => Price;
  /** When the next tick is due, on the market clock. */
  nextAtMs: number;
  /** Lets the next tick be the first one due from a little before `atMs` on. */
  skipTo(atMs: number): void;
  /** The tick due, and a bad one after it where the plan has one; moves on to the next. */
  take(receivedAtMs: number): { readonly tick: Tick; readonly bad: Tick | null };
  /** How many ticks were sent in a span; about so many, where it is long. */
  countTicks(fromMs: number, lengthMs: number): number;
  /** The tick that this broker would send for `atMs`. */
  tickAt(atMs: number, receivedAtMs: number): Tick;
}

const FASTEST_MS = 330;
const SLOWEST_MS = 2_600;
/** Longer spans are not counted tick by tick, but taken to have had the usual share of quiet hours. */
const LONGEST_COUNTED_MS = 5_000;
const SHARE_NOT_QUIET = 0.8;
/** One tick in so many is followed by a bad one, so that what turns them away can be seen at work. */
const BAD_EVERY = 3_000;

export function createBrokerStream(seed: string, broker: Broker, market: PricedInstrument): BrokerStream {
  const streamSeed = seedOf(seed, broker.name, market.instrument.symbol, "ticks");
  const brokerSymbol = broker.spell(market.instrument);
  const priceAt = createQuoter(seed, broker, market);
  // What is dear to trade is traded and quoted less often.
  const usualMs = Math.min(Math.max(FASTEST_MS * (market.usualSpread * 20_000) ** 0.7, FASTEST_MS), SLOWEST_MS);
  const slotMs = usualMs / broker.pace;
  let slot = 0;

  const momentOf = (slot: number) => Math.floor((slot + uniform(streamSeed, slot, 0)) * slotMs);
  const hasTick = (slot: number, atMs: number) => uniform(streamSeed, slot, 1) * market.wideningAt(atMs) < 1;

  /** Each slot has one tick at a moment of its own; in quiet hours, some have none. */
  function findNext() {
    for (;;) {
      slot++;
      const atMs = momentOf(slot);
      if (hasTick(slot, atMs)) {
        stream.nextAtMs = atMs;
        return;
      }
    }
  }

  function countTicks(fromMs: number, lengthMs: number): number {
    if (lengthMs > LONGEST_COUNTED_MS) return Math.max(1, Math.round((lengthMs / slotMs) * SHARE_NOT_QUIET));
    let count = 0;
    const last = Math.floor((fromMs + lengthMs) / slotMs);
    for (let each = Math.floor(fromMs / slotMs); each <= last; each++) {
      const atMs = momentOf(each);
      if (atMs >= fromMs && atMs < fromMs + lengthMs && hasTick(each, atMs)) count++;
    }
    return count;
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
      const isFollowed = uniform(streamSeed, slot, 2) < 1 / BAD_EVERY;
      const bad = isFollowed ? spoil(tick, uniform(streamSeed, slot, 3)) : null;
      findNext();
      return { tick, bad };
    },
    countTicks,
    tickAt,
  };
  return stream;
}

/** What really goes wrong at brokers: crossed prices, a slipped decimal point, an old tick, no number, a stray symbol. */
function spoil(tick: Tick, choice: number): Tick {
  const { bid, ask, brokerTimeMs } = tick;
  if (choice < 0.4) return { ...tick, bid: ask + (ask - bid) + ask * 0.00002, ask: bid };
  if (choice < 0.55) return { ...tick, bid: bid * 10, ask: ask * 10 };
  if (choice < 0.75) return { ...tick, brokerTimeMs: brokerTimeMs - 30_000 };
  if (choice < 0.85) return { ...tick, ask: NaN };
  return { ...tick, brokerSymbol: JUNK_SYMBOL };
}
