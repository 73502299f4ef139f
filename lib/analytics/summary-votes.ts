import type { SummaryValues } from "@/lib/analytics/summary-values";
import { formatPrice } from "@/lib/market/price";

/** One reading's vote: 1 bullish, -1 bearish, 0 neutral; and a sentence for it. */
export interface Vote {
  readonly side: 1 | 0 | -1;
  readonly text: string;
}

/** Below this ADX the direction of a trend does not count; Wilder's own threshold is between 20 and 25. */
const TRENDING_ADX = 20;

/** An RSI within this distance of 50 is neutral. */
const RSI_MIDDLE = 5;

/** Votes on the price relative to its averages and stops; every vote has the same weight. */
export function voteOnTrend(values: SummaryValues, digits: number): Vote[] {
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
export function voteOnMomentum(values: SummaryValues): Vote[] {
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
