import type { Signal } from "@/lib/analytics/indicators/definition";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { type BarMemory, computeLatest, runIndicator } from "@/lib/analytics/indicators/run";
import type { Bar } from "@/lib/market/bar";
import { formatPrice } from "@/lib/market/price";

export type Activity = "low" | "normal" | "high";

/** A summary of one market; numbers are unrounded. */
export interface Summary {
  readonly bias: "bullish" | "bearish" | "neutral";
  readonly biasStrength: "normal" | "strong";
  /** 0–1: the share of votes that agree with the bias. */
  readonly confidence: number;
  /** -100 (all bearish) to 100 (all bullish). */
  readonly trendScore: number;
  /** -100 to 100. */
  readonly momentumScore: number;
  /** 0–100: rank of the current true-range average among the latest hundred. */
  readonly volatilityScore: number;
  readonly signals: {
    readonly trend: Signal;
    readonly momentum: Signal;
    readonly volatility: Activity;
    readonly volume: Activity;
  };
  readonly keyLevels: KeyLevels;
  readonly bullishSignals: readonly string[];
  readonly bearishSignals: readonly string[];
  readonly neutralSignals: readonly string[];
  readonly volatilityInfo: readonly string[];
  readonly volumeInfo: readonly string[];
  readonly summary: string;
  /** Observations, not advice. */
  readonly recommendations: readonly string[];
  readonly keyValues: SummaryValues;
}

const TREND_WEIGHT = 0.6;
const MOMENTUM_WEIGHT = 0.4;
/** The least absolute score of a direction, and of a strong one. */
const DIRECTED = 20;
const STRONG = 60;

/**
 * Summarises a market from its closed bars, oldest first; null if there are fewer than 50. The result depends only on
 * the arguments:
 *
 * - Up to six readings vote on the trend, four on momentum (below). Each score is the mean of its votes ×
 *   100.
 * - Overall = 0.6 × trend + 0.4 × momentum; from ±20 on it is a bias, from ±60 on a strong one.
 * - Confidence is the weighted share of the votes that agree with the bias; with a neutral bias, of the neutral votes.
 * - Volatility is the rank of ATR_14 among its latest 100 values: low up to 20, high from 80. Volume is low up to half
 *   the mean of the 20 bars before, high from one and a half times.
 *
 * @param bid the current price, with which levels are compared (bars are made of bids)
 * @param digits decimals of the symbol's prices
 */
export function summarise(
  series: MarketBars,
  market: { symbol: string; timeframe: string; bid: number; digits: number },
): Summary | null {
  const values = computeSummaryValues(series);
  if (values === null) return null;
  const { bid, digits } = market;

  const trend = voteOnTrend(values, digits);
  const momentum = voteOnMomentum(values);
  const trendScore = toScore(trend);
  const momentumScore = toScore(momentum);
  const overall = TREND_WEIGHT * trendScore + MOMENTUM_WEIGHT * momentumScore;
  const bias = toDirection(overall);
  const biasStrength = Math.abs(overall) >= STRONG ? "strong" : "normal";
  const signals = {
    trend: toDirection(trendScore),
    momentum: values.rsi > 70 ? "overbought" : values.rsi < 30 ? "oversold" : toDirection(momentumScore),
    volatility: toActivity(values.volatilityRank, 20, 80),
    volume: toActivity(values.volumeRatio ?? 0, 0.5, 1.5),
  } as const;
  const keyLevels = findKeyLevels(series.closed, bid, values.atr / 2);
  const votes = [...trend, ...momentum];
  const listTexts = (side: Vote["side"]) => votes.filter((vote) => vote.side === side).map(({ text }) => text);

  return {
    bias,
    biasStrength,
    confidence: TREND_WEIGHT * computeAgreement(trend, bias) + MOMENTUM_WEIGHT * computeAgreement(momentum, bias),
    trendScore,
    momentumScore,
    volatilityScore: values.volatilityRank,
    signals,
    keyLevels,
    bullishSignals: listTexts(1),
    bearishSignals: listTexts(-1),
    neutralSignals: listTexts(0),
    volatilityInfo: describeVolatility(values, digits),
    volumeInfo: describeVolume(values),
    summary:
      `${market.symbol} on ${market.timeframe} is ${biasStrength === "strong" ? "strongly " : ""}${bias}: ` +
      `trend ${formatSigned(trendScore)}, momentum ${formatSigned(momentumScore)} of 100; ` +
      `volatility is ${signals.volatility}, volume ${signals.volume}.`,
    recommendations: listObservations({ values, keyLevels, trendScore, momentumScore, bid, digits }),
    keyValues: values,
  };
}

function toScore(votes: readonly Vote[]): number {
  return (100 * votes.reduce((sum, { side }) => sum + side, 0)) / votes.length;
}

function computeAgreement(votes: readonly Vote[], bias: Summary["bias"]): number {
  const agreeing = bias === "bullish" ? 1 : bias === "bearish" ? -1 : 0;
  return votes.filter(({ side }) => side === agreeing).length / votes.length;
}

function toDirection(score: number): "bullish" | "bearish" | "neutral" {
  return score >= DIRECTED ? "bullish" : score <= -DIRECTED ? "bearish" : "neutral";
}

function toActivity(value: number, low: number, high: number): Activity {
  return value <= low ? "low" : value >= high ? "high" : "normal";
}

