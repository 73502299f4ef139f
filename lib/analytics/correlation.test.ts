import fc from "fast-check";
import { expect, test } from "vitest";
import { computeCorrelation, correlateCurrencies, correlateSymbols } from "@/lib/analytics/correlation";
import { CURRENCIES, currencyPairs } from "@/lib/analytics/strength/strength";
import { bar, market, walks } from "@/lib/analytics/strength/strength.fixture";
import { HOUR_MS } from "@/lib/time/units";

const [values = []] = fc.sample(walks(200), { numRuns: 1, seed: 11 });
const series = market(values);
const at = (symbol: string) => currencyPairs.findIndex((pair) => pair.symbol === symbol);
const read = (symbol: string) => series[at(symbol)] ?? [];

/** The same coefficient by another formula, from standard scores. */
function correlate(one: readonly number[], other: readonly number[]): number {
  const toScores = (list: readonly number[]) => {
    const mean = list.reduce((sum, value) => sum + value / list.length, 0);
    const deviation = Math.sqrt(list.reduce((sum, value) => sum + (value - mean) ** 2 / list.length, 0));
    return list.map((value) => (value - mean) / deviation);
  };
  const [scores, otherScores] = [toScores(one), toScores(other)];
  return scores.reduce((sum, score, index) => sum + (score * (otherScores[index] ?? NaN)) / scores.length, 0);
}

test("Symbols are correlated by the returns of their latest bars", () => {
  const toReturns = (symbol: string) => {
    const closes = read(symbol).map(({ close }) => close);
    return closes.slice(1).map((close, index) => Math.log(close) - Math.log(closes[index] ?? NaN));
  };
  const { rows, bars } = correlateSymbols([read("EURUSD"), read("USDJPY")], 50);
  expect(bars).toBe(50);
  expect(rows[0]?.[1]).toBeCloseTo(correlate(toReturns("EURUSD").slice(-50), toReturns("USDJPY").slice(-50)), 9);
  expect(rows[1]?.[0]).toBe(rows[0]?.[1]);
  expect(rows[0]?.[0]).toBeCloseTo(1, 12);
});

test("A coefficient is the same among other symbols", () => {
  const few = read("AUDUSD").filter(({ timeMs }) => (timeMs / HOUR_MS) % 3 === 0);
  const alone = correlateSymbols([read("EURUSD"), read("USDJPY")], 120).rows[0]?.[1];
  const { rows, bars } = correlateSymbols([few, read("EURUSD"), read("USDJPY")], 120);
  expect(rows[1]?.[2]).toBe(alone);
  expect(bars).toBe(few.length - 1);
});

test("Only bars that both symbols have are compared, and the return spans those between", () => {
  const [one, other] = [read("EURUSD"), read("GBPUSD").filter(({ timeMs }) => (timeMs / HOUR_MS) % 2 === 0)];
  const common = one.filter(({ timeMs }) => (timeMs / HOUR_MS) % 2 === 0);
  expect(correlateSymbols([one, other], 60)).toEqual(correlateSymbols([common, other], 60));
});

test("The return of a currency is its mean move against the other seven", () => {
  const count = 60;
  const returns = CURRENCIES.map((_, currency) => {
    const log = (index: number, bar: number) => Math.log(values[index]?.[bar] ?? NaN);
    const others = CURRENCIES.flatMap((_other, index) => (index === currency ? [] : [index]));
    return Array.from({ length: count }, (_value, step) => {
      const bar = 200 - count + step;
      const moveOf = (index: number) => log(index, bar) - log(index, bar - 1);
      return others.reduce((sum, index) => sum + (moveOf(currency) - moveOf(index)) / 7, 0);
    });
  });
  const { rows, bars } = correlateCurrencies(series, count);
  expect(bars).toBe(count);
  for (const [row, one] of returns.entries()) {
    for (const [column, other] of returns.entries()) expect(rows[row]?.[column]).toBeCloseTo(correlate(one, other), 9);
  }
});

test("Fewer than 20 common returns have no coefficient", () => {
  const [one, other] = [read("EURUSD"), read("GBPUSD").slice(-20)];
  const { rows, bars } = correlateSymbols([one, other], 120);
  expect(rows[0]?.[1]).toBeNull();
  expect(bars).toBe(120);
  expect(correlateSymbols([[], [bar(0, 1, 1)]], 120)).toEqual({
    rows: [
      [null, null],
      [null, null],
    ],
    bars: 0,
  });
  expect(
    correlateCurrencies(
      currencyPairs.map(() => []),
      120,
    ).bars,
  ).toBe(0);
});

const lists = fc.array(fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: -1000, max: 1000 })), {
  minLength: 20,
  maxLength: 60,
});

test("The coefficient equals the slope between standard scores", () => {
  fc.assert(
    fc.property(lists, (rows) => {
      const [one, other] = [rows.map(([x]) => x), rows.map(([, y]) => y)];
      // Another form of the same figure: (nΣxy − ΣxΣy) ÷ √((nΣx² − (Σx)²)(nΣy² − (Σy)²)), exact in whole numbers.
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      const n = rows.length;
      const above = n * sum(rows.map(([x, y]) => x * y)) - sum(one) * sum(other);
      const spreadOf = (values: readonly number[]) => n * sum(values.map((x) => x * x)) - sum(values) ** 2;
      const below = Math.sqrt(spreadOf(one) * spreadOf(other));
      const found = computeCorrelation(one, other);
      if (below === 0) expect(found).toBeNull();
      else expect(found).toBeCloseTo(above / below, 9);
    }),
  );
});

test("Equal lists have 1 and opposite lists −1, whatever their scale", () => {
  const list = Array.from({ length: 30 }, (_, index) => Math.sin(index));
  expect(
    computeCorrelation(
      list,
      list.map((value) => 3 * value + 7),
    ),
  ).toBeCloseTo(1, 12);
  expect(
    computeCorrelation(
      list,
      list.map((value) => -value),
    ),
  ).toBeCloseTo(-1, 12);
});

test("Too few values and a list that does not vary have no coefficient", () => {
  const list = Array.from({ length: 20 }, (_, index) => index % 5);
  expect(computeCorrelation(list, list)).toBeCloseTo(1, 12);
  expect(computeCorrelation(list.slice(1), list.slice(1))).toBeNull();
  expect(computeCorrelation(list, Array<number>(20).fill(4))).toBeNull();
});
