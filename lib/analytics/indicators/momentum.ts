import { createLinearAverage } from "@/lib/analytics/indicators/averages";
import { createTrueRange } from "@/lib/analytics/indicators/channels";
import {
  aroundLevel,
  beyondLevels,
  type IndicatorDefinition,
  type Stream,
} from "@/lib/analytics/indicators/definition";
import { bars, fadeExponential, fadeWilder, type IndicatorFamily } from "@/lib/analytics/indicators/family";
import { Rsi } from "@/lib/analytics/indicators/oscillators";
import {
  createLine,
  ExponentialAverage,
  ExponentialChain,
  type Filter,
  SimpleAverage,
  Window,
} from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

/** How fast and in which direction the price moves. */

/** The change over `period` numbers in per cent. */
function createRateOfChange(period: number): Filter {
  const window = new Window(period + 1);
  return {
    push(value) {
      if (!window.push(value)) return null;
      const before = window.oldest();
      return before === 0 ? 0 : 100 * ((value - before) / before);
    },
  };
}

/** Lines of a value and an average of it: the average follows once the value is shown. */
function createPair(value: (bar: Bar) => number | null, average: Filter, line: string): Stream {
  return createLine((bar) => {
    const main = value(bar);
    const signal = main === null ? null : average.push(main);
    if (line === "main" || main === null || signal === null) return line === "main" ? main : null;
    return line === "signal" ? signal : main - signal;
  });
}

function createPriceOscillator(fast: number, slow: number): (bar: Bar) => number | null {
  const quick = new ExponentialAverage(fast);
  const calm = new ExponentialAverage(slow);
  return ({ close }) => {
    const near = quick.push(close);
    const far = calm.push(close);
    return near === null || far === null ? null : far === 0 ? 0 : 100 * ((near - far) / far);
  };
}

function createTrix(period: number): Stream {
  const chain = new ExponentialChain([period, period, period]);
  const change = createRateOfChange(1);
  return createLine(({ close }) => {
    const smooth = chain.push(close);
    return smooth === null ? null : change.push(smooth);
  });
}

function createTrueStrength(long: number, short: number): (bar: Bar) => number | null {
  const moves = new ExponentialChain([long, short]);
  const sizes = new ExponentialChain([long, short]);
  let before: number | null = null;
  return ({ close }) => {
    const change = before === null ? null : close - before;
    before = close;
    if (change === null) return null;
    const move = moves.push(change);
    const size = sizes.push(Math.abs(change));
    if (move === null || size === null) return null;
    return size === 0 ? 0 : Math.max(-100, Math.min(100, 100 * (move / size)));
  };
}

/** In a market that stopped, the RSI still varies in its last digits. */
const RSI_NOISE = 1e-9;

function createStochasticRsi(rsiPeriod: number, period: number, k: number, d: number, line: string): Stream {
  const rsi = new Rsi(rsiPeriod);
  const window = new Window(period);
  const main = new SimpleAverage(k);
  const signal = new SimpleAverage(d);
  return createLine((bar) => {
    const value = rsi.push(bar);
    if (value === null || !window.push(value)) return null;
    const lowest = window.lowest();
    const range = window.highest() - lowest;
    const smooth = main.push(range <= RSI_NOISE ? 50 : 100 * ((value - lowest) / range));
    const shown = line === "K" || smooth === null ? smooth : signal.push(smooth);
    return shown === null ? null : Math.max(0, Math.min(100, shown));
  });
}

function createUltimate(periods: readonly number[]): Stream {
  const parts = periods.map((period) => ({ pressure: new Window(period), range: new Window(period) }));
  let before: number | null = null;
  return createLine(({ high, low, close }) => {
    const previous = before;
    before = close;
    if (previous === null) return null;
    const bottom = Math.min(low, previous);
    let isFull = true;
    for (const { pressure, range } of parts) {
      pressure.push(close - bottom);
      isFull = range.push(Math.max(high, previous) - bottom) && isFull;
    }
    if (!isFull) return null;
    const [short = 0, middle = 0, long = 0] = parts.map(({ pressure, range }) => {
      const total = range.sum();
      return total === 0 ? 0.5 : pressure.sum() / total;
    });
    return Math.max(0, Math.min(100, (100 * (4 * short + 2 * middle + long)) / 7));
  });
}

/** Bill Williams' oscillators of median prices. */
function createAwesome(fast: number, slow: number): (bar: Bar) => number | null {
  const quick = new SimpleAverage(fast);
  const calm = new SimpleAverage(slow);
  return ({ high, low }) => {
    const median = (high + low) / 2;
    const near = quick.push(median);
    const far = calm.push(median);
    return near === null || far === null ? null : near - far;
  };
}

