import * as z from "zod";
import { defineEndpoint, formatSuccess, type Handled } from "@/lib/api/engine/endpoint";
import { spreadPeriodParam, symbolsParam } from "@/lib/api/engine/params";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbol } from "@/lib/api/engine/symbol-access";
import { compareMeans, compareSources, compareSpread, type SourceSpread } from "@/lib/api/history/spread-comparison";
import { spreadCompareTable } from "@/lib/api/history/spread-tables";
import { spreadCompareReply } from "@/lib/api/history/spreads-replies";
import { formatModeHeader } from "@/lib/api/quotes/quote-lookup";
import type { ServedQuote } from "@/lib/book/quote";
import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { NO_SPREADS } from "@/lib/history/spreads/spread-rollup";
import type { SpreadStatistics } from "@/lib/history/spreads/spread-statistics";
import type { Instrument } from "@/lib/market/instrument";
import type { Resolver } from "@/lib/market/symbols/resolver";
import { joinMaybeAsync, mapMaybeAsync } from "@/lib/platform/timing/maybe-async";

const MAX_SYMBOLS = 20;

export const spreadCompare = defineEndpoint({
  method: "GET",
  path: "/v1/spread/compare",
  summary:
    "The spreads of up to twenty symbols, tightest on average first. Unknown symbols, and those nothing was recorded of, " +
    "come last, with nulls.",
  access: "key",
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
