import { closeClearOfLine, type IndicatorDefinition, type Stream } from "@/lib/analytics/indicators/definition";
import { ExponentialAverage, type Filter, SimpleAverage } from "@/lib/analytics/indicators/window";
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
