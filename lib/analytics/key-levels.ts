import type { Bar } from "@/lib/market/bar";

/** Prices at which the market turned earlier. */
export interface KeyLevels {
  /** Above the price, nearest first. */
  readonly resistance: readonly number[];
  /** Below the price, nearest first. */
  readonly support: readonly number[];
}

const LOOK_BACK_BARS = 200;
const LEVELS_PER_SIDE = 3;
/** Bars on either side that must not exceed a turning point: Bill Williams' fractal. */
const SIDE_BARS = 2;

/**
 * The nearest swing highs above `price` and swing lows below it, at most three a side, over the latest 200 closed bars.
 * A swing high is a bar whose high is above those of the two bars before it and not below those of the two after it
 * (MetaTrader's Fractals); swing lows likewise. Of levels closer together than `apart` (price units) only the nearest
 * to the price is returned.
 */
export function findKeyLevels(bars: readonly Bar[], price: number, apart: number): KeyLevels {
  const recent = bars.slice(-LOOK_BACK_BARS);
  const highs = findTurningPoints(recent.map(({ high }) => high)).filter((level) => level > price);
  const lows = findTurningPoints(recent.map(({ low }) => -low))
    .map((level) => -level)
    .filter((level) => level < price);
  return {
    resistance: thinOut(
      highs.sort((a, b) => a - b),
      apart,
    ),
    support: thinOut(
      lows.sort((a, b) => b - a),
      apart,
    ),
  };
}

function findTurningPoints(values: readonly number[]): number[] {
  return values.filter((value, i) => {
    if (i < SIDE_BARS || i >= values.length - SIDE_BARS) return false;
    const before = values.slice(i - SIDE_BARS, i);
    const after = values.slice(i + 1, i + 1 + SIDE_BARS);
    return before.every((other) => value > other) && after.every((other) => value >= other);
  });
}

function thinOut(levels: readonly number[], apart: number): number[] {
  const result: number[] = [];
  for (const level of levels) {
    const nearest = result.at(-1);
    if (nearest === undefined || (level !== nearest && Math.abs(level - nearest) >= apart)) result.push(level);
  }
  return result.slice(0, LEVELS_PER_SIDE);
}
