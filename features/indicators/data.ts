import { formatReading } from "@/features/indicators/format-reading";
import { getTitle } from "@/features/indicators/title";
import type { IndicatorData, IndicatorSummary, ReadingLine } from "@/features/indicators/types";
import { INDICATOR_CATEGORIES, type IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { indicators } from "@/lib/analytics/indicators/registry";
import { runWithSignals } from "@/lib/analytics/indicators/run";
import type { Summary } from "@/lib/analytics/summary";
import { getLatestSummary } from "@/lib/api/indicators/latest-values";
import type { BarSeries } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { formatPrice } from "@/lib/market/price";
import type { Timeframe } from "@/lib/market/timeframe";
import type { Runtime } from "@/lib/runtime";

/** Reads the data of the indicators page for one symbol and timeframe. */
export async function readIndicators(
  { book, history }: Pick<Runtime, "book" | "history">,
  instrument: Instrument,
  timeframe: Timeframe,
): Promise<IndicatorData> {
  const { symbol, digits } = instrument;
  const series = await history.bars.readSeries(symbol, timeframe);
  const { closed } = series;
  const latest = closed.at(-1);
  const quote = book.served(symbol);
  const summary = quote === undefined ? null : getLatestSummary(series, instrument, timeframe, quote.bid);
  return {
    symbol,
    timeframe,
    quote: quote
      ? { bid: formatPrice(quote.bid, digits), ask: formatPrice(quote.ask, digits), state: quote.state }
      : null,
    bar: latest === undefined ? null : { timeMs: latest.timeMs, close: formatPrice(latest.close, digits) },
    bars: closed.length,
    groups: getGroups(series, digits),
    summary: summary && writeSummary(summary, digits),
  };
}

/** Readings by the array of closed bars they were computed from. A new array is made whenever a bar closes. */
const groupCache = new WeakMap<readonly Bar[], IndicatorData["groups"]>();

function getGroups(series: BarSeries, digits: number): IndicatorData["groups"] {
  let groups = groupCache.get(series.closed);
  if (groups === undefined) {
    groups = INDICATOR_CATEGORIES.map((category) => ({
      category,
      lines: indicators.filter((each) => each.category === category).map((each) => readLine(each, series, digits)),
    }));
    groupCache.set(series.closed, groups);
  }
  return groups;
}

function readLine(indicator: IndicatorDefinition, { closed, past }: BarSeries, digits: number): ReadingLine {
  const reading = runWithSignals(indicator, closed, 10 ** -digits, past).at(-1) ?? null;
  const { name, description, formula, warmUp } = indicator;
  const value = reading && formatReading(reading.value, indicator, digits);
  return { name, title: getTitle(description), formula, value, signal: reading?.signal ?? null, warmUp };
}

function writeSummary(summary: Summary, digits: number): IndicatorSummary {
  const levels = (prices: readonly number[]) => prices.map((price) => formatPrice(price, digits));
  return {
    bias: summary.bias,
    isStrong: summary.biasStrength === "strong",
    confidencePercent: Math.round(100 * summary.confidence),
    trendScore: Math.round(summary.trendScore),
    momentumScore: Math.round(summary.momentumScore),
    volatilityScore: Math.round(summary.volatilityScore),
    volatility: summary.signals.volatility,
    volume: summary.signals.volume,
    resistance: levels(summary.keyLevels.resistance),
    support: levels(summary.keyLevels.support),
    observations: summary.recommendations,
  };
}
