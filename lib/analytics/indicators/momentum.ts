import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { aroundLevel } from "@/lib/analytics/indicators/signals";
import { Window } from "@/lib/analytics/indicators/window";

/** Momentum (Momentum.mq5): a ratio around 100, not the difference that has this name in TA-Lib and TradingView. */
function createMomentum(period: number): Stream {
  const closes = new Window(period + 1);
  return {
    push(bar) {
      if (!closes.push(bar.close)) return null;
      const before = closes.oldest();
      return before === 0 ? null : 100 * (bar.close / before);
    },
  };
}

export const momentum: IndicatorDefinition = {
  name: "Momentum_14",
  aliases: [],
  category: "oscillator",
  description: "Momentum of 14 bars: the close in per cent of the close 14 bars before",
  formula: "100 × close / close 14 bars before",
  warmUp: 15,
  range: null,
  decimals: "oscillator",
  shape: "B",
  signal: aroundLevel(100),
  create: () => createMomentum(14),
};
