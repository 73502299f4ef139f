import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alignBars } from "@/lib/analytics/strength/aligned-bars";
import { CURRENCIES, type Currency, type CurrencyPair, currencyPairs } from "@/lib/analytics/strength/currencies";
import { BARS_NEEDED, computeStrengths,type CurrencyStrength, FEWEST_BARS } from "@/lib/analytics/strength/strength";
import type { Bar } from "@/lib/market/bar";
import { HOUR_MS } from "@/lib/time/units";

const bar = (timeMs: number, open: number, close: number, reach = 1): Bar => ({
  timeMs,
  open,
  high: Math.max(open, close) * reach,
  low: Math.min(open, close) / reach,
  close,
  volume: 1,
});

type Series = readonly (readonly Bar[])[];

/** A market without arbitrage: every pair is the quotient of two currencies' values, which walk at random. */
function market(values: readonly (readonly number[])[], pairs: readonly CurrencyPair[] = currencyPairs): Series {
  return pairs.map(({ base, quote }) =>
    (values[base] ?? []).map((_, index) => {
      const price = (at: number) => (values[base]?.[at] ?? 1) / (values[quote]?.[at] ?? 1);
      return bar(index * HOUR_MS, price(Math.max(0, index - 1)), price(index));
    }),
  );
}

const read = (series: Series, pairs: readonly CurrencyPair[] = currencyPairs): CurrencyStrength[] => {
  const result = computeStrengths(alignBars(series, BARS_NEEDED), pairs, "H1");
  if (result === null) throw new Error("too few bars");
  return result;
};

/** Values of the eight currencies over as many bars, from steps of up to a percent. */
const walks = (length: number) =>
  fc
    .array(fc.array(fc.integer({ min: -100, max: 100 }), { minLength: length, maxLength: length }), {
      minLength: 8,
      maxLength: 8,
    })
    .map((steps) =>
      steps.map((each) => {
        let sum = 0;
        return each.map((step) => Math.exp((sum += step) / 10_000));
      }),
    );

const place = (currency: Currency) => CURRENCIES.indexOf(currency);
const rounded = (readings: readonly CurrencyStrength[]) =>
  readings.map(({ strength, change, trend, pairs }) => [
    strength.toFixed(8),
    change.toFixed(8).replace("-0.00000000", "0.00000000"),
    trend,
    pairs,
  ]);
const runs = { numRuns: 25 };

test("there are 28 pairs, seven to each currency", () => {
  expect(currencyPairs).toHaveLength(28);
  for (const [currency] of CURRENCIES.entries()) {
    expect(currencyPairs.filter(({ base, quote }) => base === currency || quote === currency)).toHaveLength(7);
  }
});

describe.each([
  ["with a whole yardstick", BARS_NEEDED + 1],
  ["with a short yardstick", 50],
  ["with no yardstick yet", 16],
])("%s", (_name, length) => {
  test("1: every currency reads from 0 to 10", () => {
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
      runs,
    );
  });

  test("2: a flat market reads exactly 5, unchanged and neutral", () => {
    const flat = CURRENCIES.map((_, index) => Array.from({ length }, () => 1 + index / 10));
    for (const reading of read(market(flat)))
      expect(reading).toEqual({ strength: 5, change: 0, trend: "neutral", pairs: 7 });
  });

  test("3: quoting a pair the other way round changes nothing", () => {
    fc.assert(
      fc.property(walks(length), fc.nat(27), (values, turned) => {
        const pairs = currencyPairs.map((pair, index) =>
          index === turned ? { ...pair, base: pair.quote, quote: pair.base } : pair,
        );
        expect(rounded(read(market(values, pairs), pairs))).toEqual(rounded(read(market(values))));
      }),
      runs,
    );
  });

  test("4: another price level of a pair changes nothing", () => {
    fc.assert(
      fc.property(walks(length), fc.nat(27), fc.double({ min: 0.001, max: 1000, noNaN: true }), (values, at, scale) => {
        const series = market(values);
        const scaled = series.map((bars, index) =>
          index !== at ? bars : bars.map((each) => bar(each.timeMs, each.open * scale, each.close * scale)),
        );
        expect(rounded(read(scaled))).toEqual(rounded(read(series)));
      }),
      runs,
    );
  });

  test("5: a mirrored market mirrors every reading", () => {
    fc.assert(
      fc.property(walks(length), (values) => {
        const straight = read(market(values));
        const mirrored = read(market(values.map((each) => each.map((value) => 1 / value))));
        for (const [index, { strength, change }] of straight.entries()) {
          expect(mirrored[index]?.strength).toBeCloseTo(10 - strength, 8);
          expect(mirrored[index]?.change).toBeCloseTo(-change, 8);
        }
      }),
      runs,
    );
  });

  test("6: a currency that rises against all others rises, and every other falls", () => {
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
          // By their place in the range, currencies can stand at an end already.
          if (length > 16 && strength > 0.1 && strength < 9.9) expect(now).not.toBe(strength);
        }
      }),
      runs,
    );
  });

  test("7: swapping the data of two currencies swaps their readings", () => {
    fc.assert(
      fc.property(walks(length), fc.nat(7), fc.nat(7), (values, one, other) => {
        const straight = read(market(values));
        const swapped = read(market(values.with(one, values[other] ?? []).with(other, values[one] ?? [])));
        expect(rounded([swapped[other] as CurrencyStrength])).toEqual(rounded([straight[one] as CurrencyStrength]));
        expect(rounded([swapped[one] as CurrencyStrength])).toEqual(rounded([straight[other] as CurrencyStrength]));
      }),
      runs,
    );
  });

  test("8: losing one pair moves the readings moderately", () => {
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
      runs,
    );
  });

  test("9: a change is the difference to the bar before, and a trend goes its way", () => {
    fc.assert(
      fc.property(walks(length), (values) => {
        const now = read(market(values));
        const before = read(market(values.map((each) => each.slice(0, -1))));
        // Just where the yardstick becomes long enough the two are read differently.
        for (const [index, { strength, change, trend }] of now.entries()) {
          expect(change).toBeCloseTo(strength - (before[index]?.strength as number), 8);
          if (trend !== "neutral") expect(Math.sign(change)).toBe(trend === "bullish" ? 1 : -1);
        }
      }),
      runs,
    );
  });

  test("10: the same bars give the same readings, whatever the order of the pairs", () => {
    fc.assert(
      fc.property(walks(length), fc.shuffledSubarray([...currencyPairs], { minLength: 28 }), (values, shuffled) => {
        expect(read(market(values))).toEqual(read(market(values)));
        expect(rounded(read(market(values, shuffled), shuffled))).toEqual(rounded(read(market(values))));
      }),
      runs,
    );
  });
});

