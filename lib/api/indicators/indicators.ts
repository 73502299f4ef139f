import { z } from "zod";
import { INDICATOR_CATEGORIES, type IndicatorCategory } from "@/lib/analytics/indicators/definition";
import { indicators as allIndicators } from "@/lib/analytics/indicators/registry";
import { defineEndpoint, type Handled } from "@/lib/api/engine/endpoint";
import { memoizeByIdentity } from "@/lib/api/engine/memo";
import { symbolParam, timeframeParam } from "@/lib/api/engine/params";
import type { Services } from "@/lib/api/engine/services";
import { getLatestReading } from "@/lib/api/indicators/latest-values";
import { indicatorsReply } from "@/lib/api/indicators/readings-replies";
import { findInstrument, formatQuoteHeaders } from "@/lib/api/quotes/quote-lookup";
import type { BarSeries } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { mapMaybeAsync } from "@/lib/platform/maybe-async";

const querySchema = z.object({
  symbol: symbolParam,
  timeframe: timeframeParam(TIMEFRAMES).default("H1"),
  category: z.enum(INDICATOR_CATEGORIES, `must be one of ${INDICATOR_CATEGORIES.join(", ")}`).optional(),
});
type Query = z.output<typeof querySchema>;

export const indicators = defineEndpoint({
  method: "GET",
  path: "/v1/indicators",
  summary: "Every indicator of one symbol at the latest closed bar; null where there is too little history.",
  access: "key",
  weight: 1,
  query: querySchema,
  reply: indicatorsReply,

  handle({ query, services }) {
    const compiled = compile(query, services);
    const series = services.history.bars.readSeries(compiled.instrument.symbol, query.timeframe);
    return mapMaybeAsync(series, (loaded) => answer(compiled, loaded, services));
  },
});

/** A query prepared once for all the calls that send it, with the text that is valid until another bar closes. */
interface Compiled {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  readonly category: IndicatorCategory | undefined;
  written: { readonly closed: readonly Bar[]; readonly head: string; readonly tail: string } | null;
}

const compile = memoizeByIdentity((query: Query, { resolver }: Services): Compiled => {
  const { timeframe, category } = query;
  return { instrument: findInstrument(query.symbol, resolver), timeframe, category, written: null };
});

function answer(compiled: Compiled, { closed }: BarSeries, { book, marketNow }: Services): Handled {
  if (compiled.written?.closed !== closed) compiled.written = { closed, ...write(compiled, closed) };
  const { head, tail } = compiled.written;
  const nowMs = marketNow();
  const quote = book.served(compiled.instrument.symbol, nowMs);
  return quote === undefined
    ? { body: `${head}null,"ask":null,${tail}0}}`, isAscii: true }
    : {
        body: `${head}${quote.bid},"ask":${quote.ask},${tail}${Math.floor(quote.timeMs / 1000)}}}`,
        headers: formatQuoteHeaders(quote, nowMs),
        isAscii: true,
      };
}

/** Writes the parts of the answer that do not depend on the newest quote. */
function write({ instrument, timeframe, category }: Compiled, closed: readonly Bar[]): { head: string; tail: string } {
  const { symbol, digits } = instrument;
  const latest = closed.at(-1);
  const ohlcv = latest === undefined ? null : { ...latest, timeMs: undefined };
  const selected = allIndicators.filter((indicator) => category === undefined || indicator.category === category);
  const values = selected.map((indicator) => [indicator.name, getLatestReading(indicator, closed, digits)] as const);
  return {
    head: `{"success":true,"data":{"symbol":"${symbol}","timeframe":"${timeframe}","ohlcv":${JSON.stringify(ohlcv)},"bid":`,
    tail: `"indicators":${JSON.stringify(Object.fromEntries(values))},"count":${values.length},"updated_at":`,
  };
}
