import * as z from "zod";
import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { defineEndpoint, type Handled } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { memoizeByIdentity } from "@/lib/api/engine/memo";
import { sourceParam, symbolParam, timeframeParam, wholeParam } from "@/lib/api/engine/params";
import { findFirstValue } from "@/lib/api/engine/parse-input";
import { QUOTE_HEADERS } from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbol } from "@/lib/api/engine/symbol-access";
import { getIndicator, indicatorNames } from "@/lib/api/indicators/indicator-lookup";
import { indicatorReply } from "@/lib/api/indicators/readings-replies";
import { writeFlatReading, writeReading, type WrittenReading } from "@/lib/api/indicators/write-reading";
import { findInstrument, findQuote, formatFigureHeaders } from "@/lib/api/quotes/quote-lookup";
import type { BarSeries } from "@/lib/history/bars/bar-history";
import type { Instrument } from "@/lib/market/instrument";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { mapMaybeAsync } from "@/lib/platform/timing/maybe-async";

const MAX_BARS = 500;

const querySchema = z.object({
  symbol: symbolParam,
  indicator: z.string().meta({ enum: indicatorNames }),
  timeframe: timeframeParam(TIMEFRAMES)
    .optional()
    .meta({ description: "Required by the flat readings; H1 for all others." }),
  bars: wholeParam(1, MAX_BARS)
    .optional()
    .meta({ description: "Flat readings only, 1 without it. More than one adds a series." }),
  source: sourceParam.optional().meta({ description: "Has bid, ask and age come from one broker source." }),
});
type Query = z.output<typeof querySchema>;

export const indicator = defineEndpoint({
  method: "GET",
  path: "/v1/indicator",
  summary: "One indicator of one symbol at the latest closed bar.",
  description:
    "Williams_R_14, Parabolic_SAR, CCI_14, TEMA_20 and the aliases WilliamsR_14 and SAR answer, and fail, flat: without the envelope. " +
    "All follow MetaTrader 5's definitions, as /v1/indicators/list tells them; a line that is drawn ahead, such as the Alligator's, " +
    "has at a bar the value that a chart shows there.",
  access: "key",
  weight: 1,
  query: querySchema,
  reply: indicatorReply,
  errors: ["INDICATOR_NOT_FOUND", "SYMBOL_NOT_FOUND", "SOURCE_NOT_FOUND", "DATA_NOT_FOUND"],
  headers: QUOTE_HEADERS,
  failsFlat: (search) => findIndicator(findFirstValue(search, "indicator") ?? "")?.shape === "A",

  handle({ query, key, services }) {
    const compiled = compile(query, services);
    requireSymbol(key, compiled.instrument.symbol);
    const series = services.history.bars.readSeries(compiled.instrument.symbol, compiled.timeframe);
    return mapMaybeAsync(series, (loaded) => answer(compiled, loaded, services));
  },
});

/** A query prepared once for all the calls that send it. */
interface Compiled {
  readonly instrument: Instrument;
  readonly indicator: IndicatorDefinition;
  /** The name that the caller used. */
  readonly name: string;
  readonly timeframe: Timeframe;
  readonly bars: number;
  readonly source: string | undefined;
  /** The reading of the closed bars, valid until another bar closes. */
  written: { readonly closed: BarSeries["closed"]; readonly reading: WrittenReading } | null;
}

const compile = memoizeByIdentity((query: Query, { resolver }: Services): Compiled => {
  const indicator = getIndicator(query.indicator);
  const { timeframe, bars } = query;
  if (indicator.shape === "A" && timeframe === undefined) {
    throw new ApiError("VALIDATION_ERROR", `timeframe is required with ${query.indicator}`);
  }
  if (indicator.shape === "B" && bars !== undefined) {
    throw new ApiError("VALIDATION_ERROR", `bars cannot be given with ${query.indicator}; see /v1/indicator/history`);
  }
  return {
    instrument: findInstrument(query.symbol, resolver),
    indicator,
    name: query.indicator,
    timeframe: timeframe ?? "H1",
    bars: bars ?? 1,
    source: query.source,
    written: null,
  };
});

function answer(compiled: Compiled, series: BarSeries, { book, origins, now, marketNow }: Services): Handled {
  const quote = findQuote(compiled.instrument, compiled.source, book);
  const { closed } = series;
  if (compiled.written?.closed !== closed) {
    const write = compiled.indicator.shape === "A" ? writeFlatReading : writeReading;
    compiled.written = { closed, reading: write(compiled, series) };
  }
  const nowMs = marketNow();
  const body = compiled.written.reading.complete(quote, nowMs, now());
  return { body, headers: formatFigureHeaders(quote, nowMs, origins), isAscii: true };
}
