import * as z from "zod";
import type { Handled } from "@/lib/api/engine/answer";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { choiceParam, decimalParam, offsetParam, timeframeParam, wholeParam } from "@/lib/api/engine/params";
import { formatBarStateHeader, READING_HEADERS } from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import { selectPermitted } from "@/lib/api/engine/symbol-access";
import { getIndicator, indicatorParam } from "@/lib/api/indicators/indicator-lookup";
import { findNewestQuote, type Screened, screenMarkets, selectScreened } from "@/lib/api/indicators/latest-values";
import { screenerReply, screenerTable } from "@/lib/api/indicators/readings-replies";
import type { Instrument } from "@/lib/market/instrument";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { formatTime } from "@/lib/time/iso-time";

const querySchema = z.object({
  indicator: indicatorParam,
  timeframe: timeframeParam(TIMEFRAMES).default("H1"),
  min_val: decimalParam.optional().meta({ description: "Lowest value that matches." }),
  max_val: decimalParam.optional().meta({ description: "Highest value that matches." }),
  sort: choiceParam(["asc", "desc"], "INVALID_SORT").default("asc").meta({ description: "By value." }),
  offset: offsetParam.default(0),
  limit: wholeParam(1, 200).default(50),
});
type Query = z.output<typeof querySchema>;

export const screener = defineEndpoint({
  method: "GET",
  path: "/v1/screener",
  summary:
    "The symbols whose indicator, at the latest closed bar, lies between two values. Those without a value never match.",
  description:
    "A key that is restricted to some symbols screens those only. Symbols whose latest closed bar is outdated come after " +
    "all others: their values are not of the market of now.",
  group: "Analysis",
  access: "indicators",
  weight: 1,
  query: querySchema,
  reply: screenerReply,
  table: screenerTable,
  errors: ["INDICATOR_NOT_FOUND"],
  headers: READING_HEADERS,
  asOf: { symbols: () => "all", timeframe: ({ timeframe }) => timeframe },

  async handle({ query, key, services }) {
    const indicator = getIndicator(query.indicator, query.timeframe);
    const { min_val: min, max_val: max } = query;
    if (min !== undefined && max !== undefined && min > max) {
      throw new ApiError("VALIDATION_ERROR", "min_val must not be above max_val");
    }
    const instruments = selectPermitted(key, services.instruments);
    const known = await screenMarkets(instruments, { indicator, timeframe: query.timeframe }, services);
    const matches = selectScreened(known, { min: min ?? null, max: max ?? null, sort: query.sort });
    return answer(query, instruments, matches, services);
  },
});

function answer(
  query: Query,
  instruments: readonly Instrument[],
  matches: readonly Screened[],
  services: Services,
): Handled {
  const { timeframe, min_val: min, max_val: max, offset, limit } = query;
  const nowMs = services.marketNow();
  const shown = matches.slice(offset, offset + limit);
  const results = shown.map(({ instrument: { symbol }, value, barMs, state }) => ({
    symbol,
    value,
    bid: services.book.served(symbol, nowMs)?.bid ?? null,
    bar_time: formatTime(barMs),
    bar_state: state,
  }));
  const total = matches.length;
  const { updatedAt, headers } = findNewestQuote(instruments, services);
  const body = formatSuccess({
    indicator: query.indicator,
    timeframe,
    filter: { min: min ?? null, max: max ?? null },
    results,
    total_matches: total,
    pagination: { offset, limit, total, has_more: offset + limit < total },
    updated_at: updatedAt,
  });
  return { body, headers: headers + formatBarStateHeader(shown.map(({ state }) => state)) };
}
