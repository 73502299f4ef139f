import { expect, test } from "vitest";
import {
  findOverlaps,
  formatClock,
  getDayWindow,
  getPlace,
  getStatus,
  type SessionLine,
} from "@/features/sessions/session-days";

const utc = (text: string) => Date.parse(`${text}Z`);
const span = (from: string, until: string) => ({ fromMs: utc(from), untilMs: utc(until) });

const london: SessionLine = {
  name: "london",
  zone: "Europe/London",
  open: [span("2026-01-15T08:00", "2026-01-15T17:00"), span("2026-01-19T08:00", "2026-01-19T17:00")],
  holidays: [span("2026-01-16T08:00", "2026-01-16T17:00")],
};

test("The status of a session names its reason and the next change", () => {
  const opensAgainMs = utc("2026-01-19T08:00");
  expect(getStatus(london, utc("2026-01-15T08:00"))).toMatchObject({
    status: "open",
    changesAtMs: utc("2026-01-15T17:00"),
  });
  expect(getStatus(london, utc("2026-01-15T17:00"))).toMatchObject({ status: "closed", changesAtMs: opensAgainMs });
  expect(getStatus(london, utc("2026-01-16T12:00"))).toMatchObject({ status: "holiday", changesAtMs: opensAgainMs });
  expect(getStatus(london, utc("2026-01-17T12:00"))).toMatchObject({ status: "weekend", changesAtMs: opensAgainMs });
  expect(getStatus(london, utc("2026-01-19T18:00"))).toMatchObject({ status: "closed", changesAtMs: null });
});

test("Overlaps are the spans in which two sessions are open", () => {
  const newYork: SessionLine = { ...london, name: "new_york", open: [span("2026-01-15T13:00", "2026-01-15T22:00")] };
  expect(findOverlaps([london, newYork])).toEqual([
    { pair: ["london", "new_york"], ...span("2026-01-15T13:00", "2026-01-15T17:00") },
  ]);
});

test("A day lasts from midnight to midnight of its zone, also on the day of a clock change", () => {
  expect(getDayWindow("UTC", utc("2026-01-15T12:00"))).toMatchObject({
    ...span("2026-01-15T00:00", "2026-01-16T00:00"),
    date: "Thu 15 Jan",
  });
  expect(getDayWindow("Asia/Tokyo", utc("2026-01-15T18:00"))).toMatchObject(
    span("2026-01-15T15:00", "2026-01-16T15:00"),
  );
  const short = getDayWindow("Europe/London", utc("2026-03-29T12:00"));
  expect(short).toMatchObject(span("2026-03-29T00:00", "2026-03-29T23:00"));
  expect(short.ticks.map(({ label }) => label)).toEqual(["00", "03", "06", "09", "12", "15", "18", "21", "24"]);
  expect(short.ticks[1]?.atMs).toBe(utc("2026-03-29T02:00"));
});

test("A span is cut to the day", () => {
  const day = span("2026-01-15T00:00", "2026-01-16T00:00");
  expect(getPlace(span("2026-01-14T22:00", "2026-01-15T06:00"), day)).toEqual({
    insetInlineStart: "0%",
    inlineSize: "25%",
  });
  expect(getPlace(span("2026-01-15T12:00", "2026-01-15T18:00"), day)).toEqual({
    insetInlineStart: "50%",
    inlineSize: "25%",
  });
  expect(getPlace(span("2026-01-16T00:00", "2026-01-16T06:00"), day)).toBeNull();
});

test("A time is formatted in its zone", () => {
  expect(formatClock("Asia/Kolkata", utc("2026-01-15T02:35"))).toBe("08:05");
});