function createDetrended(period: number): Stream {
  const shift = Math.floor(period / 2) + 1;
  const earlier = new Window(shift + 1);
  const average = new SimpleAverage(period);
  return createLine(({ close }) => {
    const isFull = earlier.push(close);
    const mean = average.push(close);
    return mean === null || !isFull ? null : earlier.oldest() - mean;
  });
}

function createCoppock(smoothing: number, long: number, short: number): Stream {
  const far = createRateOfChange(long);
  const near = createRateOfChange(short);
  const average = createLinearAverage(smoothing);
  return createLine(({ close }) => {
    const one = far.push(close);
    const other = near.push(close);
    return one === null || other === null ? null : average.push(one + other);
  });
}

/** Rates of change and their averages, by rising weight. */
const KNOW_SURE = [
  [10, 10],
  [15, 10],
  [20, 10],
  [30, 15],
] as const;
const KNOW_SURE_WARM_UP = 45;

function createKnowSure(): (bar: Bar) => number | null {
  const parts = KNOW_SURE.map(([change, smoothing]) => ({
    change: createRateOfChange(change),
    average: new SimpleAverage(smoothing),
  }));
  return ({ close }) => {
    let sum: number | null = 0;
    parts.forEach(({ change, average }, i) => {
      const rate = change.push(close);
      const smooth = rate === null ? null : average.push(rate);
      sum = smooth === null || sum === null ? null : sum + (i + 1) * smooth;
    });
    return sum;
  };
}

function createFisher(period: number, line: string): Stream {
  const medians = new Window(period);
  let position = 0;
  let fisher = 0;
  let count = 0;
  return createLine(({ high, low }) => {
    const median = (high + low) / 2;
    if (!medians.push(median)) return null;
    const lowest = medians.lowest();
    const range = medians.highest() - lowest;
    const place = range === 0 ? 0 : (median - lowest) / range - 0.5;
    const next = 0.66 * place + 0.67 * position;
    position = next > 0.99 ? 0.999 : next < -0.99 ? -0.999 : next;
    const before = fisher;
    fisher = 0.5 * Math.log((1 + position) / (1 - position)) + 0.5 * before;
    count += 1;
    return line === "main" ? fisher : count > 1 ? before : null;
  });
}

function createChande(period: number): Stream {
  const rises = new Window(period);
  const falls = new Window(period);
  let before: number | null = null;
  return createLine(({ close }) => {
    const change = before === null ? null : close - before;
    before = close;
    if (change === null) return null;
    rises.push(Math.max(change, 0));
    if (!falls.push(Math.max(-change, 0))) return null;
    const [up, down] = [rises.sum(), falls.sum()];
    return up + down === 0 ? 0 : 100 * ((up - down) / (up + down));
  });
}

function createAroon(period: number, line: string): Stream {
  const highs = new Window(period + 1);
  const lows = new Window(period + 1);
  return createLine(({ high, low }) => {
    highs.push(high);
    if (!lows.push(low)) return null;
    const up = (100 * highs.values.lastIndexOf(highs.highest())) / period;
    const down = (100 * lows.values.lastIndexOf(lows.lowest())) / period;
    return line === "up" ? up : line === "down" ? down : up - down;
  });
}

function createVortex(period: number, line: string): Stream {
  const moves = new Window(period);
  const ranges = new Window(period);
  const range = createTrueRange({ push: (value) => value });
  let before: Bar | null = null;
  return createLine((bar) => {
    const previous = before;
    before = bar;
    const size = range(bar);
    if (previous === null || size === null) return null;
    moves.push(line === "plus" ? Math.abs(bar.high - previous.low) : Math.abs(bar.low - previous.high));
    if (!ranges.push(size)) return null;
    const total = ranges.sum();
    return total === 0 ? 1 : moves.sum() / total;
  });
}

function createMassIndex(smoothing: number, period: number): Stream {
  const once = new ExponentialAverage(smoothing);
  const twice = new ExponentialAverage(smoothing);
  const ratios = new Window(period);
  return createLine(({ high, low }) => {
    const single = once.push(high - low);
    const double = single === null ? null : twice.push(single);
    if (single === null || double === null) return null;
    return ratios.push(double === 0 ? 1 : single / double) ? ratios.sum() : null;
  });
}