test("one sigma above the usual reads 7.3, two 8.8 and three 9.5", () => {
  for (const [sigmas, strength] of [
    [1, 7.3],
    [2, 8.8],
    [3, 9.5],
  ] as const) {
    expect(5 + 5 * Math.tanh(sigmas / 2)).toBeCloseTo(strength, 1);
  }
});

test("today's shock does not enlarge its own yardstick", () => {
  const length = BARS_NEEDED;
  // EUR swings up and down evenly, then jumps within the last window.
  const swing = Array.from({ length }, (_, index) =>
    Math.exp(index % 24 < 12 ? 0.001 * (index % 12) : 0.001 * (12 - (index % 12))),
  );
  const values = CURRENCIES.map((currency) => (currency === "EUR" ? swing : swing.map(() => 1)));
  const jump = (size: number) =>
    read(market(values.with(place("EUR"), swing.with(length - 1, (swing[length - 1] as number) * Math.exp(size)))));
  expect(jump(0.05)[place("EUR")]?.strength).toBeGreaterThan(9.9);
  expect(jump(0.05)[place("USD")]?.strength).toBeLessThan(5);
});

test("a currency with too few pairs of its own is read through the dollar", () => {
  const values = CURRENCIES.map((currency) =>
    Array.from({ length: BARS_NEEDED }, (_, index) => Math.exp(Math.sin(index / 7 + place(currency)) / 100)),
  );
  const whole = read(market(values));
  const nzdOnlyByTheDollar = market(values).map((bars, index) => {
    const { symbol } = currencyPairs[index] as CurrencyPair;
    return symbol.includes("NZD") && symbol !== "NZDUSD" ? [] : bars;
  });
  const partly = read(nzdOnlyByTheDollar);
  expect(partly[place("NZD")]?.pairs).toBe(1);
  expect(partly[place("NZD")]?.strength).toBeCloseTo(whole[place("NZD")]?.strength as number, 1);
});

test("tells nothing while one of the currencies is not quoted at all", () => {
  const values = CURRENCIES.map((currency) =>
    Array.from({ length: BARS_NEEDED }, (_, index) => Math.exp(Math.sin(index / 7 + place(currency)) / 100)),
  );
  const withoutNzd = market(values).map((bars, index) => (currencyPairs[index]?.symbol.includes("NZD") ? [] : bars));
  expect(computeStrengths(alignBars(withoutNzd, BARS_NEEDED), currencyPairs, "H1")).toBeNull();
});

test("a currency that moves on bar after bar has a trend, and one that only turned has none yet", () => {
  const yen = (path: (barsAgo: number) => number) =>
    read(
      market(
        CURRENCIES.map((currency) =>
          Array.from({ length: BARS_NEEDED }, (_, index) =>
            Math.exp(currency === "JPY" ? path(BARS_NEEDED - 1 - index) : 0.001 * Math.sin(index * place(currency))),
          ),
        ),
      ),
    )[place("JPY")]?.trend;
  expect(yen((barsAgo) => 0.0005 * Math.max(0, 4 - barsAgo))).toBe("bullish");
  expect(yen((barsAgo) => -0.0005 * Math.max(0, 4 - barsAgo))).toBe("bearish");
  expect(yen((barsAgo) => (barsAgo === 0 ? 0.002 : -0.0005 * Math.max(0, 4 - barsAgo)))).toBe("neutral");
});

test(`tells nothing from fewer than ${FEWEST_BARS} bars`, () => {
  const values = CURRENCIES.map(() => Array.from({ length: FEWEST_BARS - 1 }, (_, index) => 1 + index / 100));
  expect(computeStrengths(alignBars(market(values), BARS_NEEDED), currencyPairs, "H1")).toBeNull();
  expect(
    computeStrengths(
      alignBars(
        currencyPairs.map(() => []),
        BARS_NEEDED,
      ),
      currencyPairs,
      "H1",
    ),
  ).toBeNull();
  const enough = CURRENCIES.map((_, currency) =>
    Array.from({ length: FEWEST_BARS }, (_, index) => 1 + (index * currency) / 100),
  );
  expect(read(market(enough))).toHaveLength(8);
});
