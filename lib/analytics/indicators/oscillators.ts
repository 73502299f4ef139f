import {
  aroundLevel,
  beyondLevels,
  type IndicatorDefinition,
  type Stream,
} from "@/lib/analytics/indicators/definition";
import { bars, fadeWilder, type IndicatorFamily, LONGEST_WILDER } from "@/lib/analytics/indicators/family";
import { SimpleAverage, WilderAverage, Window } from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

/** Relative strength index (RSI.mq5). Without a fall it is 100; without any movement, 50. */
export class Rsi implements Stream {
  readonly rises: WilderAverage;
  readonly falls: WilderAverage;
  previousClose: number | null = null;

  constructor(period: number) {
    this.rises = new WilderAverage(period);
    this.falls = new WilderAverage(period);
  }

  push(bar: Bar): number | null {
    const change = this.previousClose === null ? null : bar.close - this.previousClose;
    this.previousClose = bar.close;
    if (change === null) return null;
    const rise = this.rises.push(Math.max(change, 0));
    const fall = this.falls.push(Math.max(-change, 0));
    if (rise === null || fall === null) return null;
    if (fall === 0) return rise === 0 ? 50 : 100;
    return 100 - 100 / (1 + rise / fall);
  }
}

export const rsi: IndicatorDefinition = {
  name: "RSI_14",
  aliases: [],
  category: "oscillator",
  description: "Relative strength index of 14 bars: rises against falls of the close",
  formula:
    "100 − 100 / (1 + average rise / average fall), Wilder's averages seeded with plain means; 50 without movement",
  warmUp: 15,
  range: [0, 100],
  decimals: "oscillator",
  shape: "B",
  signal: beyondLevels(30, 70),
  isEndless: true,
  create: () => new Rsi(14),
};

const K_PERIOD = 5;
const SLOWING = 3;
const D_PERIOD = 3;

/**
 * %K of the stochastic oscillator (Stochastic.mq5): a ratio of sums over the bars of the slowing, while most other
 * implementations use the mean of the ratios. 100 if those bars have no range.
 */
class StochasticK implements Stream {
  readonly #highs: Window;
  readonly #lows: Window;
  readonly #heights: Window;
  readonly #ranges: Window;
  #isFlat = false;

  constructor(period: number, slowing: number) {
    this.#highs = new Window(period);
    this.#lows = new Window(period);
    this.#heights = new Window(slowing);
    this.#ranges = new Window(slowing);
  }

