import type { Signal } from "@/lib/analytics/indicators/definition";
import { findKeyLevels, type KeyLevels } from "@/lib/analytics/key-levels";
import { computeSummaryValues, type MarketBars, type SummaryValues } from "@/lib/analytics/summary-values";
import { type Vote, voteOnMomentum, voteOnTrend } from "@/lib/analytics/summary-votes";
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
 * - Up to six readings vote on the trend, four on momentum (`summary-votes.ts`). Each score is the mean of its votes ×
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