function createChoppiness(period: number): Stream {
  const highs = new Window(period);
  const lows = new Window(period);
  const ranges = new Window(period);
  const range = createTrueRange({ push: (value) => value });
  return createLine((bar) => {
    highs.push(bar.high);
    lows.push(bar.low);
    const size = range(bar);
    if (size === null || !ranges.push(size)) return null;
    const reach = highs.highest() - lows.lowest();
    return reach === 0 ? 100 : Math.max(0, (100 * Math.log10(ranges.sum() / reach)) / Math.log10(period));
  });
}

function createHistoricalVolatility(period: number, yearly: number): Stream {
  const returns = new Window(period);
  let before: number | null = null;
  return createLine(({ close }) => {
    const previous = before;
    before = close;
    if (previous === null || !returns.push(Math.log(close / previous))) return null;
    const mean = returns.mean();
    return 100 * Math.sqrt((returns.standardDeviation(mean) ** 2 * period * yearly) / (period - 1));
  });
}

type Look = Pick<IndicatorDefinition, "range" | "decimals" | "signal">;
const percent: Look = { range: null, decimals: "percent", signal: aroundLevel(0) };
const difference: Look = { range: null, decimals: "difference", signal: aroundLevel(0) };
const bounded = (lowest: number, highest: number, low: number, high: number): Look => ({
  range: [lowest, highest],
  decimals: "oscillator",
  signal: beyondLevels(low, high),
});
const alone = { "": "" };
const pair = { main: "main line", signal: "signal line" };
const withHistogram = { ...pair, hist: "histogram" };
const fastBelowSlow = { text: "fast must be below slow", holds: (fast: number, slow: number) => fast < slow };
const followed = (signal: number, line: string) => (line === "main" ? 0 : signal - 1);

/** Oscillators of closes and ranges. */
const oscillators: readonly IndicatorFamily[] = [
  {
    name: "ROC",
    title: "Rate of change in per cent",
    category: "oscillator",
    formula: "100 × (close / close `period` bars before − 1)",
    source: "StockCharts and TA-Lib; Momentum is 100 more",
    parameters: [bars("period", 12, 1)],
    lines: alone,
    define: (period: number) => ({
      warmUp: period + 1,
      ...percent,
      create: () => {
        const change = createRateOfChange(period);
        return createLine(({ close }) => change.push(close));
      },
    }),
  },
  {
    name: "PPO",
    title: "Percentage price oscillator",
    category: "oscillator",
    formula:
      "main: 100 × (EMA of `fast` − EMA of `slow`) / EMA of `slow`; signal: EMA of `signal` of it; hist: main − signal",
    source: "StockCharts; averages are seeded with the first number",
    parameters: [bars("fast", 12, 1), bars("slow", 26), bars("signal", 9, 1, 100)],
    lines: withHistogram,
    rule: fastBelowSlow,
    define: (fast: number, slow: number, signal: number, line: string) => ({
      warmUp: slow + followed(signal, line),
      lookback: fadeExponential(slow, signal),
      ...percent,
      create: () => createPair(createPriceOscillator(fast, slow), new ExponentialAverage(signal), line),
    }),
  },
  {
    name: "TRIX",
    title: "Rate of change of a triple exponential average",
    category: "oscillator",
    formula:
      "change in per cent, from bar to bar, of the EMA of the EMA of the EMA of `period` closes, each from where the one before is first shown",
    source: "Jack Hutson; as StockCharts computes it",
    parameters: [bars("period", 15, 2, 200)],
    lines: alone,
    define: (period: number) => ({
      warmUp: 3 * period - 1,
      lookback: fadeExponential(period, period, period),
      ...percent,
      create: () => createTrix(period),
    }),
  },
  {
    name: "TSI",
    title: "True strength index",
    category: "oscillator",
    formula:
      "main: 100 × EMA of `short` of EMA of `long` changes of the close / the same of their sizes, 0 without any; signal: EMA of `signal` of it",
    source: "William Blau; as StockCharts computes it",
    parameters: [bars("long", 25, 2, 200), bars("short", 13, 2, 200), bars("signal", 7, 1, 100)],
    lines: pair,
    define: (long: number, short: number, signal: number, line: string) => ({
      warmUp: long + short + followed(signal, line),
      lookback: fadeExponential(long, short, signal),
      range: [-100, 100],
      decimals: "oscillator",
      signal: aroundLevel(0),
      create: () => createPair(createTrueStrength(long, short), new ExponentialAverage(signal), line),
    }),
  },
  {
    name: "StochRSI",
    title: "Stochastic of the relative strength index",
    category: "oscillator",
    formula:
      "K: mean of `k` values of 100 × (RSI − its lowest of `stoch`) / (its highest − its lowest), 50 without range; D: mean of `d` values of K. RSI of `rsi`",
    source: "Tushar Chande and Stanley Kroll; smoothed as TradingView does",
    parameters: [bars("rsi", 14, 2, 200), bars("stoch", 14, 2, 100), bars("k", 3, 1, 50), bars("d", 3, 1, 50)],
    lines: { K: "main line", D: "signal line" },
    define: (rsi: number, stoch: number, k: number, d: number, line: string) => ({
      warmUp: rsi + stoch + k - 1 + (line === "D" ? d - 1 : 0),
      lookback: fadeWilder(rsi) + rsi + stoch + k + d,
      ...bounded(0, 100, 20, 80),
      create: () => createStochasticRsi(rsi, stoch, k, d, line),
    }),
  },
  {
    name: "Ultimate",
    title: "Ultimate oscillator",
    category: "oscillator",
    formula:
      "100 × (4 × A + 2 × B + C) / 7; each is the sum of close − min(low, previous close) / the sum of true ranges over `short`, `middle`, `long` bars, 0.5 without range",
    source: "Larry Williams; as StockCharts and TA-Lib compute it",
    parameters: [bars("short", 7, 1), bars("middle", 14, 1), bars("long", 28, 1)],
    lines: alone,
    rule: {
      text: "short must be below middle, and middle below long",
      holds: (short: number, middle: number, long: number) => short < middle && middle < long,
    },
    define: (short: number, middle: number, long: number) => ({
      warmUp: long + 1,
      ...bounded(0, 100, 30, 70),
      create: () => createUltimate([short, middle, long]),
    }),
  },
  {
    name: "CMO",
    title: "Chande momentum oscillator",
    category: "oscillator",
    formula: "100 × (sum of rises − sum of falls) / (sum of both) of `period` changes of the close; 0 without any",
    source: "Tushar Chande; TradingView's ta.cmo. TA-Lib smooths both as Wilder's",
    parameters: [bars("period", 9, 1)],
    lines: alone,
    define: (period: number) => ({
      warmUp: period + 1,
      ...bounded(-100, 100, -50, 50),
      create: () => createChande(period),
    }),
  },
  {
    name: "Fisher",
    title: "Fisher transform",
    category: "oscillator",
    formula:
      "main: ln((1 + x) / (1 − x)) / 2 + previous / 2, x = 0.66 × (place of (high + low) / 2 in its range of `period` bars − 0.5) + 0.67 × previous x, kept within ±0.999; signal: main one bar before",
    source: "John Ehlers; as TradingView computes it",
    parameters: [bars("period", 9)],
    lines: pair,
    define: (period: number, line: string) => ({
      warmUp: period + (line === "main" ? 0 : 1),
      // The weights of 0.67 and 0.5 a bar fade within 60 bars.
      lookback: period + 100,
      range: null,
      decimals: "oscillator",
      signal: aroundLevel(0),
      create: () => createFisher(period, line),
    }),
  },
];

