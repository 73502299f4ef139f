import { describe, expect, test } from "vitest";
import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import {
  getLatestReading as getReading,
  rateSeries,
  type Screened,
  selectScreened,
} from "@/lib/api/indicators/latest-values";
import type { BarSeries } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS } from "@/lib/time/units";

const average = findIndicator("SMA_10") as IndicatorDefinition;

function readBars(closes: readonly number[]): Bar[] {
  return closes.map((close, at) => ({ timeMs: at * 60_000, open: close, high: close, low: close, close, volume: 1 }));
}

function getLatestReading(indicator: IndicatorDefinition, closed: readonly Bar[], digits: number): number | null {
  return getReading(indicator, { closed, past: null, holes: [] }, digits);
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

describe("The state of a series", () => {
  const instrument = instrumentBySymbol.get("EURUSD") as Instrument;
  const at = (text: string) => Date.parse(text);
  const bar = (time: string): Bar => ({ ...(readBars([1])[0] as Bar), timeMs: at(time) });
  const rate = (closed: readonly Bar[], forming: Bar | null, time: string) =>
    rateSeries({ closed, forming, past: null, holes: [] }, instrument, "H1", at(time));

  test("is null before the first closed bar", () => {
    expect(rate([], bar("2026-01-14T10:00:00Z"), "2026-01-14T10:30:00Z")).toBeNull();
  });

  test("changes with the clock while no bar closes", () => {
    const closed = [bar("2026-01-14T09:00:00Z")];
    expect(rate(closed, null, "2026-01-14T10:59:59Z")).toBe("current");
    expect(rate(closed, null, "2026-01-14T11:00:00Z")).toBe("behind");
    expect(rate(closed, null, "2026-01-15T07:00:00Z")).toBe("outdated");
    expect(rate(closed, null, "2026-01-14T10:00:00Z")).toBe("current");
  });

  test("stays current for the moment in which a bar that has ended is not closed yet", () => {
    const closed = [bar("2026-01-14T09:00:00Z")];
    expect(rate(closed, bar("2026-01-14T10:00:00Z"), "2026-01-14T11:00:01Z")).toBe("current");
    expect(rate(closed, bar("2026-01-14T10:00:00Z"), "2026-01-14T12:00:00Z")).toBe("behind");
  });

  test("is short while an indicator that remembers all bars is made of few of them, and nothing else is", () => {
    const timeMs = (back: number) => at("2026-01-14T09:00:00Z") - back * HOUR_MS;
    const list = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...(readBars([1])[0] as Bar),
        timeMs: timeMs(count - 1 - index),
      }));
    const rateFor = (name: string, series: Partial<BarSeries>) => {
      const whole = { closed: [], past: null, holes: [], forming: null, ...series };
      return rateSeries(whole, instrument, "H1", at("2026-01-14T10:30:00Z"), [
        findIndicator(name) as IndicatorDefinition,
      ]);
    };
    expect(["RSI_14", "EMA_50", "EMA_33"].map((name) => rateFor(name, { closed: list(90) }))).toEqual(
      Array(3).fill("short"),
    );
    // A window that is full, and a sum, are what they are.
    expect(["SMA_50", "OBV", "Stochastic_K"].map((name) => rateFor(name, { closed: list(90) }))).toEqual(
      Array(3).fill("current"),
    );
    expect(rateFor("RSI_14", { closed: list(100) })).toBe("current");
    expect(rateFor("EMA_50", { closed: list(249) })).toBe("short");
    expect(rateFor("EMA_50", { closed: list(250) })).toBe("current");
    expect(rateFor("RSI_14", { closed: list(90), past: [] })).toBe("current");
    const hole = { at: 60, fromMs: timeMs(200), untilMs: timeMs(29), missing: 100 };
    expect(rateFor("RSI_14", { closed: list(90), holes: [hole] })).toBe("current");
  });

  test("tells of old bars although a new one fills", () => {
    const old = [bar("2025-06-30T20:00:00Z")];
    expect(rate(old, bar("2026-01-14T11:00:00Z"), "2026-01-14T11:00:01Z")).toBe("outdated");
  });
});

describe("Screened markets", () => {
  const instrument = instrumentBySymbol.get("EURUSD") as Instrument;
  const row = (value: number, state: Screened["state"]): Screened => ({ instrument, value, barMs: 0, state });

  test("are sorted by value within the bounds, with outdated ones last in either order", () => {
    const rows = [row(70, "outdated"), row(30, "current"), row(10, "outdated"), row(50, "behind"), row(90, "current")];
    const list = (sort: "asc" | "desc") => selectScreened(rows, { min: 10, max: 70, sort }).map(({ value }) => value);
    expect(list("asc")).toEqual([30, 50, 10, 70]);
    expect(list("desc")).toEqual([50, 30, 70, 10]);
  });
});
