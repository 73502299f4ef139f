import { describe, expect, test } from "vitest";
import type { Direction } from "@/lib/alerts/conditions/condition";
import { choosePrice, findSide, hasCrossed, type Side } from "@/lib/alerts/conditions/price-cross";

/** The prices at which a level of 1.1 is crossed. */
function findCrossings(prices: readonly number[], direction: Direction, before: Side | null = null): number[] {
  let side = before;
  return prices.filter((price) => {
    const after = findSide(price, 1.1);
    const crossed = hasCrossed(side, after, direction);
    side = after;
    return crossed;
  });
}

describe("a price alert", () => {
  test("fires when the price reaches or passes its level, in its direction", () => {
    const prices = [1.09, 1.11, 1.12, 1.08, 1.07, 1.1, 1.06];
    expect(findCrossings(prices, "up")).toEqual([1.11, 1.1]);
    expect(findCrossings(prices, "down")).toEqual([1.08]);
    expect(findCrossings(prices, "either")).toEqual([1.11, 1.08, 1.1]);
  });

  test("fires once for a price that reaches the level, then leaves it to either side", () => {
    expect(findCrossings([1.09, 1.1, 1.11], "either")).toEqual([1.1]);
    expect(findCrossings([1.09, 1.1, 1.09], "either")).toEqual([1.1]);
    expect(findCrossings([1.11, 1.1, 1.1, 1.09], "down")).toEqual([1.1]);
  });

  test("fires at the first price beyond the level after a gap, also across a restart", () => {
    expect(findCrossings([1.3], "up", -1)).toEqual([1.3]);
    expect(findCrossings([0.9], "down", 1)).toEqual([0.9]);
    expect(findCrossings([1.3], "down", -1)).toEqual([]);
  });

  test("does not fire at its first price, wherever that is", () => {
    for (const price of [1.09, 1.1, 1.11]) expect(findCrossings([price], "either")).toEqual([]);
  });

  test("compares the bid, the ask or their mean", () => {
    const quote = { bid: 1, ask: 3 };
    expect([choosePrice(quote, "bid"), choosePrice(quote, "ask"), choosePrice(quote, "mid")]).toEqual([1, 3, 2]);
  });
});
