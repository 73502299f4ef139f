import * as z from "zod";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { spreadPeriodParam, symbolParam } from "@/lib/api/engine/params";
import { QUOTE_HEADERS } from "@/lib/api/engine/response-headers";
import { answerSpread } from "@/lib/api/history/spread-answer";
import { spreadTable } from "@/lib/api/history/spread-tables";
import { spreadReply } from "@/lib/api/history/spreads-replies";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import type { SpreadDetail } from "@/lib/history/spreads/spread-history";
import type { SpreadStatistics } from "@/lib/history/spreads/spread-statistics";
import { mapMaybeAsync } from "@/lib/platform/timing/maybe-async";

export const spread = defineEndpoint({
  method: "GET",
  path: "/v1/spread",
  summary:
    "The spread of one symbol now, and its statistics over the seconds recorded in a period that ends now. Of 1h and 24h " +
    "the period begins at the whole minute at or before, of 7d and 30d at the whole hour. X-Quote-State tells how far " +
    "the current spread may be trusted.",
  access: "key",
  weight: 1,
  query: z.object({
    symbol: symbolParam,
    period: spreadPeriodParam,
    include: z.enum(["percentiles"], "must be percentiles").optional().meta({ description: "Adds percentiles." }),
    series: z.enum(["15m"], "must be 15m").optional().meta({
      description:
        "Adds the statistics of every quarter of an hour, with the band that holds nine tenths of its samples.",
    }),
  }),
  reply: spreadReply,
  table: spreadTable,
  errors: ["SYMBOL_NOT_FOUND", "DATA_NOT_FOUND"],
  headers: QUOTE_HEADERS,

  handle({ query, key, services }) {
    const instrument = findPermitted(query.symbol, key, services.resolver);
    const { period } = query;
    const statistics = services.history.spreads.readStatistics(instrument.symbol, period);
    const write = (found: SpreadStatistics | null, detail?: SpreadDetail) =>
      answerSpread({ instrument, period, statistics: found, detail, query, services });
    const wantsDetail = query.include !== undefined || query.series !== undefined;
    if (!wantsDetail) return mapMaybeAsync(statistics, (found) => write(found));
    return services.history.spreads.readDetail(instrument.symbol, period).then(async (detail) => {
      return write(await services.history.spreads.readStatistics(instrument.symbol, period), detail);
    });
  },
});
