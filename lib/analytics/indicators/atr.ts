import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { SimpleAverage } from "@/lib/analytics/indicators/smoothing";

/** Average true range (ATR.mq5): MetaTrader uses a simple mean, while Wilder and TA-Lib smooth. */
function createAtr(period: number): Stream {
  const mean = new SimpleAverage(period);
  let previousClose: number | null = null;
  return {
    push(bar) {
      const before = previousClose;
      previousClose = bar.close;
      return before === null ? null : mean.push(Math.max(bar.high, before) - Math.min(bar.low, before));
    },
  };
}

export const atr: readonly IndicatorDefinition[] = [14, 7].map((period) => ({
  name: `ATR_${period}`,
  aliases: [],
  category: "volatility",
  description: `Average true range of ${period} bars, in price units`,
  formula: `plain mean of max(high, previous close) − min(low, previous close) over ${period} bars`,
  warmUp: period + 1,
  range: null,
  decimals: "difference",
  shape: "B",
  create: () => createAtr(period),
}));
