import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findLeastDigits, fromStoredDigits, toStoredPrices } from "@/lib/history/points";
import { MAX_POINTS, toPrice } from "@/lib/market/price";

describe("the prices of a row", () => {
  test("say no digits if these are those of the built-in instrument, as in rows of earlier versions", () => {
    expect(toStoredPrices("EURUSD", 5, [108_521, 108_523])).toEqual({
      digits: null,
      prices: [108_521, 108_523],
      wide: null,
    });
    expect(toStoredPrices("EURUSD", 6, [1_085_211])).toMatchObject({ digits: 6 });
    expect(toStoredPrices("UNKNOWN", 5, [108_521])).toMatchObject({ digits: 5 });
    expect(fromStoredDigits("EURUSD", null)).toBe(5);
    expect(() => fromStoredDigits("UNKNOWN", null)).toThrow("The digits of stored prices of UNKNOWN are unknown");
  });

  test("have fewer digits if that is exact and makes room for them, otherwise more than 32 bits", () => {
    expect(toStoredPrices("BTCUSD", 6, [100_000_120_000])).toEqual({ digits: null, prices: [10_000_012], wide: null });
    expect(toStoredPrices("BTCUSD", 9, [100_000_123_456_789, 1])).toEqual({
      digits: 9,
      prices: [0, 0],
      wide: "{100000123456789,1}",
    });
  });

  test("are always read as they were written", () => {
    const row = fc.record({
      symbol: fc.constantFrom("EURUSD", "BTCUSD", "UNKNOWN"),
      digits: fc.integer({ min: 0, max: 10 }),
      points: fc.array(fc.integer({ min: 0, max: MAX_POINTS }), { minLength: 1, maxLength: 5 }),
    });
    fc.assert(
      fc.property(row, ({ symbol, digits, points }) => {
        const stored = toStoredPrices(symbol, digits, points);
        const read = stored.wide === null ? stored.prices : JSON.parse(`[${stored.wide.slice(1, -1)}]`);
        const readDigits = fromStoredDigits(symbol, stored.digits);
        expect(stored.prices.every((each) => each <= 2_147_483_647)).toBe(true);
        expect((read as number[]).map((each) => toPrice(each, readDigits))).toEqual(
          points.map((each) => toPrice(each, digits)),
        );
      }),
    );
  });
});

test("The least digits are those of which all prices are whole points", () => {
  expect(findLeastDigits(5, [108_520, 108_500])).toBe(4);
  expect(findLeastDigits(5, [108_520], [108_521])).toBe(5);
  expect(findLeastDigits(3, [2_000, 5_000])).toBe(0);
  expect(findLeastDigits(3, [])).toBe(0);
});
