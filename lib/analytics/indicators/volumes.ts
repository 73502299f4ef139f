import {
  aroundLevel,
  beyondLevels,
  type IndicatorDefinition,
  type Stream,
} from "@/lib/analytics/indicators/definition";
import { bars, fadeExponential, type IndicatorFamily } from "@/lib/analytics/indicators/family";
import { createLine, ExponentialAverage, SimpleAverage, Window } from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

/**
 * Volume is tick volume, the number of price updates. OBV and AD add up from the first bar that was ever recorded of the
 * symbol and timeframe: only their changes have a meaning, not their level.
 */

/** On-balance volume (OBV.mq5). */
class OnBalanceVolume implements Stream {
  balance = 0;
  previousClose: number | null = null;

  push(bar: Bar): number {
    // The sample starts with the first bar's volume, as after a rise.
    if (this.previousClose === null || bar.close > this.previousClose) this.balance += bar.volume;
    else if (bar.close < this.previousClose) this.balance -= bar.volume;
    this.previousClose = bar.close;
    return this.balance;
  }
}

/** Accumulation/distribution (AD.mq5). A bar without range adds nothing. */
class Accumulation implements Stream {
  total = 0;

  push(bar: Bar): number {
    const range = bar.high - bar.low;
    if (range !== 0) this.total += ((bar.close - bar.low - (bar.high - bar.close)) / range) * bar.volume;
    return this.total;
  }
}

const shared = {
  aliases: [],
  category: "volume",
  warmUp: 1,
  range: null,
  decimals: "volume",
  shape: "B",
} satisfies Partial<IndicatorDefinition>;

export const onBalanceVolume: IndicatorDefinition = {
  ...shared,
  name: "OBV",
  description:
    "On-balance volume: updates of rising bars less those of falling bars, counted from the first bar ever recorded",
  formula: "previous + volume if the close rose, − volume if it fell; starts with the first bar's volume",
  isEndless: true,
  isSum: true,
  create: () => new OnBalanceVolume(),
};

export const accumulation: IndicatorDefinition = {
  ...shared,
  name: "AD",
  description:
    "Accumulation/distribution: volume weighted by where the bar closed, counted from the first bar ever recorded",
  formula: "previous + volume × ((close − low) − (high − close)) / (high − low)",
  isEndless: true,
  isSum: true,
  create: () => new Accumulation(),
};

export const volumes: IndicatorDefinition = {
  ...shared,
  name: "Volumes",
  description: "Tick volume: price updates in the bar",
  formula: "volume",
  create: () => ({ push: (bar) => bar.volume }),
};

/** Money flow index with tick volume (MFI.mq5). Without a falling bar it is 100, also without any movement. */
class MoneyFlow implements Stream {
  readonly #inflows: Window;
  readonly #outflows: Window;
  #previous: number | null = null;
  #isFlat = false;

  constructor(period: number) {
    this.#inflows = new Window(period);
    this.#outflows = new Window(period);
  }

