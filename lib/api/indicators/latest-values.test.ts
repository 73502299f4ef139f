import { describe, expect, test } from "vitest";
import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { getLatestReading as getReading } from "@/lib/api/indicators/latest-values";
import type { Bar } from "@/lib/market/bar";

const average = findIndicator("SMA_10") as IndicatorDefinition;

function readBars(closes: readonly number[]): Bar[] {
  return closes.map((close, at) => ({ timeMs: at * 60_000, open: close, high: close, low: close, close, volume: 1 }));
}

function getLatestReading(indicator: IndicatorDefinition, closed: readonly Bar[], digits: number): number | null {
  return getReading(indicator, { closed, past: null }, digits);
}

/** Creates an indicator that counts its runs. */
function createCounted(): { indicator: IndicatorDefinition; runs: () => number } {
  let runs = 0;
  const create = () => {
    runs++;
    return average.create();
  };
  return { indicator: { ...average, create }, runs: () => runs };
}

describe("the latest reading", () => {
  test("is computed once for each array of closed bars", () => {
    const { indicator, runs } = createCounted();
    const closed = readBars([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(getLatestReading(indicator, closed, 5)).toBe(5.5);
    expect(getLatestReading(indicator, closed, 5)).toBe(5.5);
    expect(runs()).toBe(1);
    expect(getLatestReading(indicator, [...closed, ...readBars([21])], 5)).toBe(7.5);
    expect(runs()).toBe(2);
  });

  test("is computed once even if there are too few bars", () => {
    const { indicator, runs } = createCounted();
    const closed = readBars([1, 2, 3]);
    expect(getLatestReading(indicator, closed, 5)).toBeNull();
    expect(getLatestReading(indicator, closed, 5)).toBeNull();
    expect(runs()).toBe(1);
  });

  test("is cached separately for each indicator", () => {
    const closed = readBars(Array.from({ length: 20 }, (_, at) => at));
    expect(getLatestReading(average, closed, 5)).toBe(14.5);
    expect(getLatestReading(findIndicator("SMA_20") as IndicatorDefinition, closed, 5)).toBe(9.5);
  });

  test("is rounded to two decimals more than the prices of the symbol", () => {
    const closed = readBars([1, 1, 1, 1, 1, 1, 1, 1, 1, 1.00001 / 3]);
    expect(getLatestReading(average, closed, 5)).toBe(0.9333337);
    expect(getLatestReading(average, [...closed], 2)).toBe(0.9333);
  });
});
