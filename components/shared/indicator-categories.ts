import type { IndicatorCategory } from "@/lib/analytics/indicators/definition";

/** The headings of lists of indicators, in their order. */
export const CATEGORY_TITLES: Readonly<Record<IndicatorCategory, string>> = {
  trend: "Trend",
  oscillator: "Oscillators",
  volatility: "Volatility",
  volume: "Volume",
};
