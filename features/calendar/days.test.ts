import { expect, test } from "vitest";
import { findStepDate, formatDays, getDays, getToday, hasToday } from "@/features/calendar/days";
import type { CalendarRange } from "@/features/calendar/url";

const day = (date: string) => Date.parse(`${date}T00:00:00Z`);
const SUNDAY = day("2026-11-22");
const show = (range: CalendarRange, date: string | null, todayMs = SUNDAY) => {
  const { firstMs, lastMs } = getDays({ range, date }, todayMs);
  return [firstMs, lastMs].map((ms) => new Date(ms).toISOString().slice(0, 10));
};

test("A week lasts from Sunday to Saturday and a month from its first day to its last", () => {
  expect(show("week", null)).toEqual(["2026-11-22", "2026-11-28"]);
  expect(show("week", null, day("2026-11-28"))).toEqual(["2026-11-22", "2026-11-28"]);
  expect(show("week", "2026-12-31")).toEqual(["2026-12-27", "2027-01-02"]);
  expect(show("month", null)).toEqual(["2026-11-01", "2026-11-30"]);
  expect(show("month", "2028-02-29")).toEqual(["2028-02-01", "2028-02-29"]);
  expect(show("today", "2026-11-24")).toEqual(["2026-11-24", "2026-11-24"]);
  expect(show("near", null)).toEqual(["2026-11-21", "2026-11-25"]);
});

test("A step leads to the days before or after, and back to the present without a date", () => {
  const step = (range: CalendarRange, date: string | null, by: -1 | 1) => findStepDate({ range, date }, SUNDAY, by);
  expect(step("week", null, 1)).toBe("2026-11-29");
  expect(step("week", null, -1)).toBe("2026-11-21");
  expect(step("week", "2026-11-29", -1)).toBeNull();
  expect(step("month", null, -1)).toBe("2026-10-31");
  expect(step("month", "2026-10-31", 1)).toBeNull();
  expect(step("today", "2026-11-24", 1)).toBe("2026-11-25");
  expect(step("today", "2026-11-23", -1)).toBeNull();
});

test("Today is the date of the chosen zone", () => {
  const lateMs = Date.parse("2026-11-21T20:00:00Z");
  expect(getToday("UTC", lateMs)).toBe(day("2026-11-21"));
  expect(getToday("Asia/Tokyo", lateMs)).toBe(SUNDAY);
  expect(hasToday({ range: "week", date: "2026-11-28" }, SUNDAY)).toBe(true);
  expect(hasToday({ range: "week", date: "2026-11-29" }, SUNDAY)).toBe(false);
});

test("The shown days are written out", () => {
  const write = (range: CalendarRange, date: string) => formatDays(range, getDays({ range, date }, SUNDAY));
  expect(write("week", "2026-11-22")).toBe("22 Nov – 28 Nov 2026");
  expect(write("week", "2026-12-31")).toBe("27 Dec – 2 Jan 2027");
  expect(write("today", "2026-11-22")).toBe("Sunday 22 November 2026");
  expect(write("month", "2026-11-22")).toBe("November 2026");
});
