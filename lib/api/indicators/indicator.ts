import { z } from "zod";
import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { endpoint, type Handled } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { sourceParam, symbolParam, timeframeParam, wholeParam } from "@/lib/api/engine/params";
import { firstValue } from "@/lib/api/engine/query";
import type { Services } from "@/lib/api/engine/services";
import { indicatorFor, indicatorNames } from "@/lib/api/indicators/indicator-lookup";
import { indicatorReply } from "@/lib/api/indicators/readings-replies";
import { writeFlatReading, writeReading, type WrittenReading } from "@/lib/api/indicators/write-reading";
import { instrumentFor, quoteFor, quoteHeaders } from "@/lib/api/quotes/quote-lookup";
import type { BarSeries } from "@/lib/history/history";
import type { Instrument } from "@/lib/market/instrument";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { whenHere } from "@/lib/platform/at-once";

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

export const indicator = endpoint({
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
  failsFlat: (search) => findIndicator(firstValue(search, "indicator") ?? "")?.shape === "A",

  handle({ query, services }) {
    const plan = planOf(query, services);
    const series = services.history.bars.readSeries(plan.instrument.symbol, plan.timeframe);
    return whenHere(series, (loaded) => answer(plan, loaded, services));
  },
});

/** What a query asks for, worked out once for all the calls that send it. */
interface Plan {
  readonly instrument: Instrument;
  readonly indicator: IndicatorDefinition;
  /** The indicator as it was asked for. */
  readonly name: string;
  readonly timeframe: Timeframe;
  readonly bars: number;
  readonly source: string | undefined;
  /** What the closed bars say, good until another one closes. */
  written: { readonly closed: BarSeries["closed"]; readonly reading: WrittenReading } | null;
}

const plans = new WeakMap<Query, Plan>();

function planOf(query: Query, { resolver }: Services): Plan {
  const known = plans.get(query);
  if (known !== undefined) return known;
  const indicator = indicatorFor(query.indicator);
  const { timeframe, bars } = query;
  if (indicator.shape === "A" && timeframe === undefined) {
    throw new ApiError("VALIDATION_ERROR", `timeframe is required with ${query.indicator}`);
  }
  if (indicator.shape === "B" && bars !== undefined) {
    throw new ApiError("VALIDATION_ERROR", `bars cannot be given with ${query.indicator}; see /v1/indicator/history`);
  }
  const plan: Plan = {
    instrument: instrumentFor(query.symbol, resolver),
    indicator,
    name: query.indicator,
    timeframe: timeframe ?? "H1",
    bars: bars ?? 1,
    source: query.source,
    written: null,
  };
  plans.set(query, plan);
  return plan;
}

function answer(plan: Plan, { closed }: BarSeries, { book, now, marketNow }: Services): Handled {
  const quote = quoteFor(plan.instrument, plan.source, book);
  if (plan.written?.closed !== closed) {
    const write = plan.indicator.shape === "A" ? writeFlatReading : writeReading;
    plan.written = { closed, reading: write(plan, closed) };
  }
  const nowMs = marketNow();
  const body = plan.written.reading.completedBy(quote, nowMs, now());
  return { body, headers: quoteHeaders(quote, nowMs), isAscii: true };
}
