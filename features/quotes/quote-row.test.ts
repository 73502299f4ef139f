import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { flash, splitPrice } from "@/features/quotes/quote-row";

describe("splitPrice", () => {
  test.each([
    [1.08523, 5, 0.0001, "1.08", "52", "3"],
    [151.234, 3, 0.01, "151.", "23", "4"],
    [2345.67, 2, 0.1, "234", "5.6", "7"],
    [2345.67, 2, 0.01, "2345.", "67", ""],
    [18234.5, 1, 1, "182", "34.", "5"],
    [67345.12, 2, 1, "673", "45.", "12"],
    [189.4, 2, 0.01, "189.", "40", ""],
    [39012, 0, 1, "390", "12", ""],
    [0.00012, 5, 0.0001, "0.00", "01", "2"],
    [1, 5, 0.0001, "1.00", "00", "0"],
  ])("splits %d with %d digits and a pip of %d into %s %s %s", (price, digits, pipSize, lead, pips, pipette) => {
    expect(splitPrice(price, digits, pipSize)).toEqual({ lead, pips, pipette });
  });

  test("returns a price whole if a pip is not a power of ten of points", () => {
    expect(splitPrice(101.25, 2, 0.25)).toEqual({ lead: "101.25", pips: "", pipette: "" });
  });

  test("returns exactly the digits of the price", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.nat(6), fc.nat(3), (points, digits, pipetteDigits) => {
        const price = points / 10 ** digits;
        const parts = splitPrice(price, digits, 10 ** (pipetteDigits - digits));
        const read = parts.lead + parts.pips + parts.pipette;
        expect(Number(read)).toBe(price);
        expect(read.split(".")[1] ?? "").toHaveLength(digits);
      }),
    );
  });
});

/** The part of an element that a flash uses. */
function createElement() {
  const attributes = new Set<string>();
  return {
    setAttribute: (name: string) => void attributes.add(name),
    removeAttribute: (name: string) => void attributes.delete(name),
    isLit: () => attributes.has("data-flash"),
  };
}

test("Prices that move in one update are tinted together, and no longer than until the next update", () => {
  vi.useFakeTimers();
  const [first, second] = [createElement(), createElement()];
  const light = (element: typeof first): void => flash(element as unknown as Element);
  light(first);
  light(second);
  light(second);
  expect([first, second].map((each) => each.isLit())).toEqual([true, true]);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(249);
  expect([first, second].map((each) => each.isLit())).toEqual([false, false]);
  light(first);
  expect([first, second].map((each) => each.isLit())).toEqual([true, false]);
  vi.useRealTimers();
});
