import { describe, expect, test } from "vitest";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { countExpectedBars } from "@/lib/market/trading-hours";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const findHours = (symbol: string) => (instrumentBySymbol.get(symbol) as Instrument).tradingHours;
/** A Wednesday in winter. */
const WEDNESDAY = Date.UTC(2026, 0, 14);

describe("countExpectedBars", () => {
  test("counts all bars of a trading day, and five days a week", () => {
    expect(countExpectedBars(findHours("EURUSD"), "M1", WEDNESDAY, WEDNESDAY + HOUR_MS)).toBe(60);
    const sunday = Date.UTC(2026, 0, 11, 22);
    expect(countExpectedBars(findHours("EURUSD"), "D1", sunday, sunday + 7 * DAY_MS)).toBe(5);
    expect(countExpectedBars(findHours("EURUSD"), "H1", sunday, sunday + 7 * DAY_MS)).toBe(120);
    expect(countExpectedBars(findHours("BTCUSD"), "H1", sunday, sunday + 7 * DAY_MS)).toBe(168);
  });

  test("counts the bars that open in the range", () => {
    expect(countExpectedBars(findHours("EURUSD"), "M5", WEDNESDAY + 1, WEDNESDAY + 600_000)).toBe(1);
    expect(countExpectedBars(findHours("EURUSD"), "M5", WEDNESDAY, WEDNESDAY + 600_001)).toBe(3);
    expect(countExpectedBars(findHours("EURUSD"), "M5", WEDNESDAY, WEDNESDAY)).toBe(0);
  });

  test("returns null for a range that is too long", () => {
    expect(countExpectedBars(findHours("EURUSD"), "M1", 0, WEDNESDAY)).toBeNull();
  });
});
