import { getDeviation, getMean, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";
import type { Instrument } from "@/lib/market/instrument";
import { roundPrice } from "@/lib/market/price";

/** Decimals of statistics. Current spreads have one. */
const DECIMALS = 2;

/** Converts a spread from points to pips with two decimals. */
export function pointsToPips(points: number, { pipSize, digits }: Pick<Instrument, "pipSize" | "digits">): number {
  return roundPrice(points / Math.round(pipSize * 10 ** digits), DECIMALS);
}

/** Computes the mean, minimum, maximum and standard deviation of a roll-up in pips; null without a sample. */
export function rollupInPips(rollup: SpreadRollup, instrument: Pick<Instrument, "pipSize" | "digits">) {
  if (rollup.n === 0) return null;
  const pips = (points: number) => pointsToPips(points, instrument);
  return {
    avg: pips(getMean(rollup)),
    min: pips(rollup.min),
    max: pips(rollup.max),
    deviation: pips(getDeviation(rollup)),
  };
}
