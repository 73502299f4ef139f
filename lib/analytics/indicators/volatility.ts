import { type IndicatorDefinition, noDirection, pickLine, type Stream } from "@/lib/analytics/indicators/definition";
import { bars, factor, type IndicatorFamily } from "@/lib/analytics/indicators/family";
import { SimpleAverage, Window } from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

const PERIOD = 20;
const DEVIATIONS = 2;

/**
 * Mean and population standard deviation of the latest closes (StdDev.mq5, BB.mq5). BB.mq5 hides its first bar although
 * its window is full; here it is shown, so that the middle of the bands equals a simple average everywhere.
 */
class Dispersion {
  readonly #closes: Window;
  mean: number | null = null;
  deviation: number | null = null;

  constructor(period = PERIOD) {
    this.#closes = new Window(period);
  }

  push(bar: Bar): void {
    if (!this.#closes.push(bar.close)) return;
    this.mean = this.#closes.mean();
    this.deviation = this.#closes.standardDeviation(this.mean);
  }

  /** The mean plus this many standard deviations. */
  band(deviations: number): number | null {
    return this.mean === null || this.deviation === null ? null : this.mean + deviations * this.deviation;
  }

  /** The distance between the bands that are this many standard deviations from the mean. */
  width(deviations: number): number | null {
    return this.deviation === null ? null : 2 * deviations * this.deviation;
  }

  /** That distance in per cent of the mean. */
  bandwidth(deviations: number): number | null {
    const width = this.width(deviations);
    return width === null || this.mean === null || this.mean === 0 ? null : 100 * (width / this.mean);
  }

  /** Where a price lies between those bands: 0 at the lower and 1 at the upper one; 0.5 if they are one line. */
  locate(price: number, deviations: number): number | null {
    if (this.mean === null || this.deviation === null) return null;
    return this.deviation === 0 ? 0.5 : 0.5 + (price - this.mean) / (2 * deviations * this.deviation);
  }

  /** The distance of a price from the mean in standard deviations; 0 if there is none. */
  score(price: number): number | null {
    if (this.mean === null || this.deviation === null) return null;
    return this.deviation === 0 ? 0 : (price - this.mean) / this.deviation;
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
    create: () => pickLine(new Dispersion(), (closes) => closes.width(DEVIATIONS)),
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

/** A line over the dispersion of closes, which also depends on the newest close. */
function createDispersion(period: number, read: (closes: Dispersion, close: number) => number | null): Stream {
  const closes = new Dispersion(period);
  return {
    push(bar) {
      closes.push(bar);
      return read(closes, bar.close);
    },
  };
}

type BandReader = (closes: Dispersion, close: number, deviations: number) => number | null;

const BANDS: Readonly<Record<string, BandReader>> = {
  upper: (closes, _, deviations) => closes.band(deviations),
  middle: (closes) => closes.mean,
  lower: (closes, _, deviations) => closes.band(-deviations),
  width: (closes, _, deviations) => closes.width(deviations),
  bandwidth: (closes, _, deviations) => closes.bandwidth(deviations),
  percentB: (closes, close, deviations) => closes.locate(close, deviations),
};
const BAND_DECIMALS: Readonly<Record<string, IndicatorDefinition["decimals"]>> = {
  width: "difference",
  bandwidth: "percent",
  percentB: "oscillator",
};

/** The measures of volatility with any period. */
export const volatilityFamilies: readonly IndicatorFamily[] = [
  {
    name: "BBands",
    title: "Bollinger bands",
    category: "volatility",
    formula:
      "SMA ± deviations × population standard deviation of `period` closes; width = upper − lower; " +
      "bandwidth = 100 × width / middle; percentB = (close − lower) / (upper − lower), 0.5 in a flat window",
    source: "MetaTrader 5 (BB.mq5); bandwidth and percentB: John Bollinger",
    parameters: [bars("period", 20), factor("deviations", 2)],
    lines: {
      upper: "upper band",
      middle: "middle line",
      lower: "lower band",
      width: "distance between the bands",
      bandwidth: "distance between the bands in per cent of the middle",
      percentB: "place of the close between the bands",
    },
    define: (period: number, deviations: number, line: string) => ({
      warmUp: period,
      range: null,
      decimals: BAND_DECIMALS[line] ?? "price",
      create: () => createDispersion(period, (closes, close) => (BANDS[line] as BandReader)(closes, close, deviations)),
    }),
  },
  {
    name: "ATR",
    title: "Average true range",
    category: "volatility",
    formula: "plain mean of max(high, previous close) − min(low, previous close) over `period` bars",
    source: "MetaTrader 5 (ATR.mq5); WilderATR smooths as Wilder, TradingView and TA-Lib do",
    parameters: [bars("period", 14, 1)],
    lines: { "": "" },
    define: (period: number) => ({
      warmUp: period + 1,
      range: null,
      decimals: "difference",
      create: () => createAtr(period),
    }),
  },
  {
    name: "StdDev",
    title: "Standard deviation of closes",
    category: "volatility",
    formula: "square root of the mean of (close − mean)² over `period` closes, dividing by `period`",
    source: "MetaTrader 5 (StdDev.mq5)",
    parameters: [bars("period", 20)],
    lines: { "": "" },
    define: (period: number) => ({
      warmUp: period,
      range: null,
      decimals: "difference",
      signal: noDirection,
      create: () => createDispersion(period, (closes) => closes.deviation),
    }),
  },
  {
    name: "ZScore",
    title: "Z-score of the close",
    category: "volatility",
    formula: "(close − mean) / population standard deviation of `period` closes; 0 in a flat window",
    source: "the standard score of statistics",
    parameters: [bars("period", 20)],
    lines: { "": "" },
    define: (period: number) => ({
      warmUp: period,
      range: null,
      decimals: "oscillator",
      create: () => createDispersion(period, (closes, close) => closes.score(close)),
    }),
  },
];
