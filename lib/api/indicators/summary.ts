import * as z from "zod";
import { indicators as allIndicators } from "@/lib/analytics/indicators/registry";
import { skipHoles } from "@/lib/analytics/indicators/run";
import { SUMMARY_BARS } from "@/lib/analytics/summary";
import type { Handled } from "@/lib/api/engine/answer";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { anyTimeframeParam, symbolParam } from "@/lib/api/engine/params";
import { formatBarStateHeader, formatHolesHeader, READING_HEADERS } from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import { getIndicator } from "@/lib/api/indicators/indicator-lookup";
import {
  describeBarCount,
  findNamedHole,
  getLatestReading,
  getLatestSummary,
  rateSeries,
} from "@/lib/api/indicators/latest-values";
import { summaryReply } from "@/lib/api/indicators/readings-replies";
import { findFigureQuote, findPermitted, formatFigureHeaders, NO_QUOTE } from "@/lib/api/quotes/quote-lookup";
import type { ServedQuote } from "@/lib/book/quote";
import type { BarSeries, ReadableSeries } from "@/lib/history/bars/bar-history";
import type { Instrument } from "@/lib/market/instrument";
import { roundPrice } from "@/lib/market/price";
import { type Timeframe } from "@/lib/market/timeframe";
import { mapMaybeAsync } from "@/lib/platform/timing/slices";
import { formatTime } from "@/lib/time/iso-time";

export const summary = defineEndpoint({
  method: "GET",
  path: "/v1/summary",
  summary:
    "One market at a glance: where trend and momentum point, what speaks for and against it, and the levels near by.",
  description:
    "It speaks of the market of now: 404 DATA_NOT_FOUND if the latest closed bar is outdated, which is more than 60 bars of " +
    "M1, 10 of D1, 4 of W1 or MN1, an hour of shorter bars or 20 of another timeframe behind the newest that there can be.",
  group: "Analysis",
  access: "premium",
  weight: 2,
  query: z.object({ symbol: symbolParam, timeframe: anyTimeframeParam.default("H1") }),
  reply: summaryReply,
  errors: ["SYMBOL_NOT_FOUND", "DATA_NOT_FOUND"],
  headers: READING_HEADERS,
  asOf: { symbols: ({ symbol }) => [symbol], timeframe: ({ timeframe }) => timeframe },

  handle({ query: { symbol, timeframe }, key, services }) {
    const instrument = findPermitted(symbol, key, services.resolver);
    const { bars } = services.history;
    const quote = findFigureQuote(instrument, undefined, services);
    // Bars are made of bids.
    const readClose = () => bars.readRange(instrument.symbol, timeframe, { limit: 1 }).then(([bar]) => bar?.close ?? 0);
    return mapMaybeAsync(bars.readSeries(instrument.symbol, timeframe), (series) =>
      mapMaybeAsync(quote?.bid ?? readClose(), (bid) =>
        answer({ instrument, timeframe, quote, bid }, series, services),
      ),
    );
  },
});

interface Summed {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  readonly quote: ServedQuote | undefined;
  /** The price that levels are compared with. */
  readonly bid: number;
}

function answer({ instrument, timeframe, quote, bid }: Summed, series: BarSeries, services: Services): Handled {
  const { symbol, digits } = instrument;
  const shown = quote ?? NO_QUOTE;
  const nowMs = services.marketNow();
  const state = rateSeries(series, instrument, timeframe, nowMs, allIndicators);
  const barTime = formatTime(series.closed.at(-1)?.timeMs ?? 0);
  if (state === "outdated") {
    const message = `A summary speaks of the market of now, and the latest closed bar of ${symbol} at ${timeframe} opened at ${barTime}.`;
    throw new ApiError("DATA_NOT_FOUND", message);
  }
  const summed = getLatestSummary(series, instrument, timeframe, { bid, atMs: nowMs });
  if (summed === null) {
    const message = `A summary needs ${SUMMARY_BARS} closed bars of ${symbol} at ${timeframe}; so far there are ${describeBarCount(series.closed, series.holes.at(-1))}.`;
    throw new ApiError("DATA_NOT_FOUND", message);
  }
  const levels = (prices: readonly number[]) => prices.map((price) => roundPrice(price, digits));
  const body = formatSuccess({
    symbol,
    timeframe,
    bar_time: barTime,
    bias: summed.bias,
    bias_strength: summed.biasStrength,
    confidence: roundPrice(summed.confidence, 2),
    trend_score: roundPrice(summed.trendScore, 1),
    momentum_score: roundPrice(summed.momentumScore, 1),
    volatility_score: roundPrice(summed.volatilityScore, 1),
    signals: summed.signals,
    key_levels: { resistance: levels(summed.keyLevels.resistance), support: levels(summed.keyLevels.support) },
    bullish_signals: summed.bullishSignals,
    bearish_signals: summed.bearishSignals,
    neutral_signals: summed.neutralSignals,
    volatility_info: summed.volatilityInfo,
    volume_info: summed.volumeInfo,
    summary: summed.summary,
    recommendations: summed.recommendations,
    key_values: { bid: shown.bid, ask: shown.ask, ...listKeyValues(skipHoles(series), digits) },
    updated_at: Math.floor(shown.timeMs / 1000),
  });
  const hole = findNamedHole(series, allIndicators);
  const barHeaders =
    formatBarStateHeader([state ?? "current"], [series.closed.length]) +
    formatHolesHeader(hole === undefined ? [] : [{ symbol, ...hole }]);
  return { body, headers: formatFigureHeaders(symbol, quote, nowMs, services.origins) + barHeaders };
}

const KEY_INDICATORS = Object.entries({
  rsi_14: "RSI_14",
  macd_hist: "MACD_hist",
  adx: "ADX",
  atr_14: "ATR_14",
  sma_20: "SMA_20",
  sma_50: "SMA_50",
  sma_200: "SMA_200",
  bb_upper: "BB_upper",
  bb_lower: "BB_lower",
  stochastic_k: "Stochastic_K",
  mfi_14: "MFI_14",
}).map(([field, name]) => [field, getIndicator(name)] as const);

/** Lists the key values with the same decimals as in `/v1/indicators`. */
function listKeyValues(series: ReadableSeries, digits: number) {
  return Object.fromEntries(
    KEY_INDICATORS.map(([field, indicator]) => [field, getLatestReading(indicator, series, digits)]),
  );
}
