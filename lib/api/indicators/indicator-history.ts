import * as z from "zod";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { createEtag } from "@/lib/api/engine/etag";
import { anyTimeframeParam, symbolParam, timeParam, wholeParam } from "@/lib/api/engine/params";
import { formatHolesHeader, formatNextLink, QUOTE_HEADERS } from "@/lib/api/engine/response-headers";
import { requireStoredBars } from "@/lib/api/history/outside-retention";
import { getIndicator, indicatorParam } from "@/lib/api/indicators/indicator-lookup";
import {
  checkRange,
  checkSeconds,
  findNewestQuote,
  readPastReadings,
  roundReading,
} from "@/lib/api/indicators/latest-values";
import { indicatorHistoryReply, indicatorHistoryTable } from "@/lib/api/indicators/readings-replies";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import { getBarRetentionDays } from "@/lib/history/retention";
import { getUsualBarMs } from "@/lib/market/timeframe";
import { slices } from "@/lib/platform/timing/slices";
import { formatBarTime } from "@/lib/time/iso-time";
import { HOUR_MS } from "@/lib/time/units";

const MAX_LIMIT = 5_000;

export const indicatorHistory = defineEndpoint({
  method: "GET",
  path: "/v1/indicator/history",
  summary: "One indicator over past bars, oldest first.",
  description:
    "Closed bars only; the value is null where there is too little history for one. A series holds at most limit bars: " +
    "the first ones where from is given, else the latest ones before to.",
  group: "Analysis",
  access: "historical",
  entitlement: "indicatorHistory",
  weight: 3,
  query: z.object({
    symbol: symbolParam,
    indicator: indicatorParam,
    timeframe: anyTimeframeParam.default("H1"),
    from: timeParam.optional().meta({ description: "The first moment at which a bar may have opened." }),
    to: timeParam.optional().meta({ description: "The moment before which the last bar opened." }),
    limit: wholeParam(1, MAX_LIMIT).default(500),
  }),
  reply: indicatorHistoryReply,
  table: indicatorHistoryTable,
  errors: ["DATA_OUTSIDE_RETENTION", "INDICATOR_NOT_FOUND", "INVALID_RANGE", "SYMBOL_NOT_FOUND"],
  headers: [...QUOTE_HEADERS, "X-Bar-Holes", "ETag", "Link"],

  async handle({ query, key, call, services }) {
    const { timeframe, from: fromMs, to: toMs, limit } = query;
    const indicator = getIndicator(query.indicator, timeframe);
    const instrument = findPermitted(query.symbol, key, services.resolver);
    checkRange(fromMs, toMs);
    checkSeconds(timeframe, fromMs, toMs ?? services.marketNow());
    const { symbol, digits } = instrument;
    const range = { fromMs, toMs, limit };
    const { bars, values, holes, nextMs } = await readPastReadings(
      services.history.bars,
      instrument,
      timeframe,
      range,
      [indicator],
    );
    if (bars.length === 0) {
      const days = getBarRetentionDays(timeframe, services.keepDays);
      await requireStoredBars(services.history.bars, { symbol, timeframe }, toMs, days);
    }
    const series = await slices.map(bars.entries(), ([at, { timeMs }]) => {
      const value = values[0]?.[at] ?? null;
      return { time: formatBarTime(timeMs), value: value === null ? null : roundReading(value, indicator, digits) };
    });
    const body = Buffer.from(
      formatSuccess({
        symbol,
        indicator: query.indicator,
        timeframe,
        from: fromMs === undefined ? null : formatBarTime(fromMs),
        to: toMs === undefined ? null : formatBarTime(toMs),
        count: series.length,
        max_window_hours: Math.floor((MAX_LIMIT * getUsualBarMs(timeframe)) / HOUR_MS),
        series,
        ...(nextMs === null ? {} : { next_from: formatBarTime(nextMs) }),
      }),
    );
    const { headers } = findNewestQuote([instrument], services);
    const link = nextMs === null ? "" : formatNextLink(call, nextMs);
    const named = formatHolesHeader(holes.map((hole) => ({ symbol, ...hole })));
    return { body, headers: headers + named + link, etag: createEtag(body) };
  },
});
