import { type IndicatorDefinition, noDirection, pickLine, type Stream } from "@/lib/analytics/indicators/definition";
import { SimpleAverage, Window } from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

const PERIOD = 20;
const DEVIATIONS = 2;

/**
 * Mean and population standard deviation of the latest 20 closes (StdDev.mq5, BB.mq5). BB.mq5 hides its first bar
 * although its window is full; here it is shown, so that BB_middle equals SMA_20 everywhere.
 */
class Dispersion {
  readonly #closes = new Window(PERIOD);
  mean: number | null = null;
  deviation: number | null = null;

  push(bar: Bar): void {
    if (!this.#closes.push(bar.close)) return;
    this.mean = this.#closes.mean();
    this.deviation = this.#closes.standardDeviation(this.mean);
  }

  /** The mean plus this many standard deviations. */
  band(deviations: number): number | null {
    return this.mean === null || this.deviation === null ? null : this.mean + deviations * this.deviation;
  }

  get width(): number | null {
    return this.deviation === null ? null : 2 * DEVIATIONS * this.deviation;
  }
}

const shared = {
  aliases: [],
  category: "volatility",
  warmUp: PERIOD,
  range: null,
  decimals: "price",
  shape: "B",
} satisfies Partial<IndicatorDefinition>;

export const bollinger: readonly IndicatorDefinition[] = [
  {
    ...shared,
    name: "BB_upper",
    description: "Bollinger bands 20/2, upper band",
    formula: "SMA_20 + 2 × StdDev_20",
    create: () => pickLine(new Dispersion(), (closes) => closes.band(DEVIATIONS)),
  },
  {
    ...shared,
    name: "BB_middle",
    description: "Bollinger bands 20/2, middle line",
    formula: "SMA_20",
    create: () => pickLine(new Dispersion(), (closes) => closes.mean),
  },
  {
    ...shared,
    name: "BB_lower",
    description: "Bollinger bands 20/2, lower band",
    formula: "SMA_20 − 2 × StdDev_20",
    create: () => pickLine(new Dispersion(), (closes) => closes.band(-DEVIATIONS)),
  },
  {
    ...shared,
    name: "BB_width",
    description: "Bollinger bands 20/2, distance between the bands in price units",
    formula: "BB_upper − BB_lower",
    decimals: "difference",
    create: () => pickLine(new Dispersion(), (closes) => closes.width),
  },
];

export const standardDeviation: IndicatorDefinition = {
  ...shared,
  name: "StdDev_20",
  description: "Standard deviation of 20 closes, in price units",
  formula: "square root of the mean of (close − SMA_20)², dividing by 20",
  decimals: "difference",
  signal: noDirection,
  create: () => pickLine(new Dispersion(), (closes) => closes.deviation),
};

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
