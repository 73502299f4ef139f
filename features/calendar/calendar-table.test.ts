import { expect, test } from "vitest";
import { groupByDay } from "@/features/calendar/day-groups";
import type { PageEvent } from "@/features/calendar/types";

const at = (time: string): PageEvent => ({
  ...{
    id: time,
    timeMs: Date.parse(`2026-11-${time}Z`),
    certainty: "exact",
    hasHour: true,
    currency: "USD",
    title: "CPI",
    impact: "high",
    kind: "figure",
  },
  ...{ forecast: "", previous: "", revised: null, actual: null, outcome: null, stream: "primary", seriesId: null },
});
const listLines = (times: string[], zone: string, now: string) =>
  groupByDay(times.map(at), zone, Date.parse(`2026-11-${now}Z`)).map((line) =>
    line.kind === "event" ? line.event.id : line.kind === "day" ? line.text : "NOW",
  );

test("The line of the present separates past from coming events, under the days of the chosen zone", () => {
  const times = ["20T23:30", "21T13:30", "22T01:00"];
  expect(listLines(times, "UTC", "21T12:00")).toEqual([
    "Friday 20 November",
    "20T23:30",
    "Today, Saturday 21 November",
    "NOW",
    "21T13:30",
    "Tomorrow, Sunday 22 November",
    "22T01:00",
  ]);
  expect(listLines(times, "Asia/Tokyo", "21T12:00")).toEqual([
    "Today, Saturday 21 November",
    "20T23:30",
    "NOW",
    "21T13:30",
    "Tomorrow, Sunday 22 November",
    "22T01:00",
  ]);
});

test("The line of the present comes before tomorrow, or last when every event is over", () => {
  expect(listLines(["21T08:00", "22T01:00"], "UTC", "21T12:00")[2]).toBe("NOW");
  expect(listLines(["21T08:00"], "UTC", "21T12:00").at(-1)).toBe("NOW");
  expect(listLines([], "UTC", "21T12:00")).toEqual([]);
});
