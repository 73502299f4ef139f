import { z } from "zod";
import { INDICATOR_CATEGORIES, type IndicatorCategory } from "@/lib/analytics/indicators/definition";
import { indicators as allIndicators } from "@/lib/analytics/indicators/registry";
import { endpoint, type Handled } from "@/lib/api/engine/endpoint";
import { symbolParam, timeframeParam } from "@/lib/api/engine/params";
import type { Services } from "@/lib/api/engine/services";
import { latestReading } from "@/lib/api/indicators/latest-values";
import { indicatorsReply } from "@/lib/api/indicators/readings-replies";
import { instrumentFor, quoteHeaders } from "@/lib/api/quotes/quote-lookup";
import type { BarSeries } from "@/lib/history/history";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { whenHere } from "@/lib/platform/at-once";

const querySchema = z.object({
  symbol: symbolParam,
  timeframe: timeframeParam(TIMEFRAMES).default("H1"),
  category: z.enum(INDICATOR_CATEGORIES, `must be one of ${INDICATOR_CATEGORIES.join(", ")}`).optional(),
});
type Query = z.output<typeof querySchema>;

export const indicators = endpoint({
  method: "GET",
  path: "/v1/indicators",
  summary: "Every indicator of one symbol at the latest closed bar; null where there is too little history.",
  access: "key",
  weight: 1,
  query: querySchema,
  reply: indicatorsReply,

  handle({ query, services }) {
    const plan = planOf(query, services);
    const series = services.history.bars.readSeries(plan.instrument.symbol, query.timeframe);
    return whenHere(series, (loaded) => answer(plan, loaded, services));
  },
});

/** What a query asks for, and what the closed bars say to it until another one closes. */
interface Plan {
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  readonly category: IndicatorCategory | undefined;
  written: { readonly closed: readonly Bar[]; readonly head: string; readonly tail: string } | null;
}

const plans = new WeakMap<Query, Plan>();

function planOf(query: Query, { resolver }: Services): Plan {
  let plan = plans.get(query);
  if (plan === undefined) {
    const { timeframe, category } = query;
    plan = { instrument: instrumentFor(query.symbol, resolver), timeframe, category, written: null };
    plans.set(query, plan);
  }
  return plan;
}

function answer(plan: Plan, { closed }: BarSeries, { book, marketNow }: Services): Handled {
  if (plan.written?.closed !== closed) plan.written = { closed, ...write(plan, closed) };
  const { head, tail } = plan.written;
  const nowMs = marketNow();
  const quote = book.served(plan.instrument.symbol, nowMs);
  return quote === undefined
    ? { body: `${head}null,"ask":null,${tail}0}}`, isAscii: true }
    : {
        body: `${head}${quote.bid},"ask":${quote.ask},${tail}${Math.floor(quote.timeMs / 1000)}}}`,
        headers: quoteHeaders(quote, nowMs),
        isAscii: true,
      };
}

/** The answer without what the newest quote says: prices, and the moment of it. */
function write({ instrument, timeframe, category }: Plan, closed: readonly Bar[]): { head: string; tail: string } {
  const { symbol, digits } = instrument;
  const latest = closed.at(-1);
  const ohlcv = latest === undefined ? null : { ...latest, timeMs: undefined };
  const asked = allIndicators.filter((indicator) => category === undefined || indicator.category === category);
  const values = asked.map((indicator) => [indicator.name, latestReading(indicator, closed, digits)] as const);
  return {
    head: `{"success":true,"data":{"symbol":"${symbol}","timeframe":"${timeframe}","ohlcv":${JSON.stringify(ohlcv)},"bid":`,
    tail: `"indicators":${JSON.stringify(Object.fromEntries(values))},"count":${values.length},"updated_at":`,
  };
}
