import { expect, test } from "vitest";
import { fillSteps } from "@/features/spreads/spread-lines";
import { QUARTER_HOUR_MS } from "@/lib/time/units";

const at = (time: string) => Date.parse(`2026-11-20T${time}:00Z`);

test("Every step of the period has a place, and a value where something was recorded", () => {
  const period = { fromMs: at("10:07"), nowMs: at("11:05"), stepMs: QUARTER_HOUR_MS };
  const points = [
    [at("10:00"), 1, 0.5, 2],
    [at("10:15"), 2, 1, 3],
    [at("11:00"), 3, null, null],
  ] as const;
  expect(fillSteps(points, period)).toEqual([
    [at("10:00"), 1],
    [at("10:15"), 2],
    [at("10:30"), null],
    [at("10:45"), null],
    [at("11:00"), 3],
  ]);
  expect(fillSteps(points, period, 3).map(([, value]) => value)).toEqual([2, 3, null, null, null]);
  expect(fillSteps([], period).every(([, value]) => value === null)).toBe(true);
});
