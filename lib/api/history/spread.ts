import * as z from "zod";
import type { Handled } from "@/lib/api/engine/answer";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { memoizeByIdentity } from "@/lib/api/engine/etag";
import { spreadPeriodParam, symbolParam, symbolsParam } from "@/lib/api/engine/params";
import { QUOTE_HEADERS } from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbol } from "@/lib/api/engine/symbol-access";
import { defineTable } from "@/lib/api/engine/table";
import { spreadCompareReply, spreadReply } from "@/lib/api/history/replies";
import {
  compareMeans,
  compareSources,
  compareSpread,
  rollupInPips,
  type SourceSpread,
  toPips,
} from "@/lib/api/history/spread-comparison";
import { findPermitted, findQuote, formatFigureHeaders, formatModeHeader } from "@/lib/api/quotes/quote-lookup";
import type { ServedQuote } from "@/lib/book/quote";
import type { SpreadDetail } from "@/lib/history/spreads/spread-history";
import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { getPercentiles, NO_SPREADS, type SpreadStatistics } from "@/lib/history/spreads/spread-rollup";
import type { Instrument } from "@/lib/market/instrument";
import { toPoints } from "@/lib/market/price";
import type { Resolver } from "@/lib/market/resolver";
import { joinMaybeAsync, mapMaybeAsync } from "@/lib/platform/timing/slices";

type Row = Readonly<Record<string, unknown>>;

/** One row, or with series one for each quarter of an hour. */
const spreadTable = defineTable<{
  symbol: string;
  current: Row;
  statistics: Row;
  by_session: Row;
  percentiles?: Row;
  series?: readonly Row[];
}>(
  ["symbol", "spread_pips", "spread_points", "period", "avg_spread", "min_spread", "max_spread", "std_deviation"],
  ({ symbol, current, statistics, by_session: bySession, percentiles, series }) =>
    series === undefined
      ? [{ symbol, ...current, ...statistics, ...bySession, ...percentiles }]
      : series.map((quarter) => ({ symbol, ...quarter })),
);

/** One row for each symbol, or with by=source for each source of each symbol. */
const spreadCompareTable = defineTable<{
  period: string;
  symbols: readonly (Row & { symbol: string; sources?: readonly Row[] })[];
}>(["symbol", "current_pips", "avg_pips", "min_pips", "max_pips", "has_live_data"], ({ symbols }) =>
  symbols.flatMap((each) =>
    each.sources === undefined ? [each] : each.sources.map((source) => ({ symbol: each.symbol, ...source })),
  ),
);

