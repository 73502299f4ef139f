import { getDecimals, type IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { computeLatest } from "@/lib/analytics/indicators/run";
import type { BarSeries } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import { roundPrice } from "@/lib/market/price";

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