/** Differences of averages, and sums of changes. */
const sums: readonly IndicatorFamily[] = [
  {
    name: "AO",
    title: "Awesome oscillator",
    category: "oscillator",
    formula: "mean of `fast` median prices (high + low) / 2 − mean of `slow`",
    source: "Bill Williams; MetaTrader 5 (iAO)",
    parameters: [bars("fast", 5, 1), bars("slow", 34)],
    lines: alone,
    rule: fastBelowSlow,
    define: (fast: number, slow: number) => ({
      warmUp: slow,
      ...difference,
      create: () => createLine(createAwesome(fast, slow)),
    }),
  },
  {
    name: "AC",
    title: "Accelerator oscillator",
    category: "oscillator",
    formula: "AO of `fast` and `slow` − mean of its latest `signal` values",
    source: "Bill Williams; MetaTrader 5 (iAC)",
    parameters: [bars("fast", 5, 1), bars("slow", 34), bars("signal", 5, 1, 100)],
    lines: alone,
    rule: fastBelowSlow,
    define: (fast: number, slow: number, signal: number) => ({
      warmUp: slow + signal - 1,
      ...difference,
      create: () => createPair(createAwesome(fast, slow), new SimpleAverage(signal), "hist"),
    }),
  },
  {
    name: "DPO",
    title: "Detrended price oscillator",
    category: "oscillator",
    formula: "close `period` / 2 + 1 bars before, rounded down, − mean of the latest `period` closes",
    source: "StockCharts",
    parameters: [bars("period", 20)],
    lines: alone,
    define: (period: number) => ({
      warmUp: Math.max(period, Math.floor(period / 2) + 2),
      ...difference,
      create: () => createDetrended(period),
    }),
  },
  {
    name: "Coppock",
    title: "Coppock curve",
    category: "oscillator",
    formula: "WMA of `wma` of (ROC of `long` + ROC of `short`)",
    source: "Edwin Coppock; as StockCharts computes it",
    parameters: [bars("wma", 10, 1), bars("long", 14, 1), bars("short", 11, 1)],
    lines: alone,
    define: (smoothing: number, long: number, short: number) => ({
      warmUp: Math.max(long, short) + smoothing,
      ...percent,
      create: () => createCoppock(smoothing, long, short),
    }),
  },
  {
    name: "KST",
    title: "Know sure thing",
    category: "oscillator",
    formula:
      "main: 1 × mean of 10 ROC of 10 + 2 × mean of 10 ROC of 15 + 3 × mean of 10 ROC of 20 + 4 × mean of 15 ROC of 30; signal: mean of `signal` values of it",
    source: "Martin Pring; as StockCharts computes it",
    parameters: [bars("signal", 9, 1, 200)],
    lines: pair,
    define: (signal: number, line: string) => ({
      warmUp: KNOW_SURE_WARM_UP + followed(signal, line),
      ...percent,
      create: () => createPair(createKnowSure(), new SimpleAverage(signal), line),
    }),
  },
];

