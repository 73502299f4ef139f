import type { BarMemory } from "@/lib/analytics/indicators/memory";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { computeLatest, runIndicator } from "@/lib/analytics/indicators/run";
import type { Bar } from "@/lib/market/bar";

/** The least number of bars for a summary: the period of its slowest required average. */
export const SUMMARY_BARS = 50;
/** The number of bars for the comparison of volatility and of volume. */
const VOLATILITY_BARS = 100;
const VOLUME_BARS = 20;

/** The values of a summary at the latest closed bar, unrounded. */
export interface SummaryValues {
  readonly close: number;
  readonly rsi: number;
  readonly macdHistogram: number;
  readonly momentum: number;
  readonly stochasticK: number;
  readonly stochasticD: number;
  readonly adx: number;
  readonly plusDi: number;
  readonly minusDi: number;
  readonly sar: number;
  readonly sma20: number;
  readonly sma50: number;
  /** Null while there are fewer than 200 bars. */
  readonly sma200: number | null;
  readonly bbUpper: number;
  readonly bbLower: number;
  readonly atr: number;
  readonly mfi: number;
  /**
   * Share of the latest 100 true-range averages that are lower than the current one, in per cent; equal ones count
   * half.
   */
  readonly volatilityRank: number;
  /** Volume of the bar divided by the mean of the 20 before it; null if that mean is 0. */
  readonly volumeRatio: number | null;
}

/** Closed bars, oldest first, with what indicators remember of those before them. */
export interface MarketBars {
  readonly closed: readonly Bar[];
  readonly past: BarMemory | null;
}

/** The values at the last of the bars; null if there are too few. */
export function computeSummaryValues({ closed: bars, past }: MarketBars): SummaryValues | null {
  const last = bars.at(-1);
  if (last === undefined || bars.length < SUMMARY_BARS) return null;
  const atrs = runIndicator(requireIndicator("ATR_14"), bars)
    .filter((value) => value !== null)
    .slice(-VOLATILITY_BARS);
  const requireValue = (name: string) => {
    const value = computeLatest(requireIndicator(name), bars, past);
    if (value === null) throw new Error(`${name} has no value after ${bars.length} bars`);
    return value;
  };
  return {
    close: last.close,
    rsi: requireValue("RSI_14"),
    macdHistogram: requireValue("MACD_hist"),
    momentum: requireValue("Momentum_14"),
    stochasticK: requireValue("Stochastic_K"),
    stochasticD: requireValue("Stochastic_D"),
    adx: requireValue("ADX"),
    plusDi: requireValue("ADX_plusDI"),
    minusDi: requireValue("ADX_minusDI"),
    sar: requireValue("SAR"),
    sma20: requireValue("SMA_20"),
    sma50: requireValue("SMA_50"),
    sma200: computeLatest(requireIndicator("SMA_200"), bars),
    bbUpper: requireValue("BB_upper"),
    bbLower: requireValue("BB_lower"),
    atr: atrs.at(-1) ?? 0,
    mfi: requireValue("MFI_14"),
    volatilityRank: rankLast(atrs),
    volumeRatio: computeVolumeRatio(bars),
  };
}

function rankLast(values: readonly number[]): number {
  const last = values.at(-1);
  const others = values.slice(0, -1);
  if (last === undefined || last === 0 || others.length === 0) return 0;
  let lower = 0;
  for (const value of others) lower += value < last ? 1 : value === last ? 0.5 : 0;
  return (100 * lower) / others.length;
}

function computeVolumeRatio(bars: readonly Bar[]): number | null {
  const before = bars.slice(-VOLUME_BARS - 1, -1);
  const mean = before.reduce((sum, { volume }) => sum + volume, 0) / before.length;
  return mean === 0 ? null : (bars.at(-1)?.volume ?? 0) / mean;
}

function requireIndicator(name: string) {
  const definition = findIndicator(name);
  if (definition === undefined) throw new Error(`There is no indicator ${name}`);
  return definition;
}
