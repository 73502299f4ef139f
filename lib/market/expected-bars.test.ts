import { describe, expect, it } from "vitest";
import { countExpectedBars } from "@/lib/market/expected-bars";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";

const hoursOf = (symbol: string) => (instrumentBySymbol.get(symbol) as Instrument).tradingHours;
const DAY_MS = 86_400_000;
/** A Wednesday in winter. */
const WEDNESDAY = Date.UTC(2026, 0, 14);

describe("the bars a recording without holes has", () => {
  it("are all of a trading day's, and five days a week", () => {
    expect(countExpectedBars(hoursOf("EURUSD"), "M1", WEDNESDAY, WEDNESDAY + 3_600_000)).toBe(60);
    const sunday = Date.UTC(2026, 0, 11, 22);
    expect(countExpectedBars(hoursOf("EURUSD"), "D1", sunday, sunday + 7 * DAY_MS)).toBe(5);
    expect(countExpectedBars(hoursOf("EURUSD"), "H1", sunday, sunday + 7 * DAY_MS)).toBe(120);
    expect(countExpectedBars(hoursOf("BTCUSD"), "H1", sunday, sunday + 7 * DAY_MS)).toBe(168);
  });

  it("begin with the first that opens in the range, and end before its end", () => {
    expect(countExpectedBars(hoursOf("EURUSD"), "M5", WEDNESDAY + 1, WEDNESDAY + 600_000)).toBe(1);
    expect(countExpectedBars(hoursOf("EURUSD"), "M5", WEDNESDAY, WEDNESDAY + 600_001)).toBe(3);
    expect(countExpectedBars(hoursOf("EURUSD"), "M5", WEDNESDAY, WEDNESDAY)).toBe(0);
  });

  it("are not counted over a range without an end", () => {
    expect(countExpectedBars(hoursOf("EURUSD"), "M1", 0, WEDNESDAY)).toBeNull();
  });
});