  push(bar: Bar): number | null {
    this.#highs.push(bar.high);
    if (!this.#lows.push(bar.low)) return null;
    const lowest = this.#lows.lowest();
    this.#heights.push(bar.close - lowest);
    if (!this.#ranges.push(this.#highs.highest() - lowest)) return null;
    const range = this.#ranges.sum();
    this.#isFlat = range === 0;
    return this.#isFlat ? 100 : 100 * (this.#heights.sum() / range);
  }

  isFlat(): boolean {
    return this.#isFlat;
  }
}

/** %D: the mean of the latest values of %K. */
class StochasticD implements Stream {
  readonly #k: StochasticK;
  readonly #mean: SimpleAverage;

  constructor(period: number, slowing: number, meanOf: number) {
    this.#k = new StochasticK(period, slowing);
    this.#mean = new SimpleAverage(meanOf);
  }

  push(bar: Bar): number | null {
    const k = this.#k.push(bar);
    return k === null ? null : this.#mean.push(k);
  }

  isFlat(): boolean {
    return this.#k.isFlat();
  }
}

const shared = {
  aliases: [],
  category: "oscillator",
  range: [0, 100],
  decimals: "oscillator",
  shape: "B",
  signal: beyondLevels(20, 80),
} satisfies Partial<IndicatorDefinition>;

export const stochastic: readonly IndicatorDefinition[] = [
  {
    ...shared,
    name: "Stochastic_K",
    description: "Stochastic oscillator 5/3/3, main line: where the close lies in the range of 5 bars",
    formula:
      "100 × sum of 3 (close − lowest low of 5) / sum of 3 (highest high of 5 − lowest low of 5); 100 without range",
    warmUp: K_PERIOD + SLOWING - 1,
    create: () => new StochasticK(K_PERIOD, SLOWING),
  },
  {
    ...shared,
    name: "Stochastic_D",
    description: "Stochastic oscillator 5/3/3, signal line: average of the main line",
    formula: "mean of the latest 3 values of Stochastic_K",
    warmUp: K_PERIOD + SLOWING + D_PERIOD - 2,
    create: () => new StochasticD(K_PERIOD, SLOWING, D_PERIOD),
  },
];

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

/** Williams' percent range (WPR.mq5). A window without range repeats the previous value, 0 if there is none yet. */
class WilliamsR implements Stream {
  readonly highs: Window;
  readonly lows: Window;
  value = 0;
  flat = false;

  constructor(period: number) {
    this.highs = new Window(period);
    this.lows = new Window(period);
  }

  push(bar: Bar): number | null {
    this.highs.push(bar.high);
    if (!this.lows.push(bar.low)) return null;
    const highest = this.highs.highest();
    const range = highest - this.lows.lowest();
    this.flat = range === 0;
    if (!this.flat) this.value = 0 - 100 * ((highest - bar.close) / range);
    return this.value;
  }

  isFlat(): boolean {
    return this.flat;
  }
}

export const williamsR: IndicatorDefinition = {
  name: "WilliamsR_14",
  aliases: ["Williams_R_14"],
  category: "oscillator",
  description: "Williams' percent range of 14 bars: how far the close lies below the highest high",
  formula: "−100 × (highest high − close) / (highest high − lowest low) of 14 bars; the previous value without range",
  warmUp: 14,
  range: [-100, 0],
  decimals: "oscillator",
  shape: "A",
  signal: beyondLevels(-80, -20),
  isEndless: true,
  create: () => new WilliamsR(14),
};

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

/**
 * DeMarker (DeMarker.mq5): rises of the highs against falls of the lows. 0 without either, and then without a signal.
 */
class DeMarker implements Stream {
  readonly #rises: Window;
  readonly #falls: Window;
  #previous: Bar | null = null;
  #isFlat = false;

  constructor(period: number) {
    this.#rises = new Window(period);
    this.#falls = new Window(period);
  }

  push(bar: Bar): number | null {
    const previous = this.#previous;
    this.#previous = bar;
    if (previous === null) return null;
    this.#rises.push(Math.max(bar.high - previous.high, 0));
    if (!this.#falls.push(Math.max(previous.low - bar.low, 0))) return null;
    const rises = this.#rises.sum();
    const total = rises + this.#falls.sum();
    this.#isFlat = total === 0;
    return this.#isFlat ? 0 : rises / total;
  }

  isFlat(): boolean {
    return this.#isFlat;
  }
}

export const deMarker: IndicatorDefinition = {
  name: "DeMarker_14",
  aliases: [],
  category: "oscillator",
  description: "DeMarker of 14 bars: rises of the highs against falls of the lows",
  formula:
    "sum of max(high − previous high, 0) / (that sum + sum of max(previous low − low, 0)) of 14 bars; 0 without either",
  warmUp: 15,
  range: [0, 1],
  decimals: "oscillator",
  shape: "B",
  signal: beyondLevels(0.3, 0.7),
  create: () => new DeMarker(14),
};

const alone = { "": "" };

/** The oscillators with any period. */
export const oscillatorFamilies: readonly IndicatorFamily[] = [
  {
    name: "RSI",
    title: "Relative strength index",
    category: "oscillator",
    formula: rsi.formula,
    source: "MetaTrader 5 (RSI.mq5)",
    parameters: [bars("period", 14, 2, LONGEST_WILDER)],
    lines: alone,
    define: (period: number) => ({
      warmUp: period + 1,
      lookback: period + fadeWilder(period),
      range: [0, 100],
      decimals: "oscillator",
      signal: beyondLevels(30, 70),
      create: () => new Rsi(period),
    }),
  },
  {
    name: "Stochastic",
    title: "Stochastic oscillator",
    category: "oscillator",
    formula:
      "K: 100 × sum of `slowing` (close − lowest low of `k`) / sum of `slowing` (highest high of `k` − lowest low of `k`), " +
      "100 without range; D: mean of the latest `d` values of K",
    source: "MetaTrader 5 (Stochastic.mq5), with the order of its parameters",
    parameters: [bars("k", 5, 1), bars("d", 3, 1, 100), bars("slowing", 3, 1, 100)],
    lines: { K: "main line", D: "signal line" },
    define: (k: number, d: number, slowing: number, line: string) => ({
      warmUp: k + slowing - 1 + (line === "D" ? d - 1 : 0),
      range: [0, 100],
      decimals: "oscillator",
      signal: beyondLevels(20, 80),
      create: () => (line === "D" ? new StochasticD(k, slowing, d) : new StochasticK(k, slowing)),
    }),
  },
  {
    name: "CCI",
    title: "Commodity channel index",
    category: "oscillator",
    formula:
      "(typical − mean) / (0.015 × mean deviation) of (high + low + close) / 3 over `period` bars; 0 in a flat window",
    source: "MetaTrader 5 (CCI.mq5)",
    parameters: [bars("period", 14)],
    lines: alone,
    define: (period: number) => ({
      warmUp: period,
      range: null,
      decimals: "oscillator",
      signal: beyondLevels(-100, 100),
      create: () => createCci(period),
    }),
  },
  {
    name: "WilliamsR",
    title: "Williams' percent range",
    category: "oscillator",
    formula:
      "−100 × (highest high − close) / (highest high − lowest low) of `period` bars; the previous value without range",
    source: "MetaTrader 5 (WPR.mq5)",
    parameters: [bars("period", 14)],
    lines: alone,
    define: (period: number) => ({
      warmUp: period,
      // Only where there is no range it repeats a value of before.
      lookback: 2 * period + 100,
      range: [-100, 0],
      decimals: "oscillator",
      signal: beyondLevels(-80, -20),
      create: () => new WilliamsR(period),
    }),
  },
  {
    name: "Momentum",
    title: "Momentum: the close in per cent of an earlier close",
    category: "oscillator",
    formula: "100 × close / close `period` bars before",
    source: "MetaTrader 5 (Momentum.mq5); others show the difference",
    parameters: [bars("period", 14, 1)],
    lines: alone,
    define: (period: number) => ({
      warmUp: period + 1,
      range: null,
      decimals: "oscillator",
      signal: aroundLevel(100),
      create: () => createMomentum(period),
    }),
  },
  {
    name: "DeMarker",
    title: "DeMarker",
    category: "oscillator",
    formula:
      "sum of max(high − previous high, 0) / (that sum + sum of max(previous low − low, 0)) of `period` bars; 0 without either",
    source: "MetaTrader 5 (DeMarker.mq5)",
    parameters: [bars("period", 14)],
    lines: alone,
    define: (period: number) => ({
      warmUp: period + 1,
      range: [0, 1],
      decimals: "oscillator",
      signal: beyondLevels(0.3, 0.7),
      create: () => new DeMarker(period),
    }),
  },
];
