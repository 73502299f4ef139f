import type { KeyEntry } from "@/lib/access/admission/directory";
import { correlateSymbols, type CorrelationMatrix } from "@/lib/analytics/correlation-matrix";
import { CURRENCIES } from "@/lib/analytics/strength/currencies";
import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";
import { findLatestEnd } from "@/lib/analytics/strength/heatmaps";
import { formatSuccess, type Handled } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbols } from "@/lib/api/engine/symbol-access";
import { findInstrument, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import type { Instrument } from "@/lib/market/instrument";
import type { Resolver } from "@/lib/market/symbols/resolver";
import { joinMaybeAsync, mapMaybeAsync } from "@/lib/platform/timing/maybe-async";

export const MAX_SYMBOLS = 20;
/** Returns per coefficient. The series in memory have about a thousand bars. */
export const [MIN_RETURNS, MAX_RETURNS] = [20, 500];

interface CorrelationQuery {
  readonly timeframe: HeatmapTimeframe;
  /** The most returns behind a coefficient. */
  readonly bars: number;
}

export function answerCurrencyCorrelation(
  { timeframe, bars }: CorrelationQuery,
  headers: string,
  { heatmaps }: Services,
): Handled | Promise<Handled> {
  return mapMaybeAsync(heatmaps.readCorrelation(timeframe, bars), (matrix) =>
    answer({ names: CURRENCIES, timeframe, matrix, timeMs: matrix.timeMs }, headers),
  );
}

/** Throws 404 SYMBOL_NOT_FOUND if a symbol is not known, and 403 if the key may not read one. */
export function answerSymbolCorrelation(
  { spellings, timeframe, bars }: CorrelationQuery & { readonly spellings: readonly string[] },
  key: KeyEntry | null,
  { history, origins, resolver }: Services,
): Handled | Promise<Handled> {
  const instruments = findInstruments(spellings, resolver);
  requireSymbols(key, instruments);
  const names = instruments.map(({ symbol }) => symbol);
  const headers = formatOriginHeader(origins, names);
  const series = names.map((symbol) => history.bars.readSeries(symbol, timeframe));
  return mapMaybeAsync(joinMaybeAsync(series), (read) => {
    const closed = read.map((each) => each.closed);
    const [matrix, timeMs] = [correlateSymbols(closed, bars), findLatestEnd(timeframe, closed)];
    return answer({ names, timeframe, matrix, timeMs }, headers);
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

function answer({ names, timeframe, matrix: { rows, bars }, timeMs }: Correlation, headers: string): Handled {
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
