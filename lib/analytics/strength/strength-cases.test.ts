import { expect, test } from "vitest";
import {
  alignBars,
  BARS_NEEDED,
  computeStrengths,
  CURRENCIES,
  type Currency,
  type CurrencyPair,
  currencyPairs,
  MIN_BARS,
} from "@/lib/analytics/strength/strength";
import { market, read } from "@/lib/analytics/strength/strength.fixture";

const place = (currency: Currency) => CURRENCIES.indexOf(currency);

test("A move of one sigma has a strength of 7.3, two 8.8 and three 9.5", () => {
  for (const [sigmas, strength] of [
    [1, 7.3],
    [2, 8.8],
    [3, 9.5],
  ] as const) {
    expect(5 + 5 * Math.tanh(sigmas / 2)).toBeCloseTo(strength, 1);
  }
});

test("A shock does not enlarge the baseline that it is measured with", () => {
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

test("The strength of a currency with too few pairs is derived from the dollar pairs", () => {
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

test("There is no strength while one of the currencies has no quotes", () => {
  const values = CURRENCIES.map((currency) =>
    Array.from({ length: BARS_NEEDED }, (_, index) => Math.exp(Math.sin(index / 7 + place(currency)) / 100)),
  );
  const withoutNzd = market(values).map((bars, index) => (currencyPairs[index]?.symbol.includes("NZD") ? [] : bars));
  expect(computeStrengths(alignBars(withoutNzd, BARS_NEEDED), currencyPairs, "H1")).toBeNull();
});

test("A currency that moves the same way over several bars has a trend, and one that has just turned has none", () => {
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

test(`There is no strength with fewer than ${MIN_BARS} bars`, () => {
  const values = CURRENCIES.map(() => Array.from({ length: MIN_BARS - 1 }, (_, index) => 1 + index / 100));
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
    Array.from({ length: MIN_BARS }, (_, index) => 1 + (index * currency) / 100),
  );
  expect(read(market(enough))).toHaveLength(8);
});
