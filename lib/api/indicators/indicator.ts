import * as z from "zod";
import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { findLastStart, runWithSignals } from "@/lib/analytics/indicators/run";
import type { Handled } from "@/lib/api/engine/answer";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { memoizeByIdentity, memoizeBySecond } from "@/lib/api/engine/etag";
import { findFirstValue } from "@/lib/api/engine/input";
import { anyTimeframeParam, sourceParam, symbolParam, wholeParam } from "@/lib/api/engine/params";
import { formatBarStateHeader, formatHolesHeader, READING_HEADERS } from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbol } from "@/lib/api/engine/symbol-access";
import { getIndicator, indicatorParam } from "@/lib/api/indicators/indicator-lookup";
import {
  describeBarCount,
  extendSeries,
  findNamedHole,
  getLatestReading,
  rateSeries,
  roundReading,
} from "@/lib/api/indicators/latest-values";
import { indicatorReply } from "@/lib/api/indicators/readings-replies";
import { findFigureQuote, findInstrument, formatFigureHeaders, NO_QUOTE } from "@/lib/api/quotes/quote-lookup";
import type { ServedQuote } from "@/lib/book/quote";
import type { BarSeries, ReadableSeries } from "@/lib/history/bars/bar-history";
import type { Instrument } from "@/lib/market/instrument";
import { getBarEnd, type Timeframe } from "@/lib/market/timeframe";
import { mapMaybeAsync } from "@/lib/platform/timing/slices";
import { formatTime } from "@/lib/time/iso-time";

const MAX_BARS = 500;

