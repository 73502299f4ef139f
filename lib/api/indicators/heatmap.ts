import * as z from "zod";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { correlateSymbols, type CorrelationMatrix } from "@/lib/analytics/correlation";
import { skipHoles } from "@/lib/analytics/indicators/run";
import { HEATMAP_TIMEFRAMES, type HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";
import { CORRELATED_BARS, findLatestEnd, type Heatmap, rateHeatmap } from "@/lib/analytics/strength/heatmaps";
import { CURRENCIES, type Currency, currencyPairs, MIN_BARS } from "@/lib/analytics/strength/strength";
import type { Handled } from "@/lib/api/engine/answer";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { createEtag, memoizeByIdentity } from "@/lib/api/engine/etag";
import { symbolsParam, timeframeParam, wholeParam, wordParam } from "@/lib/api/engine/params";
import { isoTime, succeeded } from "@/lib/api/engine/replies";
import { formatBarStateHeader } from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbols } from "@/lib/api/engine/symbol-access";
import { rateSeries } from "@/lib/api/indicators/latest-values";
import { heatmapTable } from "@/lib/api/indicators/readings-replies";
import { findInstrument, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import type { BarSeries } from "@/lib/history/bars/bar-history";
import type { Instrument } from "@/lib/market/instrument";
import type { Resolver } from "@/lib/market/resolver";
import { joinMaybeAsync, mapMaybeAsync } from "@/lib/platform/timing/slices";

const MAX_SYMBOLS = 20;
/** Returns per coefficient. The series in memory have about a thousand bars. */
const MIN_RETURNS = 20;
const MAX_RETURNS = 500;

interface CorrelationQuery {
  readonly timeframe: HeatmapTimeframe;
  /** The most returns behind a coefficient. */
  readonly bars: number;
}

function answerCurrencyCorrelation(
  { timeframe, bars }: CorrelationQuery,
  headers: string,
  { heatmaps, marketNow }: Services,
): Handled | Promise<Handled> {
  return mapMaybeAsync(heatmaps.readCorrelation(timeframe, bars), (matrix) => {
    const { timeMs } = matrix;
    const state = timeMs === null ? "current" : rateHeatmap(timeframe, timeMs, marketNow());
    const allHeaders = headers + formatBarStateHeader([state]);
    return answerCorrelation({ names: CURRENCIES, timeframe, matrix, timeMs }, allHeaders);
  });
}

/** Throws 404 SYMBOL_NOT_FOUND if a symbol is not known, and 403 if the key may not read one. */
function answerSymbolCorrelation(
  { spellings, timeframe, bars }: CorrelationQuery & { readonly spellings: readonly string[] },
  key: KeyEntry | null,
  { history, origins, resolver, marketNow }: Services,
): Handled | Promise<Handled> {
  const instruments = findInstruments(spellings, resolver);
  requireSymbols(key, instruments);
  const names = instruments.map(({ symbol }) => symbol);
  const headers = formatOriginHeader(origins, names);
  const series = names.map((symbol) => history.bars.readSeries(symbol, timeframe));
  return mapMaybeAsync(joinMaybeAsync(series), (read) => {
    const nowMs = marketNow();
    const states = instruments.map(
      (each, at) => rateSeries(read[at] as BarSeries, each, timeframe, nowMs) ?? "current",
    );
    const closed = read.map((each) => skipHoles(each).closed);
    const [matrix, timeMs] = [correlateSymbols(closed, bars), findLatestEnd(timeframe, closed)];
    return answerCorrelation({ names, timeframe, matrix, timeMs }, headers + formatBarStateHeader(states));
  });
}

function findInstruments(spellings: readonly string[], resolver: Resolver): Instrument[] {
  const unknown = spellings.filter((spelling) => resolver.find(spelling) === undefined);
  if (unknown.length > 1) {
    throw new ApiError("SYMBOL_NOT_FOUND", `These symbols are not known: ${unknown.join(", ")}.`, { suggestions: [] });
  }
  const instruments = [...new Set(spellings.map((spelling) => findInstrument(spelling, resolver)))];
  if (instruments.length > 1) return instruments;
  throw new ApiError("VALIDATION_ERROR", "The parameter symbols must name at least two different symbols.");
}

interface Correlation {
  readonly names: readonly string[];
  readonly timeframe: HeatmapTimeframe;
  readonly matrix: CorrelationMatrix;
  readonly timeMs: number | null;
}

function answerCorrelation(
  { names, timeframe, matrix: { rows, bars }, timeMs }: Correlation,
  headers: string,
): Handled {
  if (timeMs === null || bars === 0) {
    throw new ApiError(
      "DATA_NOT_FOUND",
      `A correlation needs ${MIN_RETURNS + 1} common closed bars, and fewer have been recorded yet.`,
    );
  }
  const toRow = (row: readonly (number | null)[]) =>
    Object.fromEntries(names.map((name, column) => [name, roundCoefficient(row[column] ?? null)]));
  const body = formatSuccess({
    type: "correlation",
    timeframe,
    correlation_matrix: Object.fromEntries(names.map((name, row) => [name, toRow(rows[row] ?? [])])),
    available: true,
    bars,
    timestamp: new Date(timeMs).toISOString(),
  });
  return { body, headers, isAscii: true };
}

/** Four decimals, and never −0. */
function roundCoefficient(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000 || 0;
}

const reading = z
  .strictObject({
    strength: z.number().min(0).max(10).meta({ description: "0 extremely weak, 10 extremely strong, about 5 neutral" }),
    trend: z.enum(["bullish", "bearish", "neutral"]),
    change: z.number().meta({ description: "Change of strength over the last bar" }),
    pairs_analyzed: z.int().min(0).max(7),
  })
  .meta({ id: "CurrencyStrength" });

const currency = z.enum(CURRENCIES).nullable();
const timeframe = z.enum(HEATMAP_TIMEFRAMES);

const strength = z
  .strictObject({
    type: z.literal("strength"),
    timeframe,
    currencies: z.strictObject(
      Object.fromEntries(CURRENCIES.map((name) => [name, reading])) as Record<Currency, typeof reading>,
    ),
    strongest: currency.meta({ description: "null while all are equally strong" }),
    weakest: currency,
    range: z.number().meta({ description: "Strength of the strongest less that of the weakest" }),
    timestamp: isoTime.meta({ description: "When the latest closed bar ended" }),
  })
  .meta({ id: "StrengthHeatmap" });

const coefficient = z
  .number()
  .min(-1)
  .max(1)
  .nullable()
  .meta({ description: "null with fewer than 20 common bars, or where one side does not move" });

const correlation = z
  .strictObject({
    type: z.literal("correlation"),
    timeframe,
    correlation_matrix: z
      .record(z.string(), z.record(z.string(), coefficient))
      .meta({ description: "Each currency or symbol with every other and itself" }),
    available: z.literal(true),
    bars: z.int().meta({ description: "Bars behind the coefficient that has the fewest" }),
    timestamp: isoTime.meta({ description: "When the latest closed bar ended" }),
  })
  .meta({ id: "CorrelationHeatmap" });

const heatmapReply = z.strictObject({ success: succeeded, data: z.union([strength, correlation]) });

export const heatmap = defineEndpoint({
  method: "GET",
  path: "/v1/heatmap",
  summary: "How strong each of the eight major currencies is, or how alike currencies or symbols move.",
  description:
    "Strength is from 0 to 10, against the other seven. Correlation is Pearson's coefficient of logarithmic returns from " +
    "bar to bar, from -1 to 1: of the eight currencies, each against the other seven, or of the symbols in symbols. A key " +
    "that is restricted to some symbols needs all pairs of the eight currencies, which the category forex has, or the " +
    "symbols in symbols.",
  group: "Analysis",
  access: "premium",
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
  headers: ["X-Data-Mode", "X-Bar-State", "X-Bars-Used", "ETag"],
  asOf: { bars: ({ symbols }) => symbols ?? PAIRS },

  handle({ query: { type, timeframe, symbols, bars = CORRELATED_BARS }, key, services }) {
    if (symbols !== undefined) return answerSymbolCorrelation({ spellings: symbols, timeframe, bars }, key, services);
    requireSymbols(key, currencyPairs);
    const headers = formatOriginHeader(services.origins, PAIRS);
    if (type === "correlation") return answerCurrencyCorrelation({ timeframe, bars }, headers, services);
    return mapMaybeAsync(services.heatmaps.read(timeframe), (heatmap) =>
      answer(heatmap, headers, services.marketNow()),
    );
  },
});

const PAIRS = currencyPairs.map(({ symbol }) => symbol);

function answer(heatmap: Heatmap | null, headers: string, nowMs: number): Handled {
  if (heatmap === null) {
    throw new ApiError(
      "DATA_NOT_FOUND",
      `Strength needs ${MIN_BARS} closed bars of each currency, and fewer have been recorded yet.`,
    );
  }
  const body = writeOnce(heatmap);
  const { timeframe, timeMs, bars } = heatmap;
  const state = rateHeatmap(timeframe, timeMs, nowMs, bars);
  return { body, headers: headers + formatBarStateHeader([state], [bars]), isAscii: true, etag: createEtag(body) };
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
