import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { closeClearOfLine } from "@/lib/analytics/indicators/signals";
import { exponential, type Filter, simple } from "@/lib/analytics/indicators/smoothing";

/** The averages of closes that lie on the price itself. */

export const simpleAverages = [10, 20, 50, 100, 200].map((period) =>
  averageOfClose({
    name: `SMA_${period}`,
    description: `Simple moving average of ${period} closes`,
    formula: `mean of the latest ${period} closes`,
    warmUp: period,
    filter: () => simple(period),
  }),
);

export const exponentialAverages = [10, 20, 50].map((period) =>
  averageOfClose({
    name: `EMA_${period}`,
    description: `Exponential moving average of closes over ${period} bars`,
    formula: `previous + 2/${period + 1} × (close − previous), seeded with the first close, hidden before bar ${period}`,
    warmUp: period,
    filter: () => exponential(period),
  }),
);

export const doubleExponentialAverage = averageOfClose({
  name: "DEMA_20",
  description: "Double exponential moving average of closes over 20 bars",
  formula: "2 × E1 − E2; E1 = EMA_20, E2 = EMA of E1 that begins at bar 20 with E1 itself",
  warmUp: 39,
  filter: () => doubleExponential(20),
});

export const tripleExponentialAverage: IndicatorDefinition = {
  ...averageOfClose({
    name: "TEMA_20",
    description: "Triple exponential moving average of closes over 20 bars",
    formula: "3 × E1 − 3 × E2 + E3; each EMA of 20 begins where the one before it is first shown, with that value",
    warmUp: 58,
    filter: () => tripleExponential(20),
  }),
  shape: "A",
};

function doubleExponential(period: number): Filter {
  const first = exponential(period);
  const second = exponential(period);
  return (value) => {
    const e1 = first(value);
    if (e1 === null) return null;
    const e2 = second(e1);
    return e2 === null ? null : 2 * e1 - e2;
  };
}

function tripleExponential(period: number): Filter {
  const first = exponential(period);
  const second = exponential(period);
  const third = exponential(period);
  return (value) => {
    const e1 = first(value);
    if (e1 === null) return null;
    const e2 = second(e1);
    if (e2 === null) return null;
    const e3 = third(e2);
    return e3 === null ? null : 3 * e1 - 3 * e2 + e3;
  };
}

function averageOfClose(average: {
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
    create: () => ofClose(filter()),
  };
}

function ofClose(filter: Filter): Stream {
  return { push: (bar) => filter(bar.close) };
}
