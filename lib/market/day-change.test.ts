import fc from "fast-check";
import { expect, test } from "vitest";
import { computeDayChange, extendDay, getDayPosition } from "@/lib/market/day-change";

const day = { startMs: 0, previousClose: 1.08, open: 1.081, high: 1.09, low: 1.07 };

test("A change is the difference in whole points, and its percentage of the price at the start of the day", () => {
  const points = fc.integer({ min: 1, max: 200_000 });
  fc.assert(
    fc.property(points, points, (from, to) => {
      const { change, percent } = computeDayChange({ previousClose: from / 1e5, open: 1 }, to / 1e5, 5);
      expect(change.toFixed(5)).toBe(((to - from) / 1e5).toFixed(5));
      expect(Math.abs(percent - (100 * (to - from)) / from)).toBeLessThanOrEqual(0.005 + 1e-9);
    }),
  );
  expect(computeDayChange(day, 1.0908, 5)).toEqual({ change: 0.0108, percent: 1 });
});

test("Without a price before the day, the change is measured from its first price", () => {
  expect(computeDayChange({ ...day, previousClose: null }, 1.081, 5)).toEqual({ change: 0, percent: 0 });
});

test("A price has a place in the range of its day, and extends it", () => {
  expect(getDayPosition(day, 1.075)).toBeCloseTo(0.25, 9);
  expect(getDayPosition(day, 1.2)).toBe(1);
  expect(getDayPosition({ high: 2, low: 2 }, 2)).toBe(0.5);
  expect(extendDay(day, 1.08)).toBe(day);
  expect(extendDay(day, 1.2)).toEqual({ ...day, high: 1.2 });
  expect(extendDay(day, 1)).toEqual({ ...day, low: 1 });
});
