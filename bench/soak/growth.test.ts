import { describe, expect, test } from "vitest";
import { isSteady, isSteadyByHours, measureGrowth, type Point } from "@/bench/soak/growth";
import { HOUR_MS } from "@/lib/time/units";

const STEP_MS = 30_000;

/** Points of some hours, from the hours since the first to a value. */
function draw(hours: number, value: (hour: number) => number): Point[] {
  const count = (hours * HOUR_MS) / STEP_MS + 1;
  return Array.from({ length: count }, (_, nth) => ({ atMs: nth * STEP_MS, value: value((nth * STEP_MS) / HOUR_MS) }));
}

describe("the growth in a soak", () => {
  test("is that of the second half, in percent of its mean", () => {
    const growth = measureGrowth(draw(2, (hour) => (hour < 1 ? 400 * hour : 400 + 10 * (hour - 1))));
    expect(growth.perHour).toBeCloseTo(10, 6);
    expect(growth.percentPerHour).toBeCloseTo((10 / 405) * 100, 6);
    expect(isSteady(growth)).toBe(false);
  });

  test("is steady up to one percent an hour, and while it falls", () => {
    expect(isSteady(measureGrowth(draw(2, (hour) => 1_000 + 9 * hour)))).toBe(true);
    expect(isSteady(measureGrowth(draw(2, (hour) => 1_000 - 90 * hour)))).toBe(true);
    expect(isSteady(measureGrowth(draw(2, (hour) => 1_000 + 30 * hour)))).toBe(false);
  });

  test("is no growth if a count rises by less than one an hour", () => {
    expect(isSteady(measureGrowth(draw(2, (hour) => (hour > 1.9 ? 21 : 20))))).toBe(true);
  });

  test("cancels what every hour repeats when it compares with the hour before", () => {
    const growth = measureGrowth(draw(2, (hour) => 100 + 50 * ((hour + 0.1) % 1)));
    expect(growth.percentPerHour).toBeGreaterThan(10);
    expect(growth.percentSinceHourBefore).toBeCloseTo(0, 6);
    expect([isSteady(growth), isSteadyByHours(growth)]).toEqual([false, true]);
    expect(isSteadyByHours(measureGrowth(draw(2, (hour) => 100 + 2 * hour)))).toBe(false);
    expect(measureGrowth(draw(0.5, () => 1)).percentSinceHourBefore).toBeNull();
  });

  test("is none without points, with one point, or of zero", () => {
    for (const points of [[], draw(0, () => 5), draw(1, () => 0)])
      expect(measureGrowth(points)).toMatchObject({ perHour: 0, percentPerHour: 0 });
  });
});
