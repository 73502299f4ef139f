import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { runIndicator } from "@/lib/analytics/indicators/run";
import { ApiError } from "@/lib/api/engine/errors";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import { getBarEnd, getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { slices } from "@/lib/platform/timing/slices";

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
