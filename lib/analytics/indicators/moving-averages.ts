import { closeClearOfLine, type IndicatorDefinition, type Stream } from "@/lib/analytics/indicators/definition";
import {
  bars,
  fadeExponential,
  fadeWilder,
  type IndicatorFamily,
  LONGEST_WILDER,
  type Parameter,
} from "@/lib/analytics/indicators/family";
import { ExponentialAverage, type Filter, SimpleAverage, WilderAverage } from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

/** The averages of closes, in prices. */

export const simpleAverages = [10, 20, 50, 100, 200].map((period) =>
  defineAverage({
    name: `SMA_${period}`,
    description: `Simple moving average of ${period} closes`,
    formula: `mean of the latest ${period} closes`,
    warmUp: period,
    filter: () => new SimpleAverage(period),
  }),
);

export const exponentialAverages = [10, 20, 50].map((period) =>
  defineAverage({
    name: `EMA_${period}`,
    description: `Exponential moving average of closes over ${period} bars`,
    formula: `previous + 2/${period + 1} × (close − previous), seeded with the first close, hidden before bar ${period}`,
    warmUp: period,
    isEndless: true,
    filter: () => new ExponentialAverage(period),
  }),
);

export const doubleExponentialAverage = defineAverage({
  name: "DEMA_20",
  description: "Double exponential moving average of closes over 20 bars",
  formula: "2 × E1 − E2; E1 = EMA_20, E2 = EMA of E1 that begins at bar 20 with E1 itself",
  warmUp: 39,
  isEndless: true,
  filter: () => new DoubleExponential(20),
});

export const tripleExponentialAverage: IndicatorDefinition = {
  ...defineAverage({
    name: "TEMA_20",
    description: "Triple exponential moving average of closes over 20 bars",
    formula: "3 × E1 − 3 × E2 + E3; each EMA of 20 begins where the one before it is first shown, with that value",
    warmUp: 58,
    isEndless: true,
    filter: () => new TripleExponential(20),
  }),
  shape: "A",
};

class DoubleExponential implements Filter {
  readonly first: ExponentialAverage;
  readonly second: ExponentialAverage;

  constructor(period: number) {
    this.first = new ExponentialAverage(period);
    this.second = new ExponentialAverage(period);
  }

  push(value: number): number | null {
    const e1 = this.first.push(value);
    if (e1 === null) return null;
    const e2 = this.second.push(e1);
    return e2 === null ? null : 2 * e1 - e2;
  }
}

class TripleExponential implements Filter {
  readonly first: ExponentialAverage;
  readonly second: ExponentialAverage;
  readonly third: ExponentialAverage;

  constructor(period: number) {
    this.first = new ExponentialAverage(period);
    this.second = new ExponentialAverage(period);
    this.third = new ExponentialAverage(period);
  }

  push(value: number): number | null {
    const e1 = this.first.push(value);
    if (e1 === null) return null;
    const e2 = this.second.push(e1);
    if (e2 === null) return null;
    const e3 = this.third.push(e2);
    return e3 === null ? null : 3 * e1 - 3 * e2 + e3;
  }
}

function defineAverage(average: {
  name: string;
  description: string;
  formula: string;
  warmUp: number;
  isEndless?: true;
  filter: () => Filter;
}): IndicatorDefinition {
  const { filter, ...rest } = average;
  return {
    ...rest,
    aliases: [],
    category: "trend",
    range: null,
    decimals: "price",
    shape: "B",
    signal: closeClearOfLine,
    create: () => new FilteredCloses(filter()),
  };
}

class FilteredCloses implements Stream {
  readonly filter: Filter;

  constructor(filter: Filter) {
    this.filter = filter;
  }

  push(bar: Bar): number | null {
    return this.filter.push(bar.close);
  }
}

const MT5 = "MetaTrader 5";

/** The averages of closes with any period. */
export const averageFamilies: readonly IndicatorFamily[] = [
  defineAverageFamily({
    name: "SMA",
    title: "Simple moving average of closes",
    formula: "mean of the latest `period` closes",
    source: `${MT5}, MODE_SMA`,
    parameters: [bars("period", 20)],
    average: (period: number) => ({ warmUp: period, filter: () => new SimpleAverage(period) }),
  }),
  defineAverageFamily({
    name: "EMA",
    title: "Exponential moving average of closes",
    formula: "previous + 2 / (period + 1) × (close − previous), seeded with the first close",
    source: `${MT5}, MODE_EMA`,
    parameters: [bars("period", 20)],
    average: (period: number) => ({
      warmUp: period,
      lookback: fadeExponential(period),
      filter: () => new ExponentialAverage(period),
    }),
  }),
  defineAverageFamily({
    name: "SMMA",
    alias: "RMA",
    title: "Smoothed moving average of closes (Wilder's)",
    formula: "(previous × (period − 1) + close) / period, seeded with the mean of the first `period` closes",
    source: `${MT5}, MODE_SMMA`,
    parameters: [bars("period", 20, 2, LONGEST_WILDER)],
    average: (period: number) => ({
      warmUp: period,
      lookback: period + fadeWilder(period),
      filter: () => new WilderAverage(period),
    }),
  }),
  defineAverageFamily({
    name: "DEMA",
    title: "Double exponential moving average of closes",
    formula: "2 × E1 − E2; E1 = EMA of `period`, E2 = EMA of E1 that begins where E1 is first shown",
    source: `${MT5} (DEMA.mq5)`,
    parameters: [bars("period", 20, 2, 250)],
    average: (period: number) => ({
      warmUp: 2 * period - 1,
      lookback: fadeExponential(period, period),
      filter: () => new DoubleExponential(period),
    }),
  }),
  defineAverageFamily({
    name: "TEMA",
    title: "Triple exponential moving average of closes",
    formula: "3 × E1 − 3 × E2 + E3; each EMA of `period` begins where the one before it is first shown",
    source: `${MT5} (TEMA.mq5)`,
    parameters: [bars("period", 20, 2, 200)],
    average: (period: number) => ({
      warmUp: 3 * period - 2,
      lookback: fadeExponential(period, period, period),
      filter: () => new TripleExponential(period),
    }),
  }),
];

/** A family of averages of closes, in prices. */
function defineAverageFamily({
  average,
  ...rest
}: Omit<IndicatorFamily, "category" | "lines" | "define"> & {
  readonly parameters: readonly Parameter[];
  average(...values: readonly number[]): { warmUp: number; lookback?: number; filter: () => Filter };
}): IndicatorFamily {
  return {
    ...rest,
    category: "trend",
    lines: { "": "" },
    define(...values) {
      const { filter, ...needs } = average(...(values as number[]));
      return {
        ...needs,
        range: null,
        decimals: "price",
        signal: closeClearOfLine,
        create: () => new FilteredCloses(filter()),
      };
    },
  };
}
