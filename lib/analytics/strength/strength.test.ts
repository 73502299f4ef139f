import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BARS_NEEDED,
  CURRENCIES,
  type CurrencyPair,
  currencyPairs,
  type CurrencyStrength,
} from "@/lib/analytics/strength/strength";
import { bar, market, read, walks } from "@/lib/analytics/strength/strength.fixture";

const rounded = (readings: readonly CurrencyStrength[]) =>
  readings.map(({ strength, change, trend, pairs }) => [
    strength.toFixed(8),
    change.toFixed(8).replace("-0.00000000", "0.00000000"),
    trend,
    pairs,
  ]);
const RUNS = { numRuns: 25 };

test("There are 28 pairs, seven to each currency", () => {
  expect(currencyPairs).toHaveLength(28);
  for (const [currency] of CURRENCIES.entries()) {
    expect(currencyPairs.filter(({ base, quote }) => base === currency || quote === currency)).toHaveLength(7);
  }
});

describe.each([
  ["with a whole baseline", BARS_NEEDED + 1],
  ["with a short baseline", 50],
  ["with no baseline yet", 16],
])("%s", (_name, length) => {
  test("Every strength is from 0 to 10", () => {
    fc.assert(
      fc.property(walks(length), (values) => {
        const readings = read(market(values));
        expect(readings).toHaveLength(8);
        for (const { strength, pairs } of readings) {
          expect(strength).toBeGreaterThanOrEqual(0);
          expect(strength).toBeLessThanOrEqual(10);
          expect(pairs).toBe(7);
        }
      }),
      RUNS,
    );
  });

  test("In a flat market every strength is exactly 5, unchanged and neutral", () => {
    const flat = CURRENCIES.map((_, index) => Array.from({ length }, () => 1 + index / 10));
    for (const reading of read(market(flat)))
      expect(reading).toEqual({ strength: 5, change: 0, trend: "neutral", pairs: 7 });
  });

  test("Inverting a pair changes nothing", () => {
    fc.assert(
      fc.property(walks(length), fc.nat(27), (values, turned) => {
        const pairs = currencyPairs.map((pair, index) =>
          index === turned ? { ...pair, base: pair.quote, quote: pair.base } : pair,
        );
        expect(rounded(read(market(values, pairs), pairs))).toEqual(rounded(read(market(values))));
      }),
      RUNS,
    );
  });

  test("Another price level of a pair changes nothing", () => {
    fc.assert(
      fc.property(walks(length), fc.nat(27), fc.double({ min: 0.001, max: 1000, noNaN: true }), (values, at, scale) => {
        const series = market(values);
        const scaled = series.map((bars, index) =>
          index !== at ? bars : bars.map((each) => bar(each.timeMs, each.open * scale, each.close * scale)),
        );
        expect(rounded(read(scaled))).toEqual(rounded(read(series)));
      }),
      RUNS,
    );
  });

  test("A mirrored market mirrors every strength", () => {
    fc.assert(
      fc.property(walks(length), (values) => {
        const straight = read(market(values));
        const mirrored = read(market(values.map((each) => each.map((value) => 1 / value))));
        for (const [index, { strength, change }] of straight.entries()) {
          expect(mirrored[index]?.strength).toBeCloseTo(10 - strength, 8);
          expect(mirrored[index]?.change).toBeCloseTo(-change, 8);
        }
      }),
      RUNS,
    );
  });

  test("The strength of a currency that rises against all others rises, and every other falls", () => {
    fc.assert(
      fc.property(walks(length), fc.nat(7), (values, shocked) => {
        const before = read(market(values));
        const last = length - 1;
        const after = read(
          market(values.map((each, index) => (index === shocked ? each.with(last, (each[last] ?? 1) * 1.2) : each))),
        );
        for (const [index, { strength }] of before.entries()) {
          const now = after[index]?.strength as number;
          if (index === shocked) expect(now).toBeGreaterThanOrEqual(strength);
          else expect(now).toBeLessThanOrEqual(strength);
          // By their place in the range, currencies may be at an end already.
          if (length > 16 && strength > 0.1 && strength < 9.9) expect(now).not.toBe(strength);
        }
      }),
      RUNS,
    );
  });

  test("Swapping the data of two currencies swaps their strengths", () => {
    fc.assert(
      fc.property(walks(length), fc.nat(7), fc.nat(7), (values, one, other) => {
        const straight = read(market(values));
        const swapped = read(market(values.with(one, values[other] ?? []).with(other, values[one] ?? [])));
        expect(rounded([swapped[other] as CurrencyStrength])).toEqual(rounded([straight[one] as CurrencyStrength]));
        expect(rounded([swapped[one] as CurrencyStrength])).toEqual(rounded([straight[other] as CurrencyStrength]));
      }),
      RUNS,
    );
  });

  test("Losing one pair changes the strengths moderately", () => {
    fc.assert(
      fc.property(walks(length), fc.nat(27), (values, lost) => {
        const series = market(values);
        const whole = read(series);
        const partly = read(series.with(lost, []));
        for (const [index, { strength, pairs }] of partly.entries()) {
          const { base, quote } = currencyPairs[lost] as CurrencyPair;
          expect(pairs).toBe(index === base || index === quote ? 6 : 7);
          expect(Math.abs(strength - (whole[index]?.strength as number))).toBeLessThan(2.5);
        }
      }),
      RUNS,
    );
  });

  test("A change is the difference to the bar before, and a trend has its direction", () => {
    fc.assert(
      fc.property(walks(length), (values) => {
        const now = read(market(values));
        const before = read(market(values.map((each) => each.slice(0, -1))));
        // At the bar from which the baseline is long enough, the two are computed differently.
        for (const [index, { strength, change, trend }] of now.entries()) {
          expect(change).toBeCloseTo(strength - (before[index]?.strength as number), 8);
          if (trend !== "neutral") expect(Math.sign(change)).toBe(trend === "bullish" ? 1 : -1);
        }
      }),
      RUNS,
    );
  });

  test("The same bars give the same strengths in any order of the pairs", () => {
    fc.assert(
      fc.property(walks(length), fc.shuffledSubarray([...currencyPairs], { minLength: 28 }), (values, shuffled) => {
        expect(read(market(values))).toEqual(read(market(values)));
        expect(rounded(read(market(values, shuffled), shuffled))).toEqual(rounded(read(market(values))));
      }),
      RUNS,
    );
  });
});
