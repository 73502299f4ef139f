import { findIndicator } from "@/lib/analytics/indicators/registry";
import { latestValue, runIndicator } from "@/lib/analytics/indicators/run";
import type { Bar } from "@/lib/market/bar";

/** Bars below which there is no summary: the slowest average that it cannot do without. */
export const SUMMARY_BARS = 50;
/** How far back volatility is compared with itself, and volume with its mean; in bars. */
const VOLATILITY_BARS = 100;
const VOLUME_BARS = 20;

/** What a summary is made of, all at the latest closed bar and unrounded. */
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
  /** Share of the latest 100 true-range averages that are lower than the present one, in per cent; half of those that equal it. */
  readonly volatilityRank: number;
  /** Volume of the bar against the mean of the 20 before it; null where those had none. */
  readonly volumeRatio: number | null;
}

/** The values at the last of the bars (closed, oldest first); null where they are too few. */
export function summaryValues(bars: readonly Bar[]): SummaryValues | null {
  const last = bars.at(-1);
  if (last === undefined || bars.length < SUMMARY_BARS) return null;
  const atrs = runIndicator(known("ATR_14"), bars)
    .filter((value) => value !== null)
    .slice(-VOLATILITY_BARS);
  return {
    close: last.close,
    rsi: valueOf("RSI_14", bars),
    macdHistogram: valueOf("MACD_hist", bars),
    momentum: valueOf("Momentum_14", bars),
    stochasticK: valueOf("Stochastic_K", bars),
    stochasticD: valueOf("Stochastic_D", bars),
    adx: valueOf("ADX", bars),
    plusDi: valueOf("ADX_plusDI", bars),
    minusDi: valueOf("ADX_minusDI", bars),
    sar: valueOf("SAR", bars),
    sma20: valueOf("SMA_20", bars),
    sma50: valueOf("SMA_50", bars),
    sma200: latestValue(known("SMA_200"), bars),
    bbUpper: valueOf("BB_upper", bars),
    bbLower: valueOf("BB_lower", bars),
    atr: atrs.at(-1) ?? 0,
    mfi: valueOf("MFI_14", bars),
    volatilityRank: rankOfLast(atrs),
    volumeRatio: volumeRatio(bars),
  };
}

function rankOfLast(values: readonly number[]): number {
  const last = values.at(-1);
  const others = values.slice(0, -1);
  if (last === undefined || last === 0 || others.length === 0) return 0;
  let lower = 0;
  for (const value of others) lower += value < last ? 1 : value === last ? 0.5 : 0;
  return (100 * lower) / others.length;
}

function volumeRatio(bars: readonly Bar[]): number | null {
  const before = bars.slice(-VOLUME_BARS - 1, -1);
  const mean = before.reduce((sum, { volume }) => sum + volume, 0) / before.length;
  return mean === 0 ? null : (bars.at(-1)?.volume ?? 0) / mean;
}

function valueOf(name: string, bars: readonly Bar[]): number {
  const value = latestValue(known(name), bars);
  if (value === null) throw new Error(`${name} has no value after ${bars.length} bars`);
  return value;
}

function known(name: string) {
  const definition = findIndicator(name);
  if (definition === undefined) throw new Error(`There is no indicator ${name}`);
  return definition;
}
