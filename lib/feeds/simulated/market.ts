import { findAsset, findLegs } from "@/lib/feeds/simulated/assets/find-assets";
import type { Broker } from "@/lib/feeds/simulated/brokers";
import { deriveSeed, drawNormal } from "@/lib/feeds/simulated/noise";
import { createPath } from "@/lib/feeds/simulated/path";
import type { Instrument } from "@/lib/market/instrument";
import { roundPrice } from "@/lib/market/price";

/** One instrument's price at any moment, before a broker adds its spread. */
export interface PricedInstrument {
  readonly instrument: Instrument;
  /** A usual broker's spread in a usual hour, as a share of the price. */
  readonly usualSpread: number;
  midAt(atMs: number): number;
  /** The factor on spreads at `atMs`: below 1 in the busiest hours, several at the rollover. */
  wideningAt(atMs: number): number;
}

export interface Price {
  readonly bid: number;
  readonly ask: number;
}

/**
 * A market whose every price is a function of the seed and the time. Pairs are computed from their two currencies'
 * values, so that EURJPY is EURUSD times USDJPY at every instant, as arbitrage ensures in a real market.
 */
export function createMarket(seed: string, instruments: readonly Instrument[]): ReadonlyMap<string, PricedInstrument> {
  const values = new Map<string, ValuedAsset>();

  function findValue(name: string): ValuedAsset {
    let value = values.get(name);
    if (value === undefined) values.set(name, (value = createValue(seed, name, findValue)));
    return value;
  }

  function price(instrument: Instrument): [string, PricedInstrument][] {
    const legs = findLegs(instrument);
    if (legs === undefined) return [];
    const base = findValue(legs.base);
    const quote = legs.quote === null ? undefined : findValue(legs.quote);
    const priced: PricedInstrument = {
      instrument,
      usualSpread: (base.spreadBp + (quote?.spreadBp ?? 0)) / 10_000,
      midAt: (atMs) => Math.exp(base.logAt(atMs) - (quote?.logAt(atMs) ?? 0)),
      wideningAt: (atMs) => Math.max(base.wideningAt(atMs), quote?.wideningAt(atMs) ?? 0),
    };
    return [[instrument.symbol, priced]];
  }

  return new Map(instruments.flatMap(price));
}

interface ValuedAsset {
  readonly spreadBp: number;
  logAt(atMs: number): number;
  /** Logarithm of value over usual level. */
  deviationAt(atMs: number): number;
  wideningAt(atMs: number): number;
}

function createValue(seed: string, name: string, findValue: (name: string) => ValuedAsset): ValuedAsset {
  const { value, volatility, spreadBp, region, follows } = findAsset(name);
  const path = createPath({ seed: deriveSeed(seed, name, "path"), yearlyVolatility: volatility / 100, region });
  const leader = follows === undefined ? undefined : findValue(follows.asset);
  const share = follows?.share ?? 0;
  const usualLog = Math.log(value);
  const deviationAt = (atMs: number) =>
    path.deviationAt(atMs) + (leader === undefined ? 0 : share * leader.deviationAt(atMs));
  return { spreadBp, deviationAt, logAt: (atMs) => usualLog + deviationAt(atMs), wideningAt: path.wideningAt };
}

const OFFSET_STEP_MS = 16_000;
const VARIATION_STEP_MS = 1_500;
/** How far a broker's mid may be from the market's: shares of its spread, one standard deviation. */
const OFFSET_DEVIATION = 0.07;

/** One broker's price of one instrument: its spread varies a little, and its mid drifts slowly around the market's. */
export function createQuoter(seed: string, broker: Broker, { instrument, ...market }: PricedInstrument) {
  const quoteSeed = deriveSeed(seed, broker.name, instrument.symbol, "quote");
  const usualSpread = broker.spreadScale * market.usualSpread;
  return (atMs: number): Price => {
    const mid = market.midAt(atMs);
    const variation = Math.exp(0.2 * drawNormal(quoteSeed, Math.floor(atMs / VARIATION_STEP_MS), 0));
    const spread = mid * usualSpread * market.wideningAt(atMs) * variation;
    const ownMid = mid + OFFSET_DEVIATION * spread * computeSmoothNoise(quoteSeed, atMs / OFFSET_STEP_MS);
    return {
      bid: roundPrice(ownMid - spread / 2, instrument.digits),
      ask: roundPrice(ownMid + spread / 2, instrument.digits),
    };
  };
}

/** Interpolates linearly between the random numbers of neighbouring whole numbers. */
function computeSmoothNoise(seed: number, at: number): number {
  const before = Math.floor(at);
  const from = drawNormal(seed, before, 1);
  return from + (drawNormal(seed, before + 1, 1) - from) * (at - before);
}
