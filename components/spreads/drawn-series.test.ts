import { describe, expect, it } from "vitest";
import { drawnSeries, pointAt, timeText, timeTicks } from "@/components/spreads/drawn-series";
import type { SpreadPoint } from "@/components/spreads/spread-data";

const at = (time: string) => Date.parse(`2026-11-20T${time}:00Z`);
const point = (time: string, avg: number): SpreadPoint => [at(time), avg, avg - 0.2, avg + 0.3, avg - 0.4, avg + 1];

describe("the drawn series", () => {
  it("is steps, broken where nothing was recorded, and ends now", () => {
    const drawn = drawnSeries([point("10:00", 1), point("10:15", 2), point("11:00", 3)], at("11:05"));
    expect(drawn.map(({ timeMs, avg }) => [new Date(timeMs).toISOString().slice(11, 16), avg])).toEqual([
      ["10:00", 1],
      ["10:15", 2],
      ["10:30", 2],
      ["10:30", null],
      ["11:00", 3],
      ["11:05", 3],
    ]);
    expect(drawnSeries([], at("11:05"))).toEqual([]);
  });

  it("is read at any moment of a quarter", () => {
    const series = [point("10:00", 1), point("10:30", 2)];
    expect(pointAt(series, at("10:14"))?.[1]).toBe(1);
    expect(pointAt(series, at("10:15"))).toBeUndefined();
  });
});

describe("the axis of time", () => {
  it("marks round moments", () => {
    const ticks = timeTicks(at("10:07"), at("11:07"), 8);
    expect(ticks.map((timeMs) => timeText(timeMs, 3_600_000))).toEqual(["10:15", "10:30", "10:45", "11:00"]);
  });

  it("marks days where a day is too short to be told apart", () => {
    const ticks = timeTicks(at("10:00") - 7 * 86_400_000, at("10:00"), 8);
    expect(ticks).toHaveLength(7);
    expect(timeText(ticks[0] as number, 7 * 86_400_000)).toBe("14 Nov");
  });
});
