import { expect, test } from "vitest";
import { findLateStart } from "@/features/spreads/data";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

test("A source that was recorded for a part of the period only names its beginning", () => {
  expect(findLateStart(3 * HOUR_MS, HOUR_MS)).toBe(3 * HOUR_MS);
  expect(findLateStart(HOUR_MS + 10 * MINUTE_MS, HOUR_MS)).toBeNull();
  expect(findLateStart(undefined, HOUR_MS)).toBeNull();
  expect(findLateStart(HOUR_MS, undefined)).toBeNull();
});