  push(bar: Bar): number | null {
    const typical = (bar.high + bar.low + bar.close) / 3;
    const previous = this.#previous;
    this.#previous = typical;
    if (previous === null) return null;
    const flow = typical * bar.volume;
    this.#inflows.push(typical > previous ? flow : 0);
    if (!this.#outflows.push(typical < previous ? flow : 0)) return null;
    const inflow = this.#inflows.sum();
    const outflow = this.#outflows.sum();
    this.#isFlat = inflow === 0 && outflow === 0;
    return outflow === 0 ? 100 : 100 - 100 / (1 + inflow / outflow);
  }

  isFlat(): boolean {
    return this.#isFlat;
  }
}

export const moneyFlow: IndicatorDefinition = {
  name: "MFI_14",
  aliases: [],
  category: "volume",
  description: "Money flow index of 14 bars: tick volume of rising bars against falling ones",
  formula:
    "100 − 100 / (1 + inflow / outflow); sums of typical price × volume over 14 bars whose typical price rose, fell",
  warmUp: 15,
  range: [0, 100],
  decimals: "oscillator",
  shape: "B",
  signal: beyondLevels(20, 80),
  create: () => new MoneyFlow(14),
};

/** Where the close lies in its bar, −1 to 1; 0 without range. */
function locateClose({ high, low, close }: Bar): number {
  return high === low ? 0 : (close - low - (high - close)) / (high - low);
}

function createChaikinMoneyFlow(period: number): Stream {
  const flows = new Window(period);
  const totals = new Window(period);
  return createLine((bar) => {
    flows.push(locateClose(bar) * bar.volume);
    if (!totals.push(bar.volume)) return null;
    const total = totals.sum();
    return total === 0 ? 0 : Math.max(-1, Math.min(1, flows.sum() / total));
  });
}

function createChaikinOscillator(fast: number, slow: number): Stream {
  const line = new Accumulation();
  const quick = new ExponentialAverage(fast);
  const calm = new ExponentialAverage(slow);
  return createLine((bar) => {
    const total = line.push(bar);
    const near = quick.push(total);
    const far = calm.push(total);
    return near === null || far === null ? null : near - far;
  });
}

function createEaseOfMovement(period: number): Stream {
  const mean = new SimpleAverage(period);
  let before: number | null = null;
  return createLine(({ high, low, volume }) => {
    const median = (high + low) / 2;
    const previous = before;
    before = median;
    if (previous === null) return null;
    return mean.push(volume === 0 ? 0 : ((median - previous) * (high - low) * EASE_SCALE) / volume);
  });
}

/** Volumes of shares are counted in hundreds of millions. */
const EASE_SCALE = 100_000_000;

function createForce(period: number): Stream {
  const average = new ExponentialAverage(period);
  let before: number | null = null;
  return createLine(({ close, volume }) => {
    const previous = before;
    before = close;
    return previous === null ? null : average.push((close - previous) * volume);
  });
}

function createElderRay(period: number, line: string): Stream {
  const average = new ExponentialAverage(period);
  return createLine(({ high, low, close }) => {
    const middle = average.push(close);
    return middle === null ? null : (line === "bull" ? high : low) - middle;
  });
}

export const volumeFamilies: readonly IndicatorFamily[] = [
  {
    name: "MFI",
    title: "Money flow index with tick volume",
    category: "volume",
    formula:
      "100 − 100 / (1 + inflow / outflow); sums of typical price × volume over `period` bars whose typical price rose, fell",
    source: "MetaTrader 5 (MFI.mq5)",
    parameters: [bars("period", 14)],
    lines: { "": "" },
    define: (period: number) => ({
      warmUp: period + 1,
      range: [0, 100],
      decimals: "oscillator",
      signal: beyondLevels(20, 80),
      create: () => new MoneyFlow(period),
    }),
  },
  {
    name: "CMF",
    title: "Chaikin money flow with tick volume",
    category: "volume",
    formula:
      "sum of volume × ((close − low) − (high − close)) / (high − low) / sum of volume over `period` bars; 0 without volume, and for a bar without range",
    source: "Marc Chaikin; as StockCharts computes it",
    parameters: [bars("period", 20, 1)],
    lines: { "": "" },
    define: (period: number) => ({
      warmUp: period,
      range: [-1, 1],
      decimals: "oscillator",
      signal: aroundLevel(0),
      create: () => createChaikinMoneyFlow(period),
    }),
  },
  {
    name: "ChaikinOsc",
    title: "Chaikin oscillator with tick volume",
    category: "volume",
    formula: "EMA of `fast` − EMA of `slow` of accumulation/distribution",
    source: "Marc Chaikin; MetaTrader 5 (iChaikin, MODE_EMA)",
    parameters: [bars("fast", 3, 1), bars("slow", 10)],
    lines: { "": "" },
    rule: { text: "fast must be below slow", holds: (fast: number, slow: number) => fast < slow },
    define: (fast: number, slow: number) => ({
      warmUp: slow,
      lookback: fadeExponential(slow),
      range: null,
      decimals: "volume",
      signal: aroundLevel(0),
      create: () => createChaikinOscillator(fast, slow),
    }),
  },
  {
    name: "EMV",
    title: "Ease of movement with tick volume",
    category: "volume",
    formula:
      "mean of `period` values of (median − previous median) × (high − low) × 100,000,000 / volume, 0 without volume; median = (high + low) / 2",
    source: "Richard Arms; as StockCharts computes it",
    parameters: [bars("period", 14, 1)],
    lines: { "": "" },
    define: (period: number) => ({
      warmUp: period + 1,
      range: null,
      decimals: "percent",
      signal: aroundLevel(0),
      create: () => createEaseOfMovement(period),
    }),
  },
  {
    name: "ForceIndex",
    title: "Force index with tick volume",
    category: "volume",
    formula: "EMA of `period` values of (close − previous close) × volume",
    source: "Alexander Elder; as StockCharts computes it",
    parameters: [bars("period", 13, 1)],
    lines: { "": "" },
    define: (period: number) => ({
      warmUp: period + 1,
      lookback: fadeExponential(period),
      range: null,
      decimals: "percent",
      signal: aroundLevel(0),
      create: () => createForce(period),
    }),
  },
  {
    name: "ElderRay",
    title: "Elder ray",
    category: "oscillator",
    formula: "bull: high − EMA of `period` closes; bear: low − that EMA",
    source: "Alexander Elder; MetaTrader 5 (iBullsPower, iBearsPower)",
    parameters: [bars("period", 13)],
    lines: { bull: "bull power", bear: "bear power" },
    define: (period: number, line: string) => ({
      warmUp: period,
      lookback: fadeExponential(period),
      range: null,
      decimals: "difference",
      signal: aroundLevel(0),
      create: () => createElderRay(period, line),
    }),
  },
];
