import { expect, test } from "vitest";
import { formatBarTime } from "@/features/ticks/time-text";
import { DAY_MS, WEEK_MS } from "@/lib/time/units";

test("The axis of bars shows the year where the bars are of more than one", () => {
  const ms = Date.parse("2026-11-21T13:05:00Z");
  expect(formatBarTime(ms, "M5", DAY_MS)).toBe("13:05");
  expect(formatBarTime(ms, "D1", 120 * DAY_MS)).toBe("21 Nov");
  expect(formatBarTime(ms, "W1", 120 * WEEK_MS)).toBe("Nov 2026");
});
