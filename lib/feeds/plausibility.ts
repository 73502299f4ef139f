import type { Category } from "@/lib/market/instrument";

interface Bounds {
  /** Largest believable step from one quote to the next, as a share of the price. */
  readonly jump: number;
  /** Largest believable spread, as a share of the price. */
  readonly spread: number;
}

/**
 * Wide enough for the worst minutes these markets have really had at a broker that went on quoting, and far below a
 * slipped decimal point or another instrument's price.
 */
const BOUNDS: Readonly<Record<Category, Bounds>> = {
  forex: { jump: 0.05, spread: 0.05 },
  metals: { jump: 0.08, spread: 0.05 },
  commodities: { jump: 0.15, spread: 0.08 },
  indices: { jump: 0.1, spread: 0.05 },
  crypto: { jump: 0.3, spread: 0.15 },
  stocks: { jump: 0.25, spread: 0.15 },
};

/** So many ticks in a row that agree with each other make a new level, whatever came before (CHF on 2015-01-15). */
const TICKS_OF_A_NEW_LEVEL = 5;

/** What one source has lately said about one symbol, as far as judging its next price needs it. */
export interface Level {
  /** Mid price last believed; 0 before the first. */
  mid: number;
  /** Mid price of the last far-off tick, and how many of them agreed in a row. */
  doubtedMid: number;
  doubted: number;
}

export function createLevel(): Level {
  return { mid: 0, doubtedMid: 0, doubted: 0 };
}

/**
 * Whether a price may be believed; remembers it either way. `reference` is the mid price to begin from when this
 * source has none yet (0 if nobody has one, and the first price is believed). A source cannot be locked out by a jump:
 * a level that it keeps to is believed after a few ticks. A spread is different: it is absurd each time it is sent, and
 * the next sane one is taken at once.
 */
export function isPlausible(level: Level, bid: number, ask: number, category: Category, reference: number): boolean {
  const bounds = BOUNDS[category];
  const mid = (bid + ask) / 2;
  if (ask - bid > bounds.spread * mid) return false;
  const before = level.mid === 0 ? reference : level.mid;
  if (before !== 0 && !isNear(mid, before, bounds.jump)) {
    const agrees = level.doubted > 0 && isNear(mid, level.doubtedMid, bounds.jump);
    level.doubted = agrees ? level.doubted + 1 : 1;
    level.doubtedMid = mid;
    if (level.doubted < TICKS_OF_A_NEW_LEVEL) return false;
  }
  level.mid = mid;
  level.doubted = 0;
  return true;
}

/** Measured against the smaller of the two, so that a jump up and the same jump back are judged alike. */
function isNear(a: number, b: number, share: number): boolean {
  return Math.abs(a - b) <= share * Math.min(a, b);
}
