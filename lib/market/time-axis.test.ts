import { describe, expect, test } from "vitest";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { TradingHours } from "@/lib/market/instrument";
import { findLastBefore, TimeAxis } from "@/lib/market/time-axis";
import { getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const hours = instrumentBySymbol.get("EURUSD")?.tradingHours as TradingHours;
/** Friday, 21:00 UTC, an hour before New York closes in winter. */
const FRIDAY = Date.UTC(2026, 10, 27, 21);
/** Sunday, 22:00 UTC. */
const SUNDAY = Date.UTC(2026, 10, 29, 22);

function createAxis(timeframe: Timeframe, fromMs: number, count: number, stepMs = HOUR_MS): TimeAxis {
  const starts = Array.from({ length: count }, (_, at) => fromMs + at * stepMs).filter((ms) => isMarketOpen(hours, ms));
  const axis = new TimeAxis(timeframe, hours);
  axis.update([...new Set(starts.map((ms) => getBarStart(timeframe, ms)))].map((ms) => [ms]));
  return axis;
}

describe("A moment on the time axis", () => {
  test("lies between bars where it is within one", () => {
    const axis = createAxis("H1", FRIDAY - 10 * HOUR_MS, 11);
    expect(axis.toLogical(FRIDAY - 9 * HOUR_MS - 30 * MINUTE_MS)).toBe(0.5);
    expect(axis.toLogical(FRIDAY)).toBe(10);
    expect(axis.toLogical(FRIDAY + 15 * MINUTE_MS)).toBe(10.25);
  });

  test("of next week stays where it is when the weekend is over", () => {
    const before = createAxis("H1", FRIDAY - 10 * HOUR_MS, 11);
    const after = createAxis("H1", FRIDAY - 10 * HOUR_MS, 70);
    for (const ms of [SUNDAY, SUNDAY + 30 * MINUTE_MS, SUNDAY + 4 * HOUR_MS]) {
      expect(before.toLogical(ms)).toBe(after.toLogical(ms));
    }
    expect(before.toLogical(SUNDAY)).toBe(11);
    expect(before.toLogical(FRIDAY + 20 * HOUR_MS)).toBe(11);
  });

  test("before the first bar lies where its bar will be once it is loaded", () => {
    const few = createAxis("H1", SUNDAY + 2 * HOUR_MS, 5);
    const many = createAxis("H1", FRIDAY - 10 * HOUR_MS, 75);
    const missing = many.toLogical(SUNDAY + 2 * HOUR_MS);
    for (const ms of [SUNDAY, FRIDAY, FRIDAY - 7.5 * HOUR_MS]) {
      expect(few.toLogical(ms)).toBeCloseTo(many.toLogical(ms) - missing, 9);
    }
  });

  test.each(["M5", "H1", "H4", "D1", "W1"] as const)("is the same there and back on %s", (timeframe) => {
    const axis = createAxis(timeframe, Date.UTC(2026, 9, 1), 24 * 30);
    for (const logical of [-3_000, -40, -1, 0, 3, 7, 25, 400, 3_000]) {
      expect(axis.toLogical(axis.toMs(logical))).toBeCloseTo(logical, 6);
    }
  });

  test("is open, however far ahead it is chosen", () => {
    const axis = createAxis("H1", FRIDAY - 10 * HOUR_MS, 11);
    const chosen = Array.from({ length: 300 }, (_, ahead) => axis.toMs(11 + ahead));
    expect(chosen.filter((ms) => !isMarketOpen(hours, ms))).toEqual([]);
  });

  test("far beyond the computed bars keeps the mean distance of a week", () => {
    const axis = createAxis("M1", FRIDAY - 60 * MINUTE_MS, 60, MINUTE_MS);
    const year = axis.toLogical(FRIDAY + 365 * 24 * HOUR_MS);
    expect(year / (365 * 24 * 60)).toBeGreaterThan(0.68);
    expect(year / (365 * 24 * 60)).toBeLessThan(0.74);
  });
});

test("the last bar at or before a moment is found in a list of any length", () => {
  for (let count = 1; count < 20; count++) {
    const list = Array.from({ length: count }, (_, index) => index * 10);
    for (let ms = 0; ms < count * 10 + 5; ms++) {
      expect(findLastBefore(list, ms)).toBe(Math.min(Math.floor(ms / 10), count - 1));
    }
  }
});
