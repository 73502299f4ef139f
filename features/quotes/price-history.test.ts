import { describe, expect, test } from "vitest";
import { createPriceHistory } from "@/features/quotes/price-history";
import type { WireRow } from "@/features/quotes/types";

const START_MS = Date.UTC(2026, 0, 5, 12);

function row(bid: number, symbol = "EURUSD"): WireRow {
  return [symbol, bid, bid + 0.0001, 1, START_MS, "broker-a", 0];
}

describe("createPriceHistory", () => {
  test("returns the last price of each second, oldest first", () => {
    const history = createPriceHistory();
    for (const [afterMs, bid] of [
      [0, 1.1],
      [400, 1.2],
      [1_000, 1.3],
    ] as const) {
      history.add([row(bid)], START_MS + afterMs, afterMs);
    }
    expect(history.read("EURUSD").map(({ timeMs, bid }) => [timeMs - START_MS, bid])).toEqual([
      [400, 1.2],
      [1_000, 1.3],
    ]);
  });

  test("returns five minutes and the price before them", () => {
    const history = createPriceHistory();
    for (let second = 0; second <= 400; second++) history.add([row(second)], START_MS + second * 1_000, second * 1_000);
    const points = history.read("EURUSD");
    expect(points[0]?.bid).toBe(99);
    expect(points.at(-1)?.bid).toBe(400);
    expect(points).toHaveLength(302);
  });

  test("returns an empty point where a gap starts", () => {
    const history = createPriceHistory();
    history.add([row(1.1)], START_MS, 0);
    history.add([], START_MS + 5_000, 5_000);
    history.add([row(1.2)], START_MS + 65_000, 65_000);
    expect(history.read("EURUSD").map(({ timeMs, bid }) => [timeMs - START_MS, bid])).toEqual([
      [0, 1.1],
      [5_000, null],
      [65_000, 1.2],
    ]);
  });

  test("returns no points for a symbol without quotes", () => {
    expect(createPriceHistory().read("EURUSD")).toEqual([]);
  });
});
