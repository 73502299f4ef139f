import type { Category } from "@/lib/market/instrument";

interface Bounds {
  /** Largest plausible step from one quote to the next, as a share of the price. */
  readonly jump: number;
  /** Largest plausible spread, as a share of the price. */
  readonly spread: number;
}

/**
 * Wide enough for the worst minutes of these markets at a broker that went on quoting, and far below a slipped decimal
 * point or another instrument's price.
 */
const BOUNDS: Readonly<Record<Category, Bounds>> = {
  forex: { jump: 0.05, spread: 0.05 },
  metals: { jump: 0.08, spread: 0.05 },
  commodities: { jump: 0.15, spread: 0.08 },
  indices: { jump: 0.1, spread: 0.05 },
  crypto: { jump: 0.3, spread: 0.15 },
  stocks: { jump: 0.25, spread: 0.15 },
};

/** The bounds of a category, for prices that are judged with those behind them. */
export function getBounds(category: Category): Bounds {
  return BOUNDS[category];
}

/** This many far-off ticks in a row that agree with each other become the new level (as CHF did on 2015-01-15). */
const TICKS_FOR_NEW_LEVEL = 5;

/** What the check remembers of one source and symbol. */
export interface Level {
  /** Mid price last accepted; 0 before the first. */
  mid: number;
  /** Mid price of the last far-off tick, and how many of them agreed in a row. */
  farMid: number;
  farTicks: number;
}

export function createLevel(): Level {
  return { mid: 0, farMid: 0, farTicks: 0 };
}

/**
 * Whether a price is plausible; updates `level` in both cases. `reference` is the mid price to compare with while this
 * source has none (0 if no source has one: then the first price is accepted). A jump cannot lock a source out: a level
 * that is repeated is accepted after a few ticks. A spread that is too wide is refused however often it is sent, and
 * the next plausible one is accepted at once.
 */
export function isPlausible(level: Level, bid: number, ask: number, category: Category, reference: number): boolean {
  const bounds = BOUNDS[category];
  const mid = (bid + ask) / 2;
  if (ask - bid > bounds.spread * mid) return false;
  const before = level.mid === 0 ? reference : level.mid;
  if (before !== 0 && !isNear(mid, before, bounds.jump)) {
    const agrees = level.farTicks > 0 && isNear(mid, level.farMid, bounds.jump);
    level.farTicks = agrees ? level.farTicks + 1 : 1;
    level.farMid = mid;
    if (level.farTicks < TICKS_FOR_NEW_LEVEL) return false;
  }
  level.mid = mid;
  level.farTicks = 0;
  return true;
}

/** The difference is a share of the smaller value, so that a jump up and the same jump back are judged alike. */
export function isNear(a: number, b: number, share: number): boolean {
  return Math.abs(a - b) <= share * Math.min(a, b);
}
