import {
  aroundLevel,
  closeClearOfLine,
  type IndicatorDefinition,
  noDirection,
  type Stream,
} from "@/lib/analytics/indicators/definition";
import { bars, factor, type IndicatorFamily } from "@/lib/analytics/indicators/family";
import { createLine, type Filter, Window } from "@/lib/analytics/indicators/window";

/** Averages of closes beyond those of MetaTrader's list, and the straight line through closes. */

/** Average with weights, the first of which is that of the oldest number. Equal numbers have exactly themselves as average. */
class WeightedWindow implements Filter {
  readonly #window: Window;
  readonly #weights: readonly number[];
  readonly #total: number;

  constructor(weights: readonly number[]) {
    this.#window = new Window(weights.length);
    this.#weights = weights;
    this.#total = weights.reduce((sum, weight) => sum + weight, 0);
  }

  push(value: number): number | null {
    if (!this.#window.push(value)) return null;
    const oldest = this.#window.oldest();
    let sum = 0;
    this.#weights.forEach((weight, i) => (sum += weight * ((this.#window.values[i] as number) - oldest)));
    return oldest + sum / this.#total;
  }
}

/** Linear weights: 1 for the oldest number, `period` for the newest. */
export function createLinearAverage(period: number): Filter {
  return new WeightedWindow(Array.from({ length: period }, (_, i) => i + 1));
}

function createArnaudLegoux(period: number, offset: number, sigma: number): Filter {
  const [peak, width] = [offset * (period - 1), period / sigma];
  return new WeightedWindow(
    Array.from({ length: period }, (_, i) => Math.exp(-((i - peak) ** 2) / (2 * width * width))),
  );
}

function createHull(period: number): Filter {
  const half = createLinearAverage(Math.max(1, Math.floor(period / 2)));
  const full = createLinearAverage(period);
  const last = createLinearAverage(Math.floor(Math.sqrt(period)));
  return {
    push(value) {
      const fast = half.push(value);
      const slow = full.push(value);
      return fast === null || slow === null ? null : last.push(2 * fast - slow);
    },
  };
}

function createKaufman(period: number, fast: number, slow: number): Filter {
  const window = new Window(period + 1);
  const [fastest, slowest] = [2 / (fast + 1), 2 / (slow + 1)];
  let average: number | null = null;
  return {
    push(value) {
      if (!window.push(value)) return null;
      const { values } = window;
      let path = 0;
      for (let i = 1; i <= period; i += 1) path += Math.abs((values[i] as number) - (values[i - 1] as number));
      const efficiency = path === 0 ? 0 : Math.abs(value - window.oldest()) / path;
      const smoothing = (efficiency * (fastest - slowest) + slowest) ** 2;
      average ??= values[period - 1] as number;
      average += smoothing * (value - average);
      return average;
    },
  };
}

function createVolumeWeighted(period: number): Stream {
  const closes = new Window(period);
  const volumes = new Window(period);
  return createLine(({ close, volume }) => {
    closes.push(close);
    if (!volumes.push(volume)) return null;
    const total = volumes.sum();
    if (total === 0) return closes.mean();
    const oldest = closes.oldest();
    let sum = 0;
    for (let i = 0; i < period; i += 1) sum += (volumes.values[i] as number) * ((closes.values[i] as number) - oldest);
    return oldest + sum / total;
  });
}

/** The least-squares line through the latest closes: its end, its slope per bar, and its coefficient of determination. */
function createRegression(period: number, line: string): Stream {
  const closes = new Window(period);
  const middle = (period - 1) / 2;
  let spread = 0;
  for (let i = 0; i < period; i += 1) spread += (i - middle) ** 2;
  return createLine(({ close }) => {
    if (!closes.push(close)) return null;
    const mean = closes.mean();
    let covariance = 0;
    for (let i = 0; i < period; i += 1) covariance += (i - middle) * ((closes.values[i] as number) - mean);
    const slope = covariance / spread;
    if (line === "slope") return slope;
    if (line === "") return mean + slope * middle;
    const deviation = closes.standardDeviation(mean);
    return deviation === 0 ? 0 : Math.min(1, (covariance * covariance) / (spread * period * deviation * deviation));
  });
}

const ofCloses = (create: () => Filter) => ({
  range: null,
  decimals: "price" as const,
  signal: closeClearOfLine,
  create: (): Stream => {
    const filter = create();
    return createLine(({ close }) => filter.push(close));
  },
});

const alone = { "": "" };
const period = bars("period", 20);

const REGRESSION: Readonly<Record<string, Pick<IndicatorDefinition, "range" | "decimals" | "signal">>> = {
  "": { range: null, decimals: "price", signal: closeClearOfLine },
  slope: { range: null, decimals: "difference", signal: aroundLevel(0) },
  r2: { range: [0, 1], decimals: "oscillator", signal: noDirection },
};

export const otherAverages: readonly IndicatorFamily[] = [
  {
    name: "WMA",
    alias: "LWMA",
    title: "Linear weighted moving average of closes",
    category: "trend",
    formula:
      "sum of weight × close / sum of weights over `period` closes; the newest has the weight `period`, the oldest 1",
    source: "MetaTrader 5, MODE_LWMA; the same as TA-Lib's and TradingView's WMA",
    parameters: [period],
    lines: alone,
    define: (n: number) => ({ warmUp: n, ...ofCloses(() => createLinearAverage(n)) }),
  },
  {
    name: "HMA",
    title: "Hull moving average of closes",
    category: "trend",
    formula: "WMA of √period of (2 × WMA of period / 2 − WMA of `period`); both lengths are rounded down",
    source: "Alan Hull; rounded as TradingView does",
    parameters: [period],
    lines: alone,
    define: (n: number) => ({ warmUp: n + Math.floor(Math.sqrt(n)) - 1, ...ofCloses(() => createHull(n)) }),
  },
  {
    name: "KAMA",
    title: "Kaufman's adaptive moving average of closes",
    category: "trend",
    formula:
      "previous + s² × (close − previous), s = efficiency × (2 / (fast + 1) − 2 / (slow + 1)) + 2 / (slow + 1); efficiency = " +
      "|close − close `period` bars before| / sum of |changes|, 0 without any; the first previous is the close before",
    source: "Perry Kaufman, as TA-Lib and StockCharts compute it",
    parameters: [bars("period", 10, 2, 100), bars("fast", 2, 1, 30), bars("slow", 30, 2, 60)],
    lines: alone,
    rule: { text: "fast must be below slow", holds: (_: number, fast: number, slow: number) => fast < slow },
    define: (n: number, fast: number, slow: number) => ({
      warmUp: n + 1,
      // A market has some direction, and then it follows the price much faster than its slowest constant.
      lookback: n + (slow + 1) ** 2,
      ...ofCloses(() => createKaufman(n, fast, slow)),
    }),
  },
  {
    name: "ALMA",
    title: "Arnaud Legoux moving average of closes",
    category: "trend",
    formula: "closes weighted by exp(−(i − offset × (period − 1))² / (2 × (period / sigma)²)), i = 0 for the oldest",
    source: "Arnaud Legoux and Dimitrios Kouzis-Loukas; as TradingView's ta.alma",
    parameters: [bars("period", 9), factor("offset", 0.85, 0, 1), factor("sigma", 6, 0.5, 50)],
    lines: alone,
    define: (n: number, offset: number, sigma: number) => ({
      warmUp: n,
      ...ofCloses(() => createArnaudLegoux(n, offset, sigma)),
    }),
  },
  {
    name: "VWMA",
    title: "Volume-weighted moving average of closes",
    category: "trend",
    formula: "sum of close × tick volume / sum of tick volumes over `period` bars; the plain mean without volume",
    source: "TradingView's ta.vwma",
    parameters: [period],
    lines: alone,
    define: (n: number) => ({
      warmUp: n,
      range: null,
      decimals: "price",
      signal: closeClearOfLine,
      create: () => createVolumeWeighted(n),
    }),
  },
  {
    name: "LinReg",
    title: "Linear regression of closes",
    category: "trend",
    formula:
      "the least-squares line through `period` closes: its end at this bar; slope: per bar; r2: its coefficient of determination, 0 in a flat window",
    source: "least squares; the end equals TA-Lib's LINEARREG",
    parameters: [bars("period", 14)],
    lines: { "": "", slope: "slope per bar", r2: "coefficient of determination" },
    define: (n: number, line: string) => ({
      warmUp: n,
      ...(REGRESSION[line] as (typeof REGRESSION)[string]),
      create: () => createRegression(n, line),
    }),
  },
];
