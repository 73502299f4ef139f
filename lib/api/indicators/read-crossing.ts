import { CLOSE, type IndicatorCondition } from "@/lib/alerts/conditions";
import type { CrossingNow } from "@/lib/alerts/engine";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { extendSeries, getLatestReading, rateSeries } from "@/lib/api/indicators/latest-values";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { roundPrice } from "@/lib/market/price";
import { getBarEnd, readTimeframe } from "@/lib/market/timeframe";

/**
 * Reads what an alert on an indicator compares, with the values that `/v1/indicator` answers; null without a closed bar, and
 * while the newest one is outdated: a crossing of long ago is no news.
 */
export async function readCrossing(
  history: BarHistory,
  { symbol, timeframe: name, indicator, level, against }: IndicatorCondition,
  nowMs: number,
): Promise<CrossingNow | null> {
  const [instrument, timeframe] = [instrumentBySymbol.get(symbol), readTimeframe(name)];
  if (instrument === undefined || timeframe === undefined) return null;
  const series = await history.readSeries(symbol, timeframe);
  const latest = series.closed.at(-1);
  if (latest === undefined || rateSeries(series, instrument, timeframe, nowMs) === "outdated") return null;
  const read = async (each: string): Promise<number | null> => {
    if (each === CLOSE) return roundPrice(latest.close, instrument.digits);
    const definition = findIndicator(each);
    if (definition === undefined) return null;
    const longer = await extendSeries(history, instrument, timeframe, series, [definition]);
    return getLatestReading(definition, longer, instrument.digits);
  };
  const barEndMs = getBarEnd(timeframe, latest.timeMs);
  return {
    value: await read(indicator),
    against: against === null ? level : await read(against),
    barEndMs,
    nextCloseMs: getBarEnd(timeframe, barEndMs),
  };
}
