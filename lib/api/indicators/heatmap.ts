import * as z from "zod";
import { CURRENCIES, currencyPairs } from "@/lib/analytics/strength/currencies";
import { HEATMAP_TIMEFRAMES } from "@/lib/analytics/strength/heatmap-timeframes";
import { type Heatmap } from "@/lib/analytics/strength/heatmaps";
import { MIN_BARS } from "@/lib/analytics/strength/strength";
import { CORRELATED_BARS } from "@/lib/analytics/strength/strength-detail";
import { defineEndpoint, formatSuccess, type Handled } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { createEtag } from "@/lib/api/engine/http/etag";
import { memoizeByIdentity } from "@/lib/api/engine/memo";
import { symbolsParam, timeframeParam, wholeParam, wordParam } from "@/lib/api/engine/params";
import { requireSymbols } from "@/lib/api/engine/symbol-access";
import {
  answerCurrencyCorrelation,
  answerSymbolCorrelation,
  MAX_RETURNS,
  MAX_SYMBOLS,
  MIN_RETURNS,
} from "@/lib/api/indicators/heatmap-correlation";
import { heatmapReply } from "@/lib/api/indicators/heatmap-replies";
import { heatmapTable } from "@/lib/api/indicators/tables";
import { formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import { instruments } from "@/lib/market/catalog";
import { mapMaybeAsync } from "@/lib/platform/timing/maybe-async";

export const heatmap = defineEndpoint({
  method: "GET",
  path: "/v1/heatmap",
  summary: "How strong each of the eight major currencies is, or how alike currencies or symbols move.",
  description:
    "Strength is from 0 to 10, against the other seven. Correlation is Pearson's coefficient of logarithmic returns from " +
    "bar to bar, from -1 to 1: of the eight currencies, each against the other seven, or of the symbols in symbols. A key " +
    "that is restricted to some symbols needs all pairs of the eight currencies, which the category forex has, or the " +
    "symbols in symbols.",
  access: "key",
  weight: 2,
  query: z
    .object({
      type: wordParam(["strength", "correlation"], "INVALID_TYPE").default("strength"),
      timeframe: timeframeParam(HEATMAP_TIMEFRAMES).default("H4"),
      symbols: symbolsParam(MAX_SYMBOLS)
        .optional()
        .meta({ description: "With correlation only: 2 to 20 symbols to compare in place of the currencies." }),
      bars: wholeParam(MIN_RETURNS, MAX_RETURNS)
        .optional()
        .meta({
          description: `With correlation only: how many closed bars are compared; ${CORRELATED_BARS} if not given.`,
        }),
    })
    .superRefine(({ type, symbols, bars }, context) => {
      if (type === "correlation") return;
      const name = symbols !== undefined ? "symbols" : "bars";
      if (symbols === undefined && bars === undefined) return;
      context.addIssue({ code: "custom", path: [name], message: "goes with type=correlation only" });
    }),
  reply: heatmapReply,
  table: heatmapTable,
  errors: ["DATA_NOT_FOUND", "SYMBOL_NOT_FOUND"],
  headers: ["X-Data-Mode", "ETag"],

  handle({ query: { type, timeframe, symbols, bars = CORRELATED_BARS }, key, services }) {
    if (symbols !== undefined) return answerSymbolCorrelation({ spellings: symbols, timeframe, bars }, key, services);
    requireSymbols(key, currencyPairs);
    const headers = formatOriginHeader(services.origins, PAIRS);
    if (type === "correlation") return answerCurrencyCorrelation({ timeframe, bars }, headers, services);
    return mapMaybeAsync(services.heatmaps.read(timeframe), (heatmap) => answer(heatmap, headers));
  },
});

const PAIRS = instruments.filter(({ category }) => category === "forex").map(({ symbol }) => symbol);

function answer(heatmap: Heatmap | null, headers: string): Handled {
  if (heatmap === null) {
    throw new ApiError(
      "DATA_NOT_FOUND",
      `Strength needs ${MIN_BARS} closed bars of each currency, and fewer have been recorded yet.`,
    );
  }
  const body = writeOnce(heatmap);
  return { body, headers, isAscii: true, etag: createEtag(body) };
}

function write({ timeframe, currencies, timeMs }: Heatmap): string {
  const readings = CURRENCIES.map((name) => {
    const { strength, trend, change, pairs } = currencies[name];
    return {
      name,
      strength: roundToHundredths(strength),
      trend,
      change: roundToHundredths(change),
      pairs_analyzed: pairs,
    };
  });
  const ranked = [...readings].sort((a, b) => b.strength - a.strength);
  const [strongest, weakest] = [ranked[0], ranked.at(-1)];
  const range = roundToHundredths((strongest?.strength ?? 0) - (weakest?.strength ?? 0));
  return formatSuccess({
    type: "strength",
    timeframe,
    currencies: Object.fromEntries(readings.map(({ name, ...reading }) => [name, reading])),
    strongest: range === 0 ? null : strongest?.name,
    weakest: range === 0 ? null : weakest?.name,
    range,
    timestamp: new Date(timeMs).toISOString(),
  });
}

/** Writes a heatmap once: it is the same object until the next bar closes. */
const writeOnce = memoizeByIdentity<Heatmap, void, Uint8Array>((heatmap) => Buffer.from(write(heatmap)));

/** Two decimals, and never −0. */
function roundToHundredths(value: number): number {
  return Math.round(value * 100) / 100 || 0;
}
