import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyBars } from "@/lib/analytics/indicators/bars.fixture";
import { findKeyLevels } from "@/lib/analytics/key-levels";

const createBars = (highs: number[], depth = 1) =>
  highs.map((high, i) => ({
    timeMs: i,
    open: high - depth,
    high,
    low: high - depth,
    close: high,
    volume: 1,
  }));

describe("key levels", () => {
  test("Key levels are the highs and lows at which the market turned, nearest first", () => {
    const bars = createBars([10, 11, 15, 12, 9, 12, 14, 18, 14, 13, 12]);
    expect(findKeyLevels(bars, 13, 0)).toEqual({ resistance: [15, 18], support: [8] });
    expect(findKeyLevels(bars, 16, 0)).toEqual({ resistance: [18], support: [8] });
  });

  test("A turn that the next two bars have not confirmed is not a level", () => {
    expect(findKeyLevels(createBars([10, 11, 15, 12]), 13, 0).resistance).toEqual([]);
    expect(findKeyLevels(createBars([10, 11, 15, 12, 12]), 13, 0).resistance).toEqual([15]);
  });

  test("Key levels are at most three a side, on their side of the price, and at least the minimum distance apart", () => {
    fc.assert(
      fc.property(anyBars(250), fc.double({ min: 1, max: 1.8, noNaN: true }), (bars, price) => {
        const apart = 0.02;
        const { resistance, support } = findKeyLevels(bars, price, apart);
        const above = [price, ...resistance];
        const below = [price, ...support].map((level) => -level);
        for (const side of [above, below]) {
          expect(side.length).toBeLessThanOrEqual(4);
          side.slice(1).forEach((level, i) => expect(level).toBeGreaterThan(side[i]!));
          side.slice(2).forEach((level, i) => expect(level - side[i + 1]!).toBeGreaterThanOrEqual(apart));
        }
      }),
    );
  });
});