/** Directions and ranges of bars. */
const ranges: readonly IndicatorFamily[] = [
  {
    name: "Aroon",
    title: "Aroon",
    category: "trend",
    formula:
      "up: 100 × (period − bars since the highest high) / period, of this bar and the `period` before it, the latest of equal ones; down: of the lowest low; osc: up − down",
    source: "Tushar Chande; as TA-Lib computes it",
    parameters: [bars("period", 25, 1)],
    lines: { up: "up", down: "down", osc: "oscillator" },
    define: (period: number, line: string) => ({
      warmUp: period + 1,
      range: line === "osc" ? [-100, 100] : [0, 100],
      decimals: "oscillator",
      ...(line === "osc" ? { signal: aroundLevel(0) } : {}),
      create: () => createAroon(period, line),
    }),
  },
  {
    name: "Vortex",
    title: "Vortex indicator",
    category: "trend",
    formula:
      "plus: sum of |high − previous low| / sum of true ranges of `period` bars; minus: of |low − previous high|; 1 without range",
    source: "Etienne Botes and Douglas Siepman; as StockCharts computes it",
    parameters: [bars("period", 14, 1)],
    lines: { plus: "positive line", minus: "negative line" },
    define: (period: number, line: string) => ({
      warmUp: period + 1,
      range: [0, Infinity],
      decimals: "oscillator",
      create: () => createVortex(period, line),
    }),
  },
  {
    name: "MassIndex",
    title: "Mass index",
    category: "volatility",
    formula: "sum of `sum` values of EMA of `ema` of (high − low) / EMA of `ema` of that EMA; 1 each without range",
    source: "Donald Dorsey; as StockCharts computes it",
    parameters: [bars("ema", 9, 2, 100), bars("sum", 25, 1)],
    lines: alone,
    define: (smoothing: number, period: number) => ({
      warmUp: 2 * smoothing + period - 2,
      lookback: fadeExponential(smoothing, smoothing) + period,
      range: [0, Infinity],
      decimals: "oscillator",
      create: () => createMassIndex(smoothing, period),
    }),
  },
  {
    name: "Choppiness",
    title: "Choppiness index",
    category: "volatility",
    formula: "100 × log(sum of `period` true ranges / (highest high − lowest low)) / log(period); 100 without range",
    source: "Bill Dreiss; as TradingView computes it",
    parameters: [bars("period", 14)],
    lines: alone,
    define: (period: number) => ({
      warmUp: period + 1,
      range: [0, Infinity],
      decimals: "oscillator",
      create: () => createChoppiness(period),
    }),
  },
  {
    name: "HV",
    title: "Historical volatility in per cent a year",
    category: "volatility",
    formula:
      "100 × √`bars_a_year` × standard deviation of `period` returns ln(close / previous close), dividing by period − 1",
    source: "John Hull, Options, Futures and Other Derivatives",
    parameters: [bars("period", 20), bars("bars_a_year", 252, 1, 1_000_000)],
    lines: alone,
    define: (period: number, yearly: number) => ({
      warmUp: period + 1,
      range: [0, Infinity],
      decimals: "oscillator",
      create: () => createHistoricalVolatility(period, yearly),
    }),
  },
];

export const momentumFamilies: readonly IndicatorFamily[] = [...oscillators, ...sums, ...ranges];
