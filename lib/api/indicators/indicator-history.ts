import { z } from "zod";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { symbolParam, timeframeParam, timeParam, wholeParam } from "@/lib/api/engine/params";
import { QUOTE_HEADERS } from "@/lib/api/engine/response-headers";
import { getIndicator, indicatorNames } from "@/lib/api/indicators/indicator-lookup";
import { roundReading } from "@/lib/api/indicators/latest-values";
import { findNewestQuote } from "@/lib/api/indicators/newest-quote";
import { checkRange, getBarMs, readPastReadings } from "@/lib/api/indicators/past-readings";
import { indicatorHistoryReply } from "@/lib/api/indicators/readings-replies";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { slices } from "@/lib/platform/timing/slices";
import { formatTime } from "@/lib/time/iso-time";
import { HOUR_MS } from "@/lib/time/units";

const MAX_LIMIT = 5_000;

export const indicatorHistory = defineEndpoint({
  method: "GET",
  path: "/v1/indicator/history",
  summary: "One indicator over past bars, oldest first.",
  description:
    "Closed bars only; the value is null where there is too little history for one. A series holds at most limit bars: " +
    "the first ones where from is given, else the latest ones before to.",
  access: "key",
  entitlement: "indicatorHistory",
  weight: 3,
  query: z.object({
    symbol: symbolParam,
    indicator: z.string().meta({ enum: indicatorNames }),
    timeframe: timeframeParam(TIMEFRAMES).default("H1"),
    from: timeParam.optional().meta({ description: "The first moment at which a bar may have opened." }),
    to: timeParam.optional().meta({ description: "The moment before which the last bar opened." }),
    limit: wholeParam(1, MAX_LIMIT).default(500),
  }),
  reply: indicatorHistoryReply,
  errors: ["INVALID_RANGE", "SYMBOL_NOT_FOUND"],
  headers: QUOTE_HEADERS,

  async handle({ query, key, services }) {
    const { timeframe, from: fromMs, to: toMs, limit } = query;
    const indicator = getIndicator(query.indicator);
    const instrument = findPermitted(query.symbol, key, services.resolver);
    checkRange(fromMs, toMs);
    const { symbol, digits } = instrument;
    const range = { fromMs, toMs, limit };
    const { bars, values } = await readPastReadings(services.history.bars, { symbol, timeframe }, range, [indicator]);
    const series = await slices.map(bars.entries(), ([at, { timeMs }]) => {
      const value = values[0]?.[at] ?? null;
      return { time: formatTime(timeMs), value: value === null ? null : roundReading(value, indicator, digits) };
    });
    return {
      body: formatSuccess({
        symbol,
        indicator: query.indicator,
        timeframe,
        from: fromMs === undefined ? null : formatTime(fromMs),
        to: toMs === undefined ? null : formatTime(toMs),
        count: series.length,
        max_window_hours: Math.floor((MAX_LIMIT * getBarMs(timeframe)) / HOUR_MS),
        series,
      }),
      headers: findNewestQuote([instrument], services).headers,
    };
  },
});
