import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computePriceTicks } from "@/components/shared/chart-parts";

describe("The marks of a price axis", () => {
  test("are whole pips around the prices", () => {
    expect(computePriceTicks([1.14631, 1.14652], 0.0001).map((price) => price.toFixed(4))).toEqual([
      "1.1463",
      "1.1464",
      "1.1465",
      "1.1466",
    ]);
  });

  test("are two for a constant price and none without prices", () => {
    expect(computePriceTicks([155.5, 155.5], 0.01)).toHaveLength(2);
    expect(computePriceTicks([], 0.01)).toEqual([]);
  });

  test("enclose any prices with five marks at most", () => {
    const pips = fc.constantFrom(0.0001, 0.01, 0.1, 1);
    const price = fc.double({ min: 0.0001, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(price, { minLength: 1, maxLength: 20 }), pips, (prices, pipSize) => {
        const ticks = computePriceTicks(prices, pipSize);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(5);
        expect(ticks[0]).toBeLessThanOrEqual(Math.min(...prices) + pipSize / 1e3);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(...prices) - pipSize / 1e3);
      }),
    );
  });
});
