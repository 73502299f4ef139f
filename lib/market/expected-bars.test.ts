import { describe, expect, test } from "vitest";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { countExpectedBars } from "@/lib/market/expected-bars";
import type { Instrument } from "@/lib/market/instrument";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const hoursOf = (symbol: string) => (instrumentBySymbol.get(symbol) as Instrument).tradingHours;
/** A Wednesday in winter. */
const WEDNESDAY = Date.UTC(2026, 0, 14);

describe("the bars a recording without holes has", () => {
  test("are all of a trading day's, and five days a week", () => {
    expect(countExpectedBars(hoursOf("EURUSD"), "M1", WEDNESDAY, WEDNESDAY + HOUR_MS)).toBe(60);
    const sunday = Date.UTC(2026, 0, 11, 22);
    expect(countExpectedBars(hoursOf("EURUSD"), "D1", sunday, sunday + 7 * DAY_MS)).toBe(5);
    expect(countExpectedBars(hoursOf("EURUSD"), "H1", sunday, sunday + 7 * DAY_MS)).toBe(120);
    expect(countExpectedBars(hoursOf("BTCUSD"), "H1", sunday, sunday + 7 * DAY_MS)).toBe(168);
  });

  test("begin with the first that opens in the range, and end before its end", () => {
    expect(countExpectedBars(hoursOf("EURUSD"), "M5", WEDNESDAY + 1, WEDNESDAY + 600_000)).toBe(1);
    expect(countExpectedBars(hoursOf("EURUSD"), "M5", WEDNESDAY, WEDNESDAY + 600_001)).toBe(3);
    expect(countExpectedBars(hoursOf("EURUSD"), "M5", WEDNESDAY, WEDNESDAY)).toBe(0);
  });

  test("are not counted over a range without an end", () => {
    expect(countExpectedBars(hoursOf("EURUSD"), "M1", 0, WEDNESDAY)).toBeNull();
  });
});
