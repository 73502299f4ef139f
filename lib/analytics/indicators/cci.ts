import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { beyondLevels } from "@/lib/analytics/indicators/signals";
import { Window } from "@/lib/analytics/indicators/window";

/**
 * Commodity channel index of the typical price (high + low + close) / 3 (CCI.mq5). In a flat window rounding leaves a
 * tiny deviation, for which the plain formula, also in MetaTrader, yields ±66.67; here a flat window is 0.
 */
function createCci(period: number): Stream {
  const window = new Window(period);
  return {
    push(bar) {
      const typical = (bar.high + bar.low + bar.close) / 3;
      if (!window.push(typical)) return null;
      const mean = window.mean();
      const deviation = window.meanDeviation(mean);
      return deviation === 0 ? 0 : (typical - mean) / (0.015 * deviation);
    },
  };
}

function defineCci(period: number, shape: "A" | "B"): IndicatorDefinition {
  return {
    name: `CCI_${period}`,
    aliases: [],
    category: "oscillator",
    description: `Commodity channel index of ${period} bars: distance of the price from its mean in mean deviations`,
    formula: `(typical − mean) / (0.015 × mean deviation) of (high + low + close) / 3 over ${period} bars; 0 in a flat window`,
    warmUp: period,
    range: null,
    decimals: "oscillator",
    shape,
    signal: beyondLevels(-100, 100),
    create: () => createCci(period),
  };
}

export const cci: readonly IndicatorDefinition[] = [defineCci(14, "A"), defineCci(20, "B")];