export const spread = defineEndpoint({
  method: "GET",
  path: "/v1/spread",
  summary:
    "The spread of one symbol now, and its statistics over the seconds recorded in a period that ends now. Of 1h and 24h " +
    "the period begins at the whole minute at or before, of 7d and 30d at the whole hour. X-Quote-State tells how far " +
    "the current spread may be trusted.",
  group: "Spreads and quality",
  access: "any-key",
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
  asOf: { symbols: ({ symbol }) => [symbol] },

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

/** What an answer is written from; `detail` is undefined if it was not requested. */
interface SpreadAnswerInput {
  readonly instrument: Instrument;
  readonly period: SpreadPeriod;
  readonly statistics: SpreadStatistics | null;
  readonly detail: SpreadDetail | undefined;
  readonly query: { readonly include?: "percentiles" | undefined; readonly series?: "15m" | undefined };
  readonly services: Services;
}

/** Writes the answer. Throws DATA_NOT_FOUND without statistics, or without a quote. */
function answerSpread(found: SpreadAnswerInput): Handled {
  const { instrument, period, statistics, detail, query, services } = found;
  const { symbol } = instrument;
  const quote = findQuote(instrument, undefined, services.book);
  if (statistics === null) {
    throw new ApiError("DATA_NOT_FOUND", `No spread of ${symbol} was recorded in the last ${period}.`);
  }
  const headers = formatFigureHeaders(instrument.symbol, quote, services.marketNow(), services.origins);
  const figures = formatStatistics(statistics, found);
  const extra = detail === undefined ? "" : formatDetail(detail, query, instrument);
  const body = `{"success":true,"data":{"symbol":"${symbol}","current":${formatCurrent(quote, instrument)},${figures}${extra}}}`;
  return { body, headers, isAscii: true };
}

function formatCurrent({ spread: inPrice, spreadPips }: ServedQuote, { digits }: Instrument): string {
  return `{"spread_pips":${spreadPips},"spread_points":${toPoints(inPrice, digits)}}`;
}

type Subject = Pick<SpreadAnswerInput, "period" | "instrument">;

/** Formats statistics once: they are the same object until more is recorded. */
const formatStatistics = memoizeByIdentity(
  ({ total, bySession }: SpreadStatistics, { period, instrument }: Subject) => {
    const pips = rollupInPips(total, instrument);
    const mean = (rollup: typeof total) => rollupInPips(rollup, instrument)?.avg ?? null;
    const fields = {
      statistics: {
        period,
        avg_spread: pips?.avg,
        min_spread: pips?.min,
        max_spread: pips?.max,
        std_deviation: pips?.deviation,
      },
      by_session: {
        asian: mean(bySession.asian),
        london: mean(bySession.london),
        new_york: mean(bySession.new_york),
      },
    };
    return JSON.stringify(fields).slice(1, -1);
  },
);

const PERCENTS = [5, 25, 50, 75, 95] as const;

function formatDetail(
  { histogram, steps }: SpreadDetail,
  query: SpreadAnswerInput["query"],
  instrument: Instrument,
): string {
  const pips = (spread: number) => toPips(spread, instrument);
  const fields: Record<string, unknown> = {};
  if (query.include !== undefined) {
    const percentiles = getPercentiles(histogram, PERCENTS);
    fields.percentiles = Object.fromEntries(
      PERCENTS.map((percent, at) => [`p${percent}`, pips(percentiles[at] as number)]),
    );
  }
  if (query.series !== undefined) {
    fields.series = steps.map(({ startMs, rollup, p5, p95 }) => {
      const { avg, min, max } = rollupInPips(rollup, instrument) ?? {};
      return { time: new Date(startMs).toISOString(), avg, min, max, p5: pips(p5), p95: pips(p95) };
    });
  }
  return `,${JSON.stringify(fields).slice(1, -1)}`;
}

const MAX_SYMBOLS = 20;

export const spreadCompare = defineEndpoint({
  method: "GET",
  path: "/v1/spread/compare",
  summary:
    "The spreads of up to twenty symbols, tightest on average first. Unknown symbols, and those nothing was recorded of, " +
    "come last, with nulls.",
  group: "Spreads and quality",
  access: "any-key",
  weight: 1,
  query: z.object({
    symbols: symbolsParam(MAX_SYMBOLS),
    period: spreadPeriodParam,
    by: z.enum(["source"], "must be source").optional().meta({
      description: "Adds every source's own spreads to each symbol, tightest first.",
    }),
  }),
  reply: spreadCompareReply,
  table: spreadCompareTable,
  headers: ["X-Data-Mode"],
  asOf: { symbols: ({ symbols }) => symbols },

  handle({ query: { symbols, period, by }, key, services }) {
    const requested = resolveSymbols(symbols, services.resolver);
    for (const { instrument } of requested) if (instrument !== null) requireSymbol(key, instrument.symbol);
    const statistics = joinMaybeAsync(requested.map(({ instrument }) => readStatistics(instrument, period, services)));
    return mapMaybeAsync(statistics, (found) => {
      if (by === undefined) return answer(requested, found, period, services);
      const compared = requested.map(({ instrument }) =>
        instrument === null ? [] : compareSources(instrument, period, services),
      );
      return Promise.all(compared).then((sources) => answer(requested, found, period, services, sources));
    });
  },
});

type FoundStatistics = SpreadStatistics | null;

interface RequestedSymbol {
  /** The canonical symbol, or the caller's spelling if it is unknown. */
  readonly symbol: string;
  readonly instrument: Instrument | null;
}

/** Resolves spellings to symbols, each once, in the order of the request. */
function resolveSymbols(spellings: readonly string[], resolver: Resolver): RequestedSymbol[] {
  const requested = new Map<string, RequestedSymbol>();
  for (const spelling of spellings) {
    const instrument = resolver.find(spelling) ?? null;
    const symbol = instrument?.symbol ?? spelling;
    if (!requested.has(symbol)) requested.set(symbol, { symbol, instrument });
  }
  return [...requested.values()];
}

function readStatistics(instrument: Instrument | null, period: SpreadPeriod, { history }: Services) {
  return instrument === null ? null : history.spreads.readStatistics(instrument.symbol, period);
}

function answer(
  requested: readonly RequestedSymbol[],
  found: readonly FoundStatistics[],
  period: SpreadPeriod,
  { book, origins }: Services,
  sources?: readonly (readonly SourceSpread[])[],
): Handled {
  let mode: ServedQuote["mode"] = "live";
  const entries = requested.map(({ symbol, instrument }, index) => {
    const quote = instrument === null ? undefined : book.served(symbol);
    const origin = quote === undefined || quote.mode === "live" ? origins.findMode(symbol) : quote.mode;
    if (origin !== "live") mode = origin;
    const spreads = compareSpread(instrument, found[index]?.total ?? NO_SPREADS, quote);
    return sources === undefined ? { symbol, ...spreads } : { symbol, ...spreads, sources: sources[index] };
  });
  const symbols = entries.sort(compareMeans);
  const headers = formatModeHeader(mode);
  return { body: formatSuccess({ period, symbols, count: symbols.length }), headers };
}
