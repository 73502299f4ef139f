import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { closeClearOfLine } from "@/lib/analytics/indicators/signals";
import { createExponentialAverage, createSimpleAverage, type Filter } from "@/lib/analytics/indicators/smoothing";

/** The averages of closes, in prices. */

export const simpleAverages = [10, 20, 50, 100, 200].map((period) =>
  defineAverage({
    name: `SMA_${period}`,
    description: `Simple moving average of ${period} closes`,
    formula: `mean of the latest ${period} closes`,
    warmUp: period,
    filter: () => createSimpleAverage(period),
  }),
);

export const exponentialAverages = [10, 20, 50].map((period) =>
  defineAverage({
    name: `EMA_${period}`,
    description: `Exponential moving average of closes over ${period} bars`,
    formula: `previous + 2/${period + 1} × (close − previous), seeded with the first close, hidden before bar ${period}`,
    warmUp: period,
    filter: () => createExponentialAverage(period),
  }),
);

export const doubleExponentialAverage = defineAverage({
  name: "DEMA_20",
  description: "Double exponential moving average of closes over 20 bars",
  formula: "2 × E1 − E2; E1 = EMA_20, E2 = EMA of E1 that begins at bar 20 with E1 itself",
  warmUp: 39,
  filter: () => createDoubleExponential(20),
});

export const tripleExponentialAverage: IndicatorDefinition = {
  ...defineAverage({
    name: "TEMA_20",
    description: "Triple exponential moving average of closes over 20 bars",
    formula: "3 × E1 − 3 × E2 + E3; each EMA of 20 begins where the one before it is first shown, with that value",
    warmUp: 58,
    filter: () => createTripleExponential(20),
  }),
  shape: "A",
};

function createDoubleExponential(period: number): Filter {
  const first = createExponentialAverage(period);
  const second = createExponentialAverage(period);
  return (value) => {
    const e1 = first(value);
    if (e1 === null) return null;
    const e2 = second(e1);
    return e2 === null ? null : 2 * e1 - e2;
  };
}

function createTripleExponential(period: number): Filter {
  const first = createExponentialAverage(period);
  const second = createExponentialAverage(period);
  const third = createExponentialAverage(period);
  return (value) => {
    const e1 = first(value);
    if (e1 === null) return null;
    const e2 = second(e1);
    if (e2 === null) return null;
    const e3 = third(e2);
    return e3 === null ? null : 3 * e1 - 3 * e2 + e3;
  };
}

function defineAverage(average: {
  name: string;
  description: string;
  formula: string;
  warmUp: number;
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
    create: () => filterCloses(filter()),
  };
}

function filterCloses(filter: Filter): Stream {
  return { push: (bar) => filter(bar.close) };
}
