import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  alignPoints,
  cleanPrice,
  countDigits,
  formatPrice,
  formatSentPrice,
  formatSpreadPips,
  getSpread,
  getSpreadPips,
  hasDigits,
  MAX_POINTS,
  roundPrice,
  toPoints,
  toPrice,
} from "@/lib/market/price";
import { manyRuns } from "@/lib/text/property-runs.fixture";

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
      { numRuns: manyRuns(2_000) },
    );
  });

  test("refuses a number of digits that no price has", () => {
    for (const digits of [-1, 1.5, 14, Number.NaN]) expect(() => roundPrice(1, digits)).toThrow(RangeError);
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
      { numRuns: manyRuns(2_000) },
    );
  });
});

describe("getSpreadPips", () => {
  test("has as many decimals as a point needs", () => {
    expect(getSpreadPips(1.08521, 1.08523, { pipSize: 0.0001, digits: 5 })).toBe(0.2);
    expect(getSpreadPips(2400.123, 2400.458, { pipSize: 0.01, digits: 3 })).toBe(33.5);
    expect(getSpreadPips(0.1234567, 0.1234571, { pipSize: 0.0001, digits: 7 })).toBe(0.004);
    expect(getSpreadPips(100, 100.25, { pipSize: 1, digits: 2 })).toBe(0.25);
    expect(getSpreadPips(60000, 60010, { pipSize: 1, digits: 0 })).toBe(10);
    expect(getSpreadPips(60000, 60010, { pipSize: 0.1, digits: 0 })).toBe(100);
  });

  test("never returns minus zero", () => {
    expect(Object.is(getSpreadPips(1.1, 1.1, { pipSize: 0.0001, digits: 5 }), 0)).toBe(true);
  });

  test("agrees with decimal arithmetic for every pip size and prices up to 200,000", () => {
    const quoteAndPip = fc
      .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
      .chain(([pipDigits, finer]) => {
        const points = pointsWith(pipDigits + finer);
        return fc.record({ pipDigits: fc.constant(pipDigits), finer: fc.constant(finer), bid: points, ask: points });
      });
    fc.assert(
      fc.property(quoteAndPip, ({ pipDigits, finer, bid, ask }) => {
        const digits = pipDigits + finer;
        const prices = [bid, ask].map((points) => Number(decimalText(points, digits))) as [number, number];
        const pips = getSpreadPips(...prices, { pipSize: Number(`1e-${pipDigits}`), digits });
        expect(pips).toBe(Number(decimalText(ask - bid, finer)) + 0);
      }),
      { numRuns: manyRuns(2_000) },
    );
  });

  test.each([
    [60_000, 60_250, 100, 2.5],
    [60_000, 60_250, 10, 25],
    [0.00001234, 0.00001241, 1e-7, 0.7],
    [0.0000012345, 0.0000012355, 1e-9, 1],
    [0.0000000012, 0.0000000019, 1e-10, 7],
    [0.1, 0.3, 1e-10, 2e9],
  ])("is exact for %s and %s with a pip of %s", (bid, ask, pipSize, expected) => {
    expect(getSpreadPips(bid, ask, { pipSize, digits: 10 })).toBe(expected);
    expect(getSpreadPips(ask, bid, { pipSize, digits: 10 })).toBe(-expected);
  });

  test.each([0.25, 1000, 1e-11, 0, NaN])("refuses %s, which is no power of ten from 100 to 1e-10", (pipSize) => {
    expect(() => getSpreadPips(1, 2, { pipSize, digits: 5 })).toThrow(RangeError);
  });
});

describe("countDigits", () => {
  test.each([
    [1.08523, 5],
    [0.1234571, 7],
    [60_000, 0],
    [1e-10, 10],
    [100_000.123456789, 9],
    [0.1 + 0.2, 1],
    [1.1 * 3, 1],
    [0.12345678912, 10],
    [250_000.1 + 2 ** -35, 1],
    [1e300, 0],
    [NaN, 0],
  ])("counts the decimals of %s without binary noise: %s", (price, digits) => {
    expect(countDigits(price)).toBe(digits);
    expect([hasDigits(price, digits), hasDigits(price, Math.max(0, digits - 1))]).toEqual([true, digits === 0]);
  });

  test("never takes away a digit of a price that a double can hold, and agrees with its text", () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 0, max: 10 })
          .chain((digits) => fc.tuple(fc.constant(digits), fc.bigInt({ min: 1n, max: BigInt(MAX_POINTS) }))),
        ([digits, points]) => {
          const price = Number(decimalText(points, digits));
          const found = countDigits(price);
          const text = decimalText(points, digits);
          expect(found).toBe(text.includes(".") ? text.replace(/0+$/, "").split(".")[1]?.length : 0);
          expect(toPoints(price, digits)).toBe(Number(points));
          expect(toPrice(Number(points), digits)).toBe(price);
          expect(toPrice(alignPoints(toPoints(price, found), found, digits), digits)).toBe(price);
        },
      ),
      { numRuns: manyRuns(5_000) },
    );
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

test("A sent price has its own digits if they are more than those of the symbol, and a spread in pips all of its", () => {
  expect(formatSentPrice(0.1234567, 5)).toBe("0.1234567");
  expect(formatSentPrice(1.1, 5)).toBe("1.10000");
  expect([0.004, 2, 33.5].map(formatSpreadPips)).toEqual(["0.004", "2.0", "33.5"]);
});

test("A number of 32 bits is the shortest decimal that it can mean, and a fraction of two stays what it is.", () => {
  for (const price of [1.6412, 20_345.67, 91_500.12, 0.00012345, 151.234])
    expect(cleanPrice(Math.fround(price), 5)).toBe(price);
  for (const price of [110.15625, 1.00390625, 0.5, 1.6411999, 0.1234567891]) expect(cleanPrice(price, 5)).toBe(price);
});
