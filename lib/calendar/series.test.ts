import { expect, test } from "vitest";
import type { CalendarEvent } from "@/lib/calendar/event";
import { createTestEvent } from "@/lib/calendar/event.fixture";
import { findFrequency, listSeries } from "@/lib/calendar/series";
import { applyChanges } from "@/lib/calendar/sorted-events";

const DAY_MS = 86_400_000;
const create = (id: string, day: number, change: Partial<CalendarEvent>) =>
  createTestEvent({
    id,
    key: id,
    timeMs: day * DAY_MS,
    stream: "primary",
    provider: "mt5",
    currency: "USD",
    ...change,
  });

test("A series has the releases of its id, and one of two rows of the same release", () => {
  const events = [
    create("a", 1, { seriesId: "cpi", title: "CPI (Jan)" }),
    create("b", 2, { seriesId: "cpi", title: "CPI (Feb)" }),
    create("c", 2, { seriesId: "cpi", title: "CPI (Feb)", provider: "file", actual: "0.2%" }),
    create("d", 3, { seriesId: "ppi", title: "PPI" }),
  ];
  const sorted = applyChanges([], new Map(), events);
  expect(listSeries(sorted, events[0] as CalendarEvent).map(({ id }) => id)).toEqual(["a", "c"]);
});

test("Events without a series belong together by the title that one source gives them", () => {
  const row = { stream: "secondary", seriesId: null, title: "CPI m/m" } as const;
  const events = [
    create("a", 1, row),
    create("b", 2, row),
    create("c", 3, { ...row, provider: "other" }),
    create("d", 4, { ...row, title: "PPI m/m" }),
  ];
  const sorted = applyChanges([], new Map(), events);
  expect(listSeries(sorted, events[0] as CalendarEvent).map(({ id }) => id)).toEqual(["a", "b"]);
});

test("The frequency follows from the times of at least three releases", () => {
  expect(findFrequency([0, 7, 14, 20])).toBe("weekly");
  expect(findFrequency([0, 31, 59])).toBe("monthly");
  expect(findFrequency([0, 91, 183])).toBe("quarterly");
  expect(findFrequency([0, 31])).toBeNull();
  expect(findFrequency([0, 31, 90])).toBeNull();
});
