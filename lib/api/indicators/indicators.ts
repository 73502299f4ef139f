import * as z from "zod";
import { INDICATOR_CATEGORIES, type IndicatorCategory } from "@/lib/analytics/indicators/definition";
import { indicators as allIndicators } from "@/lib/analytics/indicators/registry";
import type { Handled } from "@/lib/api/engine/answer";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { memoizeByIdentity } from "@/lib/api/engine/etag";
import { anyTimeframeParam, choiceParam, symbolParam } from "@/lib/api/engine/params";
import { formatBarStateHeader, formatHolesHeader, READING_HEADERS } from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbol } from "@/lib/api/engine/symbol-access";
import { findNamedHole, getLatestReading, rateSeries } from "@/lib/api/indicators/latest-values";
import { indicatorsReply, indicatorsTable } from "@/lib/api/indicators/readings-replies";
import { findInstrument, formatFigureHeaders, NO_QUOTE } from "@/lib/api/quotes/quote-lookup";
import type { BarSeries } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { type Timeframe } from "@/lib/market/timeframe";
import { mapMaybeAsync, slices } from "@/lib/platform/timing/slices";
import { formatTime } from "@/lib/time/iso-time";

const querySchema = z.object({
  symbol: symbolParam,
  timeframe: anyTimeframeParam.default("H1"),
  category: choiceParam(INDICATOR_CATEGORIES, "INVALID_CATEGORY").optional(),
});
type Query = z.output<typeof querySchema>;

export const indicators = defineEndpoint({
  method: "GET",
  path: "/v1/indicators",
  summary: "Every indicator of one symbol at the latest closed bar; null where there is too little history.",
  group: "Analysis",
  access: "indicators",
  weight: 1,
  query: querySchema,
  reply: indicatorsReply,
  table: indicatorsTable,
  errors: ["SYMBOL_NOT_FOUND"],
  headers: READING_HEADERS,
  asOf: { symbols: ({ symbol }) => [symbol], timeframe: ({ timeframe }) => timeframe },

  handle({ query, key, services }) {
    const compiled = compile(query, services);
    requireSymbol(key, compiled.instrument.symbol);
    const series = services.history.bars.readSeries(compiled.instrument.symbol, query.timeframe);
    return mapMaybeAsync(series, (loaded) => answer(compiled, loaded, services));
  },
});

/** A query prepared once for all the calls that send it, with the text that is valid until another bar closes. */
interface Compiled {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  readonly category: IndicatorCategory | undefined;
  written: Written | null;
}

interface Written {
  readonly closed: readonly Bar[];
  readonly head: string;
  readonly tail: string;
  readonly headers: string;
}

const compile = memoizeByIdentity((query: Query, { resolver }: Services): Compiled => {
  const { timeframe, category } = query;
  return { instrument: findInstrument(query.symbol, resolver), timeframe, category, written: null };
});

function answer(compiled: Compiled, series: BarSeries, services: Services): Handled | Promise<Handled> {
  if (compiled.written?.closed === series.closed) return complete(compiled, compiled.written, series, services);
  return write(compiled, series).then((written) => complete(compiled, (compiled.written = written), series, services));
}

/** Adds the newest quote. */
function complete(
  compiled: Compiled,
  { head, tail, headers }: Written,
  series: BarSeries,
  { book, origins, marketNow }: Services,
): Handled {
  const nowMs = marketNow();
  const state = rateSeries(series, compiled.instrument, compiled.timeframe, nowMs, allIndicators);
  const barHeaders = (state === null ? "" : formatBarStateHeader([state], [series.closed.length])) + headers;
  const { symbol } = compiled.instrument;
  const quote = book.served(symbol, nowMs);
  const { bid, ask, timeMs } = quote ?? NO_QUOTE;
  return {
    body: `${head}${bid},"ask":${ask},${tail}${Math.floor(timeMs / 1000)}}}`,
    headers: formatFigureHeaders(symbol, quote, nowMs, origins) + barHeaders,
    isAscii: true,
  };
}

/** Writes the parts of the answer that do not depend on the newest quote. */
async function write({ instrument, timeframe, category }: Compiled, series: BarSeries): Promise<Written> {
  const { symbol, digits } = instrument;
  const { closed } = series;
  const latest = closed.at(-1);
  const ohlcv = latest === undefined ? null : { ...latest, timeMs: undefined };
  const barTime = JSON.stringify(latest === undefined ? null : formatTime(latest.timeMs));
  const selected = allIndicators.filter((indicator) => category === undefined || indicator.category === category);
  const values = await slices.map(
    selected,
    (indicator) => [indicator.name, getLatestReading(indicator, series, digits)] as const,
  );
  const hole = findNamedHole(series, selected);
  return {
    closed,
    headers: hole === undefined ? "" : formatHolesHeader([{ symbol, ...hole }]),
    head: `{"success":true,"data":{"symbol":"${symbol}","timeframe":"${timeframe}","bar_time":${barTime},"ohlcv":${JSON.stringify(ohlcv)},"bid":`,
    tail: `"indicators":${JSON.stringify(Object.fromEntries(values))},"count":${values.length},"updated_at":`,
  };
}
