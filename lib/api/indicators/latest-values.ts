import { getDecimals, type IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { computeLatest, runIndicator } from "@/lib/analytics/indicators/run";
import { summarise, type Summary } from "@/lib/analytics/summary";
import { ApiError } from "@/lib/api/engine/errors";
import type { Services } from "@/lib/api/engine/services";
import { formatModeHeader, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import type { BarHistory, BarSeries } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { roundPrice } from "@/lib/market/price";
import { getBarEnd, getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { slices } from "@/lib/platform/timing/slices";

/** The latest readings of a series by its array of closed bars, which is replaced whenever a bar closes. */
const cache = new WeakMap<readonly Bar[], Map<IndicatorDefinition, number | null>>();

/**
 * Returns the rounded value at the latest closed bar, computed once for each bar; null if there are too few bars.
 *
 * @param digits the digits of the symbol
 */
export function getLatestReading(
  indicator: IndicatorDefinition,
  { closed, past }: Pick<BarSeries, "closed" | "past">,
  digits: number,
): number | null {
  let readings = cache.get(closed);
  if (readings === undefined) cache.set(closed, (readings = new Map()));
  let reading = readings.get(indicator);
  if (reading === undefined) {
    const value = computeLatest(indicator, closed, past);
    readings.set(indicator, (reading = value === null ? null : roundReading(value, indicator, digits)));
  }
  return reading;
}

/** Rounds a value to the decimals that answers show for a symbol with these digits. */
export function roundReading(value: number, indicator: IndicatorDefinition, digits: number): number {
  return roundPrice(value, getDecimals(indicator, digits));
}

/** The latest summary of a series by its array of closed bars, which is replaced whenever a bar closes. */
const summaryCache = new WeakMap<readonly Bar[], { readonly bid: number; readonly summary: Summary | null }>();

/** Returns the summary of a market, computed once for each bar and bid; null if there are too few bars. */
export function getLatestSummary(
  series: Pick<BarSeries, "closed" | "past">,
  { symbol, digits }: Pick<Instrument, "symbol" | "digits">,
  timeframe: Timeframe,
  bid: number,
): Summary | null {
  const cached = summaryCache.get(series.closed);
  if (cached?.bid === bid) return cached.summary;
  const summary = summarise(series, { symbol, timeframe, bid, digits });
  summaryCache.set(series.closed, { bid, summary });
  return summary;
}

/**
 * Finds the newest quote of several instruments. Returns its time in Unix seconds, 0 before the first quote, and the
 * header that marks quotes that are not live.
 */
export function findNewestQuote(
  instruments: readonly Instrument[],
  { book, origins, marketNow }: Pick<Services, "book" | "origins" | "marketNow">,
): { readonly updatedAt: number; readonly headers: string } {
  const nowMs = marketNow();
  let newestMs = 0;
  let headers = "";
  for (const { symbol } of instruments) {
    const quote = book.served(symbol, nowMs);
    if (quote === undefined) continue;
    newestMs = Math.max(newestMs, quote.timeMs);
    if (quote.mode !== "live") headers = formatModeHeader(quote.mode);
  }
  // What is computed from them needs their history too.
  if (headers === "")
    headers = formatOriginHeader(
      origins,
      instruments.map(({ symbol }) => symbol),
    );
  return { updatedAt: Math.floor(newestMs / 1000), headers };
}

/** Bars that opened in [fromMs, toMs): the first of them where `fromMs` is given, else the latest; at most `limit`. */
export interface PastRange {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly limit: number;
}

interface PastReadings {
  readonly bars: readonly Bar[];
  /** Of each indicator at each bar. */
  readonly values: readonly (readonly (number | null)[])[];
  /** When the first bar opened that the range has beyond the limit; null without one. */
  readonly nextMs: number | null;
}

/** Throws 400 INVALID_RANGE unless the range ends after it begins. */
export function checkRange(fromMs: number | undefined, toMs: number | undefined): void {
  if (fromMs !== undefined && toMs !== undefined && toMs <= fromMs) {
    throw new ApiError("INVALID_RANGE", "to must be later than from, and is now unless given");
  }
}

/** Counts the bars between two times, started ones included. Bars have their length in weeks without a clock change. */
export function countBars(timeframe: Timeframe, fromMs: number, toMs: number): number {
  return Math.ceil((toMs - fromMs) / getBarMs(timeframe));
}

export function getBarMs(timeframe: Timeframe): number {
  const startMs = getBarStart(timeframe, 0);
  return getBarEnd(timeframe, startMs) - startMs;
}

/** Reads the closed bars of a range, oldest first, and the values of indicators at each of them, unrounded. */
export async function readPastReadings(
  history: BarHistory,
  { symbol, timeframe }: { readonly symbol: string; readonly timeframe: Timeframe },
  { fromMs, toMs, limit }: PastRange,
  indicators: readonly IndicatorDefinition[],
): Promise<PastReadings> {
  const { forming } = await history.readSeries(symbol, timeframe);
  const fillingFromMs = forming?.timeMs ?? Infinity;
  // One more than the limit, since the latest bar may still be filling.
  const found = await history.readRange(symbol, timeframe, {
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
    limit: limit + 1,
  });
  const closed = found.filter(({ timeMs }) => timeMs < fillingFromMs);
  const bars = fromMs === undefined ? closed.slice(-limit) : closed.slice(0, limit);
  const [first] = bars;
  const nextMs = fromMs === undefined ? null : (closed[limit]?.timeMs ?? null);
  if (first === undefined) return { bars, values: indicators.map(() => []), nextMs };
  const count = Math.max(...indicators.map((indicator) => indicator.warmUp));
  const before = await history.readBefore(symbol, timeframe, { toMs: first.timeMs, count });
  const all = [...before.closed, ...bars];
  const values = await slices.map(indicators, (indicator) =>
    runIndicator(indicator, all, before.past).slice(before.closed.length),
  );
  return { bars, values, nextMs };
}
