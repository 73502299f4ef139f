import { expect, test } from "vitest";
import { countDaysAhead, findDay, readSessionsChoice, toSessionsHref } from "@/features/sessions/url";

const SATURDAY_EVENING = Date.parse("2026-11-21T20:00:00Z");

test("The zone and the day are read from the address written for them", () => {
  const choice = { zone: "Asia/Tokyo", day: "2026-11-24" };
  expect(toSessionsHref(choice)).toBe("/sessions?zone=Asia/Tokyo&day=2026-11-24");
  expect(readSessionsChoice(choice)).toEqual(choice);
  expect(toSessionsHref(readSessionsChoice({ zone: "Mars/Base", day: "2026-02-30" }))).toBe("/sessions");
});

test("A day is counted from today in its zone", () => {
  expect(countDaysAhead({ zone: "UTC", day: "2026-11-23" }, SATURDAY_EVENING)).toBe(2);
  expect(countDaysAhead({ zone: "Asia/Tokyo", day: "2026-11-23" }, SATURDAY_EVENING)).toBe(1);
  expect(findDay("Asia/Tokyo", 1, SATURDAY_EVENING)).toBe("2026-11-23");
  expect(findDay("UTC", -1, SATURDAY_EVENING)).toBe("2026-11-20");
  expect(findDay("UTC", 0, SATURDAY_EVENING)).toBeNull();
});

test("A day that the page cannot show is replaced by today", () => {
  for (const day of ["2026-11-19", "2026-11-29", null]) {
    expect(countDaysAhead({ zone: "UTC", day }, SATURDAY_EVENING)).toBe(0);
  }
});
