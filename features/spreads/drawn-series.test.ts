import { describe, expect, test } from "vitest";
import { computeTimeTicks, findPoint, formatAxisTime, toDrawnSeries } from "@/features/spreads/drawn-series";
import type { SpreadPoint } from "@/features/spreads/types";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_HOUR_MS } from "@/lib/time/units";

const at = (time: string) => Date.parse(`2026-11-20T${time}:00Z`);
const point = (time: string, avg: number): SpreadPoint => [at(time), avg, avg - 0.2, avg + 0.3, avg - 0.4, avg + 1];

describe("The drawn series", () => {
  test("consists of steps, has gaps where nothing was recorded, and ends now", () => {
    const drawn = toDrawnSeries(
      [point("10:00", 1), point("10:15", 2), point("11:00", 3)],
      QUARTER_HOUR_MS,
      at("11:05"),
    );
    expect(drawn.map(({ timeMs, avg }) => [new Date(timeMs).toISOString().slice(11, 16), avg])).toEqual([
      ["10:00", 1],
      ["10:15", 2],
      ["10:30", 2],
      ["10:30", null],
      ["11:00", 3],
      ["11:05", 3],
    ]);
    expect(toDrawnSeries([], QUARTER_HOUR_MS, at("11:05"))).toEqual([]);
  });

  test("has steps of a minute if the period is an hour", () => {
    const drawn = toDrawnSeries([point("10:00", 1), point("10:01", 2)], MINUTE_MS, at("10:05"));
    expect(drawn.map(({ timeMs }) => new Date(timeMs).toISOString().slice(11, 16))).toEqual([
      "10:00",
      "10:01",
      "10:02",
    ]);
  });

  test("has one point for every time in a quarter of an hour", () => {
    const series = [point("10:00", 1), point("10:30", 2)];
    expect(findPoint(series, QUARTER_HOUR_MS, at("10:14"))?.[1]).toBe(1);
    expect(findPoint(series, QUARTER_HOUR_MS, at("10:15"))).toBeUndefined();
  });
});

describe("The time axis", () => {
  test("marks round times", () => {
    const ticks = computeTimeTicks(at("10:07"), at("11:07"), 8);
    expect(ticks.map((timeMs) => formatAxisTime(timeMs, HOUR_MS))).toEqual(["10:15", "10:30", "10:45", "11:00"]);
  });

  test("marks days if the span is several days", () => {
    const ticks = computeTimeTicks(at("10:00") - 7 * DAY_MS, at("10:00"), 8);
    expect(ticks).toHaveLength(7);
    expect(formatAxisTime(ticks[0] as number, 7 * DAY_MS)).toBe("14 Nov");
  });
});
