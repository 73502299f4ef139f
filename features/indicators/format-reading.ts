import { getDecimals, type IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { formatPrice } from "@/lib/market/price";
import { formatCount } from "@/lib/text/text";

/** Formats a value of an indicator with its decimals, for a symbol with `digits`. */
export function formatReading(value: number, indicator: IndicatorDefinition, digits: number): string {
  // Volumes run into the millions and need grouped digits.
  if (indicator.decimals === "volume") return formatCount(value);
  return formatPrice(value, getDecimals(indicator, digits));
}
