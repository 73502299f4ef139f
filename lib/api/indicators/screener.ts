import * as z from "zod";
import type { Handled } from "@/lib/api/engine/answer";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { choiceParam, decimalParam, offsetParam, timeframeParam, wholeParam } from "@/lib/api/engine/params";
import { QUOTE_HEADERS } from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import { selectPermitted } from "@/lib/api/engine/symbol-access";
import { getIndicator, indicatorNames } from "@/lib/api/indicators/indicator-lookup";
import { findNewestQuote, getLatestReading } from "@/lib/api/indicators/latest-values";
import { screenerReply, screenerTable } from "@/lib/api/indicators/readings-replies";
import type { Instrument } from "@/lib/market/instrument";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { slices } from "@/lib/platform/timing/slices";

const querySchema = z.object({
  indicator: z.string().meta({ enum: indicatorNames }),
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
  description: "A key that is restricted to some symbols screens those only.",
  access: "key",
  weight: 1,
  query: querySchema,
  reply: screenerReply,
  table: screenerTable,
  errors: ["INDICATOR_NOT_FOUND"],
  headers: QUOTE_HEADERS,

  async handle({ query, key, services }) {
    const indicator = getIndicator(query.indicator);
    const { min_val: min, max_val: max } = query;
    if (min !== undefined && max !== undefined && min > max) {
      throw new ApiError("VALIDATION_ERROR", "min_val must not be above max_val");
    }
    const { bars } = services.history;
    await bars.loadAll(query.timeframe);
    const instruments = selectPermitted(key, services.instruments);
    const values = await slices.map(instruments, async ({ symbol, digits }) => {
      const series = await bars.readSeries(symbol, query.timeframe);
      return getLatestReading(indicator, series, digits);
    });
    return answer(query, instruments, values, services);
  },
});

/** @param values of the instruments, in their order */
function answer(
  query: Query,
  instruments: readonly Instrument[],
  values: readonly (number | null)[],
  services: Services,
): Handled {
  const { timeframe, min_val: min, max_val: max, sort, offset, limit } = query;
  const { book, marketNow } = services;
  const matches = instruments.flatMap(({ symbol }, at) => {
    const value = values[at] ?? null;
    return value === null || value < (min ?? -Infinity) || value > (max ?? Infinity) ? [] : { symbol, value };
  });
  matches.sort(sort === "asc" ? (one, other) => one.value - other.value : (one, other) => other.value - one.value);
  const nowMs = marketNow();
  const results = matches
    .slice(offset, offset + limit)
    .map(({ symbol, value }) => ({ symbol, value, bid: book.served(symbol, nowMs)?.bid ?? null }));
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
  return { body, headers };
}