function describeVolatility(values: SummaryValues, digits: number): string[] {
  const { atr, volatilityRank, close, bbUpper, bbLower } = values;
  const place =
    close > bbUpper
      ? "above the upper"
      : close < bbLower
        ? "below the lower"
        : bbUpper === bbLower
          ? "on both"
          : "between the";
  return [
    `ATR_14 is ${formatPrice(atr, digits)}, higher than ${volatilityRank.toFixed(0)} % of its latest 100 values`,
    `Close is ${place} Bollinger band${place === "between the" || place === "on both" ? "s" : ""}`,
  ];
}

function describeVolume({ volumeRatio, mfi }: SummaryValues): string[] {
  const money = mfi > 80 ? "overbought" : mfi < 20 ? "oversold" : "neither overbought nor oversold";
  return [
    volumeRatio === null
      ? "There was no volume in the 20 bars before"
      : `Volume is ${volumeRatio.toFixed(2)} times the mean of the 20 bars before`,
    `MFI_14 at ${mfi.toFixed(1)} is ${money}`,
  ];
}

function listObservations(facts: {
  values: SummaryValues;
  keyLevels: KeyLevels;
  trendScore: number;
  momentumScore: number;
  bid: number;
  digits: number;
}): string[] {
  const { values, keyLevels, trendScore, momentumScore, bid, digits } = facts;
  const [trend, momentum] = [toDirection(trendScore), toDirection(momentumScore)];
  const distance = (level: number) =>
    values.atr === 0 ? "" : `, ${(Math.abs(level - bid) / values.atr).toFixed(1)} ATR away`;
  const [resistance] = keyLevels.resistance;
  const [support] = keyLevels.support;
  return [
    trend === momentum
      ? `Trend and momentum agree: both are ${trend}`
      : `Trend is ${trend} while momentum is ${momentum}`,
    ...(values.rsi > 70 || values.rsi < 30 ? ["RSI_14 is stretched; it can stay so for as long as a trend lasts"] : []),
    ...(resistance === undefined
      ? []
      : [`The nearest resistance is ${formatPrice(resistance, digits)}${distance(resistance)}`]),
    ...(support === undefined ? [] : [`The nearest support is ${formatPrice(support, digits)}${distance(support)}`]),
  ];
}

function formatSigned(score: number): string {
  const rounded = Math.round(score);
  return rounded > 0 ? `+${rounded}` : `${rounded}`;
}

/** One reading's vote: 1 bullish, -1 bearish, 0 neutral; and a sentence for it. */
interface Vote {
  readonly side: 1 | 0 | -1;
  readonly text: string;
}

/** Below this ADX the direction of a trend does not count; Wilder's own threshold is between 20 and 25. */
const TRENDING_ADX = 20;

/** An RSI within this distance of 50 is neutral. */
const RSI_MIDDLE = 5;

/** Votes on the price relative to its averages and stops; every vote has the same weight. */
function voteOnTrend(values: SummaryValues, digits: number): Vote[] {
  const { close, sma20, sma50, sma200, sar, adx, plusDi, minusDi } = values;
  const againstLine = (name: string, value: number): Vote =>
    compare(
      close - value,
      (place) => `Close ${formatPrice(close, digits)} is ${place} ${name} (${formatPrice(value, digits)})`,
    );
  const isTrending = adx >= TRENDING_ADX;
  return [
    againstLine("SMA_20", sma20),
    againstLine("SMA_50", sma50),
    ...(sma200 === null ? [] : [againstLine("SMA_200", sma200)]),
    compare(sma20 - sma50, (place) => `SMA_20 is ${place} SMA_50`),
    isTrending
      ? compare(plusDi - minusDi, (place) => `+DI is ${place} −DI with ADX at ${adx.toFixed(1)}`)
      : { side: 0, text: `ADX at ${adx.toFixed(1)} shows no clear trend` },
    againstLine("the parabolic SAR", sar),
  ];
}

/** Votes on momentum; an RSI beyond 30 or 70, or within 5 of 50, is neutral. */
function voteOnMomentum(values: SummaryValues): Vote[] {
  const { rsi, macdHistogram, momentum, stochasticK, stochasticD } = values;
  return [
    voteOnRsi(rsi),
    compare(macdHistogram, (place) => `MACD is ${place} its signal line`),
    compare(momentum - 100, (place) => `Momentum_14 at ${momentum.toFixed(2)} is ${place} 100`),
    compare(stochasticK - stochasticD, (place) => `Stochastic %K is ${place} %D`),
  ];
}

function voteOnRsi(rsi: number): Vote {
  const reading = `RSI_14 at ${rsi.toFixed(1)} is`;
  if (rsi > 70) return { side: 0, text: `${reading} overbought` };
  if (rsi < 30) return { side: 0, text: `${reading} oversold` };
  if (Math.abs(rsi - 50) <= RSI_MIDDLE) return { side: 0, text: `${reading} near its middle` };
  return compare(rsi - 50, (place) => `${reading} ${place} 50`);
}

function compare(difference: number, sentence: (place: "above" | "below" | "at") => string): Vote {
  if (difference > 0) return { side: 1, text: sentence("above") };
  if (difference < 0) return { side: -1, text: sentence("below") };
  return { side: 0, text: sentence("at") };
}

/** The least number of bars for a summary: the period of its slowest required average. */
export const SUMMARY_BARS = 50;
/** The number of bars for the comparison of volatility and of volume. */
const VOLATILITY_BARS = 100;
const VOLUME_BARS = 20;

/** The values of a summary at the latest closed bar, unrounded. */
interface SummaryValues {
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
interface MarketBars {
  readonly closed: readonly Bar[];
  readonly past: BarMemory | null;
}

/** The values at the last of the bars; null if there are too few. */
function computeSummaryValues({ closed: bars, past }: MarketBars): SummaryValues | null {
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

/** Prices at which the market turned earlier. */
interface KeyLevels {
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
