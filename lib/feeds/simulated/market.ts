import { findAsset, findLegs } from "@/lib/feeds/simulated/assets";
import type { Broker } from "@/lib/feeds/simulated/brokers";
import { deriveSeed, drawNormal } from "@/lib/feeds/simulated/noise";
import {
  findWeek,
  getWeekStartMs,
  type RegionName,
  shapeWeek,
  SLOT_MS,
  type WeekShape,
} from "@/lib/feeds/simulated/week";
import { getBuiltInDigits } from "@/lib/market/catalog";
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
  // The prices of another source may have more digits.
  const digits = getBuiltInDigits(instrument.symbol) ?? instrument.digits;
  return (atMs: number): Price => {
    const mid = market.midAt(atMs);
    const variation = Math.exp(0.2 * drawNormal(quoteSeed, Math.floor(atMs / VARIATION_STEP_MS), 0));
    const spread = mid * usualSpread * market.wideningAt(atMs) * variation;
    const ownMid = mid + OFFSET_DEVIATION * spread * computeSmoothNoise(quoteSeed, atMs / OFFSET_STEP_MS);
    return {
      bid: roundPrice(ownMid - spread / 2, digits),
      ask: roundPrice(ownMid + spread / 2, digits),
    };
  };
}

/** Interpolates linearly between the random numbers of neighbouring whole numbers. */
function computeSmoothNoise(seed: number, at: number): number {
  const before = Math.floor(at);
  const from = drawNormal(seed, before, 1);
  return from + (drawNormal(seed, before + 1, 1) - from) * (at - before);
}

/**
 * One asset's price path: the logarithm of its price relative to its usual level, as a pure function of time.
 *
 * From week to week it is a mean-reverting (Ornstein–Uhlenbeck) sum of weekly shocks. Within a week it is a Brownian
 * bridge between the two weekly values, refined by midpoint displacement (Lévy's construction) over a clock that runs
 * with the market's activity: 22 halvings reach a seventh of a second, and any moment costs at most that many steps.
 * Because it is true Brownian motion in that clock, it has no visible grid, period or seam.
 */
export interface Path {
  /** Logarithm of price over usual level at `atMs` (UTC milliseconds). */
  deviationAt(atMs: number): number;
  /** The factor on spreads at `atMs`. */
  wideningAt(atMs: number): number;
}

interface PathOptions {
  readonly seed: number;
  /** Standard deviation of a year's log return. */
  readonly yearlyVolatility: number;
  readonly region: RegionName;
}

interface Week {
  readonly number: number;
  readonly startMs: number;
  readonly shape: WeekShape;
  readonly from: number;
  readonly to: number;
  readonly volatility: number;
}

const WEEKS_A_YEAR = 52.1775;
/** Half of a deviation from the usual level is gone after eleven weeks. */
const WEEKLY_DECAY = Math.exp(-1 / 16);
/** Older shocks contribute less than a ten-thousandth. */
const MAX_SHOCKS = 150;
const HALVINGS = 22;
const CELLS = 2 ** HALVINGS;
/** Standard deviation of a midpoint around the mean of its two ends, at each halving of a unit of time. */
const DEVIATIONS = Float64Array.from({ length: HALVINGS }, (_, depth) => 0.5 * 2 ** (-depth / 2));
const MAX_CACHED_WEEKS = 3;
/** Separates the random numbers of the hours from those of the prices. */
const SHAPE_SEED = 0x5bd1e995;

export function createPath({ seed, yearlyVolatility, region }: PathOptions): Path {
  const weeks: Week[] = [];
  let current: Week | undefined;

  /**
   * The standard deviation of a week's moves, including the shock that ends it. It varies at random from week to week.
   */
  function computeVolatility(week: number): number {
    return (yearlyVolatility / Math.sqrt(WEEKS_A_YEAR)) * Math.exp(0.3 * drawNormal(seed, week, -2) - 0.09);
  }

  function computeStartValue(week: number): number {
    let value = 0;
    for (let ago = MAX_SHOCKS; ago >= 1; ago--) {
      value = value * WEEKLY_DECAY + computeVolatility(week - ago) * drawNormal(seed, week - ago, -1);
    }
    return value;
  }

  function weekAt(atMs: number): Week {
    const number = findWeek(atMs);
    if (current?.number === number) return current;
    current = weeks.find((week) => week.number === number);
    if (current === undefined) {
      const shape = shapeWeek(seed ^ SHAPE_SEED, region, number);
      const from = computeStartValue(number);
      const to = computeStartValue(number + 1);
      current = { number, startMs: getWeekStartMs(number), shape, from, to, volatility: computeVolatility(number) };
      weeks.unshift(current);
      weeks.length = Math.min(weeks.length, MAX_CACHED_WEEKS);
    }
    return current;
  }

  // The values on the way to the last cell. The next cell is usually near and shares all but the last steps.
  const lower = new Float64Array(HALVINGS + 1);
  const upper = new Float64Array(HALVINGS + 1);
  let lastWeek = NaN;
  let lastCell = 0;

  function bridgeAt(week: Week, elapsed: number): number {
    const position = elapsed * CELLS;
    const cell = Math.min(Math.floor(position), CELLS - 1);
    let depth = Math.clz32(cell ^ lastCell) - (32 - HALVINGS);
    if (week.number !== lastWeek) {
      depth = 0;
      lower[0] = week.from;
      upper[0] = week.to;
    }
    for (; depth < HALVINGS; depth++) {
      const from = lower[depth] as number;
      const to = upper[depth] as number;
      const node = (1 << depth) | (cell >>> (HALVINGS - depth));
      const around = week.volatility * (DEVIATIONS[depth] as number) * drawNormal(seed, week.number, node);
      const middle = (from + to) / 2 + around;
      const isRight = ((cell >>> (HALVINGS - 1 - depth)) & 1) === 1;
      lower[depth + 1] = isRight ? middle : from;
      upper[depth + 1] = isRight ? to : middle;
    }
    lastWeek = week.number;
    lastCell = cell;
    const [from, to] = [lower[HALVINGS] as number, upper[HALVINGS] as number];
    return from + (to - from) * (position - cell);
  }

  return {
    deviationAt(atMs) {
      const week = weekAt(atMs);
      const slots = (atMs - week.startMs) / SLOT_MS;
      const slot = Math.floor(slots);
      const { elapsed } = week.shape;
      const before = elapsed[slot] as number;
      return bridgeAt(week, before + ((elapsed[slot + 1] as number) - before) * (slots - slot));
    },
    wideningAt(atMs) {
      const week = weekAt(atMs);
      return week.shape.widening[Math.floor((atMs - week.startMs) / SLOT_MS)] as number;
    },
  };
}
