import { z } from "zod";
import { CURRENCIES, currencyPairs } from "@/lib/analytics/strength/currencies";
import { HEATMAP_TIMEFRAMES } from "@/lib/analytics/strength/heatmap-timeframes";
import { type Heatmap } from "@/lib/analytics/strength/heatmaps";
import { MIN_BARS } from "@/lib/analytics/strength/strength";
import { defineEndpoint, formatSuccess, type Handled } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { createEtag } from "@/lib/api/engine/http/etag";
import { memoizeByIdentity } from "@/lib/api/engine/memo";
import { timeframeParam, wordParam } from "@/lib/api/engine/params";
import { requireSymbols } from "@/lib/api/engine/symbol-access";
import { heatmapReply } from "@/lib/api/indicators/heatmap-replies";
import { heatmapTable } from "@/lib/api/indicators/tables";
import { formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import { instruments } from "@/lib/market/catalog";
import { mapMaybeAsync } from "@/lib/platform/timing/maybe-async";

export const heatmap = defineEndpoint({
  method: "GET",
  path: "/v1/heatmap",
  summary: "How strong each of the eight major currencies is against the other seven, from 0 to 10.",
  description:
    "A key that is restricted to some symbols needs all pairs of these currencies: the category forex has them.",
  access: "key",
  weight: 2,
  query: z.object({
    type: wordParam(["strength", "correlation"], "INVALID_TYPE")
      .default("strength")
      .meta({ description: "correlation is planned: it answers that it is not available." }),
    timeframe: timeframeParam(HEATMAP_TIMEFRAMES).default("H4"),
  }),
  reply: heatmapReply,
  table: heatmapTable,
  errors: ["DATA_NOT_FOUND"],
  headers: ["X-Data-Mode", "ETag"],

  handle({ query: { type, timeframe }, key, services }) {
    requireSymbols(key, currencyPairs);
    if (type === "correlation") return answerNotAvailable(timeframe, services.marketNow());
    const headers = formatOriginHeader(services.origins, PAIRS);
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

function answerNotAvailable(timeframe: string, nowMs: number): Handled {
  return {
    body: formatSuccess({
      type: "correlation",
      timeframe,
      correlation_matrix: {},
      available: false,
      message: "The correlation heatmap is planned and not available yet.",
      timestamp: new Date(nowMs).toISOString(),
    }),
  };
}