const querySchema = z.object({
  symbol: symbolParam,
  indicator: indicatorParam,
  timeframe: anyTimeframeParam.optional().meta({ description: "Required by the flat readings; H1 for all others." }),
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
    "Every other name answers in the envelope: those of the list, and families with parameters, such as RSI_21. " +
    "All of the list follow MetaTrader 5's definitions, as /v1/indicators/list tells them; a line that is drawn ahead, such as the Alligator's, " +
    "has at a bar the value that a chart shows there. The header X-Bar-State tells when the bar is not the newest possible.",
  group: "Analysis",
  access: "indicators",
  weight: 1,
  query: querySchema,
  reply: indicatorReply,
  errors: ["INDICATOR_NOT_FOUND", "SYMBOL_NOT_FOUND", "SOURCE_NOT_FOUND", "DATA_NOT_FOUND"],
  headers: READING_HEADERS,
  asOf: {
    symbols: ({ symbol }) => [symbol],
    timeframe: ({ timeframe, source }) => (source === undefined ? (timeframe ?? "H1") : undefined),
  },
  failsFlat: (search) => findIndicator(findFirstValue(search, "indicator") ?? "")?.shape === "A",

  handle({ query, key, services }) {
    const compiled = compile(query, services);
    requireSymbol(key, compiled.instrument.symbol);
    const series = services.history.bars.readSeries(compiled.instrument.symbol, compiled.timeframe);
    const { instrument, timeframe, indicator: definition } = compiled;
    return mapMaybeAsync(series, (loaded) => {
      const longer = extendSeries(services.history.bars, instrument, timeframe, loaded, [definition]);
      return mapMaybeAsync(longer, (all) => answer(compiled, all, services));
    });
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
  written: { readonly closed: BarSeries["closed"]; readonly reading: WrittenReading; readonly headers: string } | null;
}

const compile = memoizeByIdentity((query: Query, { resolver }: Services): Compiled => {
  const { timeframe, bars } = query;
  const indicator = getIndicator(query.indicator, timeframe ?? "H1");
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

function answer(compiled: Compiled, series: BarSeries, services: Services): Handled {
  const { origins, now, marketNow } = services;
  const { symbol } = compiled.instrument;
  const quote = findFigureQuote(compiled.instrument, compiled.source, services);
  const { closed } = series;
  if (compiled.written?.closed !== closed) {
    const write = compiled.indicator.shape === "A" ? writeFlatReading : writeReading;
    const hole = findNamedHole(series, [compiled.indicator]);
    const headers = hole === undefined ? "" : formatHolesHeader([{ symbol, ...hole }]);
    compiled.written = { closed, reading: write(compiled, series), headers };
  }
  const nowMs = marketNow();
  const body = compiled.written.reading.complete(quote, nowMs, now());
  const state = rateSeries(series, compiled.instrument, compiled.timeframe, nowMs, [compiled.indicator]);
  const barHeader = state === "current" || state === null ? "" : formatBarStateHeader([state], [closed.length]);
  return {
    body,
    headers: formatFigureHeaders(symbol, quote, nowMs, origins) + compiled.written.headers + barHeader,
    isAscii: true,
  };
}

/**
 * Writes the two documented readings of `/v1/indicator`. The part that depends on closed bars is written once; each
 * request adds the newest quote. Symbols, sources and names are plain ASCII, so nothing needs escaping.
 */

export interface ReadingRequest {
  readonly instrument: Instrument;
  readonly indicator: IndicatorDefinition;
  /** The name or alias in the request, which the answer repeats. */
  readonly name: string;
  readonly timeframe: Timeframe;
  /** Bars of the series; 1 for none. */
  readonly bars: number;
}

/** A reading that lacks only the newest quote. */
interface WrittenReading {
  /**
   * Returns the whole body.
   * @param quote undefined if only bars are known
   * @param marketNowMs the clock for the age of quote and bar, UTC milliseconds
   * @param nowMs the clock for the server's time, UTC milliseconds
   */
  complete(quote: ServedQuote | undefined, marketNowMs: number, nowMs: number): string;
}

/** Writes the enveloped reading. Throws 404 DATA_NOT_FOUND if there are too few bars. */
export function writeReading(request: ReadingRequest, series: ReadableSeries): WrittenReading {
  const { instrument, indicator, name, timeframe } = request;
  const value = getLatestReading(indicator, series, instrument.digits);
  if (value === null) throw createTooFewBarsError(request, series);
  const head =
    `{"success":true,"data":{"symbol":"${instrument.symbol}","indicator":"${name}","timeframe":"${timeframe}",` +
    `"value":${value},"bid":`;
  const tail = `,"bar_time":"${formatTime(series.closed.at(-1)?.timeMs ?? 0)}"}}`;
  return {
    complete(quote, _, nowMs) {
      const { bid, ask, timeMs } = quote ?? NO_QUOTE;
      const updatedAt = Math.floor(timeMs / 1000);
      return `${head}${bid},"ask":${ask},"updated_at":${updatedAt},"server_time":"${formatSecond(nowMs)}"${tail}`;
    },
  };
}

/** Writes the flat reading. Throws 404 DATA_NOT_FOUND if there are too few bars. */
export function writeFlatReading(request: ReadingRequest, series: ReadableSeries): WrittenReading {
  const { instrument, name, timeframe, bars } = request;
  const points = listFlatPoints(request, series);
  const latest = points.at(-1);
  if (latest === undefined) throw createTooFewBarsError(request, series);
  const head =
    `{"symbol":"${instrument.symbol}","indicator":"${name}","timeframe":"${timeframe}",` +
    `${JSON.stringify(latest).slice(1, -1)},"metadata":{"source":"`;
  // The reading is as old as the older of its two inputs.
  const closedMs = getBarEnd(timeframe, series.closed.at(-1)?.timeMs ?? 0);
  const tail = bars === 1 ? "}}" : `},"bars":${points.length},"series":${JSON.stringify(points)}}`;
  return {
    complete(quote, marketNowMs) {
      const ageSeconds = Math.max(0, Math.floor((marketNowMs - Math.min(quote?.timeMs ?? Infinity, closedMs)) / 1000));
      return `${head}${quote?.source ?? "bars"}","data_age_seconds":${ageSeconds}${tail}`;
    },
  };
}

/** Lists the points of the latest `bars` bars, oldest first, without those that have no value. */
function listFlatPoints({ instrument, indicator, bars }: ReadingRequest, { closed, past, holes }: ReadableSeries) {
  const { digits } = instrument;
  const readings = runWithSignals(indicator, closed, 10 ** -digits, past, holes);
  const first = Math.max(0, closed.length - bars);
  return closed.slice(first).flatMap(({ timeMs, open, high, low, close, volume }, at) => {
    const reading = readings[first + at];
    if (reading == null) return [];
    return {
      timestamp: new Date(timeMs).toISOString(),
      value: roundReading(reading.value, indicator, digits),
      signal: reading.signal,
      ohlc: { open, high, low, close, volume },
    };
  });
}

function createTooFewBarsError(
  { instrument, indicator, name, timeframe }: ReadingRequest,
  { closed, holes }: ReadableSeries,
): ApiError {
  const hole = findLastStart(indicator, holes);
  if (closed.length - (hole?.at ?? 0) >= indicator.warmUp) {
    return new ApiError(
      "DATA_NOT_FOUND",
      `${name} of ${instrument.symbol} at ${timeframe} has no value at the latest closed bar: too few of the bars before it ` +
        "are stored, or its line has not begun.",
    );
  }
  const bars = indicator.warmUp === 1 ? "1 closed bar" : `${indicator.warmUp} closed bars`;
  return new ApiError(
    "DATA_NOT_FOUND",
    `${name} needs ${bars} of ${instrument.symbol} at ${timeframe}; so far there are ${describeBarCount(closed, hole)}.`,
  );
}

/** Formats a time to the second: "2026-01-12T14:30:00+00:00". */
const formatSecond = memoizeBySecond(formatTime);
