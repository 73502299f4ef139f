import { getDecimals, type IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { computeLatest } from "@/lib/analytics/indicators/run";
import type { Bar } from "@/lib/market/bar";
import { roundPrice } from "@/lib/market/price";

/** What was read off a series, by the identity of its closed bars: the array is replaced whenever a bar closes. */
const known = new WeakMap<readonly Bar[], Map<IndicatorDefinition, number | null>>();

/**
 * The value at the latest closed bar as answers write it, null where the bars are too few; worked out once for each bar.
 *
 * @param digits of the symbol the bars belong to
 */
export function getLatestReading(
  indicator: IndicatorDefinition,
  closed: readonly Bar[],
  digits: number,
): number | null {
  let readings = known.get(closed);
  if (readings === undefined) known.set(closed, (readings = new Map()));
  let reading = readings.get(indicator);
  if (reading === undefined) {
    const value = computeLatest(indicator, closed);
    readings.set(indicator, (reading = value === null ? null : roundReading(value, indicator, digits)));
  }
  return reading;
}

/** A value with the decimals it is written with, for a symbol with so many digits. */
export function roundReading(value: number, indicator: IndicatorDefinition, digits: number): number {
  return roundPrice(value, getDecimals(indicator, digits));
}
