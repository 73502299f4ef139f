import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatPrice, getSpread, getSpreadPips, roundPrice } from "@/lib/market/price";

const MAX_PRICE = 200_000;

/** A price as the decimal text a broker would send: whole points of `digits` decimals. */
function decimalText(points: bigint, digits: number): string {
  const negative = points < 0n;
  const figures = (negative ? -points : points).toString().padStart(digits + 1, "0");
  const text = digits === 0 ? figures : `${figures.slice(0, -digits)}.${figures.slice(-digits)}`;
  return negative ? `-${text}` : text;
}

/** `points / by`, halves away from zero. */
function divideRounded(points: bigint, by: bigint): bigint {
  const size = points < 0n ? -points : points;
  const rounded = (2n * size + by) / (2n * by);
  return points < 0n ? -rounded : rounded;
}

const pointsWith = (digits: number) => fc.bigInt({ min: 0n, max: BigInt(MAX_PRICE) * 10n ** BigInt(digits) });
const digitsAndTwoPrices = fc
  .integer({ min: 0, max: 6 })
  .chain((digits) => fc.tuple(fc.constant(digits), pointsWith(digits), pointsWith(digits)));

describe("roundPrice", () => {
  test("rounds a decimal half away from zero, even if its double lies below the half", () => {
    expect(roundPrice(1.000005, 5)).toBe(1.00001);
    expect(roundPrice(1.005, 2)).toBe(1.01);
    expect(roundPrice(-1.005, 2)).toBe(-1.01);
    expect(roundPrice(1.0849949, 5)).toBe(1.08499);
    expect(roundPrice((1.08521 + 1.08522) / 2, 5)).toBe(1.08522);
  });

  test("never returns minus zero", () => {
    expect(Object.is(roundPrice(-0, 5), 0)).toBe(true);
    expect(Object.is(roundPrice(-0.000001, 5), 0)).toBe(true);
  });

  test("agrees with decimal arithmetic for 0 to 6 digits and prices up to 200,000", () => {
    const withFinerDigits = fc
      .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 3 }), fc.boolean())
      .chain(([digits, finer, negative]) =>
        pointsWith(digits + finer).map((points) => ({ digits, finer, points: negative ? -points : points })),
      );
    fc.assert(
      fc.property(withFinerDigits, ({ digits, finer, points }) => {
        const expected = Number(decimalText(divideRounded(points, 10n ** BigInt(finer)), digits));
        expect(roundPrice(Number(decimalText(points, digits + finer)), digits)).toBe(expected + 0);
      }),
      { numRuns: 2_000 },
    );
  });

  test("refuses a number of digits that no price has", () => {
    for (const digits of [-1, 1.5, 11, Number.NaN]) expect(() => roundPrice(1, digits)).toThrow(RangeError);
  });
});

describe("getSpread", () => {
  test("has no binary noise", () => {
    expect(getSpread(1.08521, 1.08523, 5)).toBe(0.00002);
    expect(getSpread(151.234, 151.246, 3)).toBe(0.012);
    expect(String(getSpread(1.1, 1.10012, 5))).toBe("0.00012");
  });

  test("is plain zero on equal prices and negative on crossed ones", () => {
    expect(Object.is(getSpread(1.1, 1.1, 5), 0)).toBe(true);
    expect(getSpread(1.08523, 1.08521, 5)).toBe(-0.00002);
  });

  test("agrees with decimal arithmetic for 0 to 6 digits and prices up to 200,000", () => {
    fc.assert(
      fc.property(digitsAndTwoPrices, ([digits, bid, ask]) => {
        const spread = getSpread(Number(decimalText(bid, digits)), Number(decimalText(ask, digits)), digits);
        expect(spread).toBe(Number(decimalText(ask - bid, digits)) + 0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("getSpreadPips", () => {
  test("gives one decimal, halves away from zero", () => {
    expect(getSpreadPips(1.08521, 1.08523, 0.0001)).toBe(0.2);
    expect(getSpreadPips(2400.123, 2400.458, 0.01)).toBe(33.5);
    expect(getSpreadPips(100, 100.25, 1)).toBe(0.3);
    expect(getSpreadPips(100.25, 100, 1)).toBe(-0.3);
    expect(getSpreadPips(60000, 60000.05, 1)).toBe(0.1);
  });

  test("never returns minus zero", () => {
    expect(Object.is(getSpreadPips(1.1, 1.1, 0.0001), 0)).toBe(true);
    expect(Object.is(getSpreadPips(100.01, 100, 1), 0)).toBe(true);
  });

  test("agrees with decimal arithmetic for every pip size and prices up to 200,000", () => {
    const quoteAndPip = fc
      .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3 }))
      .filter(([pipDigits, finer]) => pipDigits + finer <= 6)
      .chain(([pipDigits, finer]) => {
        const points = pointsWith(pipDigits + finer);
        return fc.record({ pipDigits: fc.constant(pipDigits), finer: fc.constant(finer), bid: points, ask: points });
      });
    fc.assert(
      fc.property(quoteAndPip, ({ pipDigits, finer, bid, ask }) => {
        const digits = pipDigits + finer;
        const tenths = divideRounded((ask - bid) * 10n, 10n ** BigInt(finer));
        const pips = getSpreadPips(
          Number(decimalText(bid, digits)),
          Number(decimalText(ask, digits)),
          Number(`1e-${pipDigits}`),
        );
        expect(pips).toBe(Number(decimalText(tenths, 1)) + 0);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    [60_000, 60_250, 100, 2.5],
    [60_000, 60_250, 10, 25],
    [0.00001234, 0.00001241, 1e-7, 0.7],
    [0.0000012345, 0.0000012355, 1e-9, 1],
    [0.0000000012, 0.0000000019, 1e-10, 7],
    [0.1, 0.3, 1e-10, 2e9],
  ])("is exact for %s and %s with a pip of %s", (bid, ask, pip, expected) => {
    expect(getSpreadPips(bid, ask, pip)).toBe(expected);
    expect(getSpreadPips(ask, bid, pip)).toBe(-expected);
  });

  test.each([0.25, 1000, 1e-11, 0, NaN])("refuses %s, which is no power of ten from 100 to 1e-10", (pip) => {
    expect(() => getSpreadPips(1, 2, pip)).toThrow(RangeError);
  });
});

describe("formatPrice", () => {
  test("writes exactly the symbol's digits", () => {
    expect(formatPrice(1.085, 5)).toBe("1.08500");
    expect(formatPrice(1.005, 2)).toBe("1.01");
    expect(formatPrice(38000, 0)).toBe("38000");
    expect(formatPrice(-0.000001, 2)).toBe("0.00");
  });

  test("reads back as the rounded price", () => {
    fc.assert(
      fc.property(digitsAndTwoPrices, ([digits, points]) => {
        expect(formatPrice(Number(decimalText(points, digits)), digits)).toBe(decimalText(points, digits));
      }),
    );
  });
});
