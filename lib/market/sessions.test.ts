import { describe, expect, test } from "vitest";
import { openSessions, type SessionName } from "@/lib/market/sessions";

const HOUR_MS = 3_600_000;
const utc = (text: string) => Date.parse(`${text}Z`);

/** UTC open and close hours; Sydney's opening belongs to the evening before the local date. */
const expected: readonly [date: string, hours: Record<SessionName, readonly [number, number]>][] = [
  ["2026-01-15", { sydney: [22, 7], tokyo: [0, 9], london: [8, 17], new_york: [13, 22] }],
  ["2026-03-16", { sydney: [22, 7], tokyo: [0, 9], london: [8, 17], new_york: [12, 21] }],
  ["2026-04-15", { sydney: [23, 8], tokyo: [0, 9], london: [7, 16], new_york: [12, 21] }],
  ["2026-07-15", { sydney: [23, 8], tokyo: [0, 9], london: [7, 16], new_york: [12, 21] }],
  ["2026-10-15", { sydney: [22, 7], tokyo: [0, 9], london: [7, 16], new_york: [12, 21] }],
  ["2026-10-28", { sydney: [22, 7], tokyo: [0, 9], london: [8, 17], new_york: [12, 21] }],
  ["2026-11-16", { sydney: [22, 7], tokyo: [0, 9], london: [8, 17], new_york: [13, 22] }],
];

describe.each(expected)("on %s", (date, hours) => {
  test.each(Object.entries(hours))(
    "%s opens and closes on the expected UTC hours, half-open",
    (name, [opens, closes]) => {
      const midnightMs = utc(`${date}T00:00`);
      const opensMs = midnightMs + (opens > closes ? opens - 24 : opens) * HOUR_MS;
      const closesMs = midnightMs + closes * HOUR_MS;
      const isOpen = (atMs: number) => openSessions(atMs).some((open) => open === name);
      expect([isOpen(opensMs - 1), isOpen(opensMs), isOpen(closesMs - 1), isOpen(closesMs)]).toEqual([
        false,
        true,
        true,
        false,
      ]);
    },
  );
});

test("a session crossing UTC midnight is the one begun the evening before", () => {
  expect(openSessions(utc("2026-01-15T03:00"))).toEqual(["sydney", "tokyo"]);
});

test("nothing is open from Friday 22:00 to Sunday 22:00 UTC", () => {
  for (let atMs = utc("2026-01-16T22:00"); atMs < utc("2026-01-18T22:00"); atMs += HOUR_MS) {
    expect(openSessions(atMs)).toEqual([]);
  }
  expect(openSessions(utc("2026-01-16T21:59:59.999"))).toEqual(["new_york"]);
  expect(openSessions(utc("2026-01-18T22:00"))).toEqual(["sydney"]);
  expect(openSessions(utc("2026-07-12T22:00"))).toEqual([]);
  expect(openSessions(utc("2026-07-12T23:00"))).toEqual(["sydney"]);
});

test("no clock change cuts a session: each lasts nine hours on every weekday of two years", () => {
  const openHours = new Map<SessionName, number>();
  for (let atMs = utc("2026-01-04T22:00"); atMs < utc("2028-01-02T22:00"); atMs += HOUR_MS) {
    for (const name of openSessions(atMs)) openHours.set(name, (openHours.get(name) ?? 0) + 1);
  }
  const weekdaysInRange = 104 * 5;
  for (const name of ["sydney", "tokyo", "london", "new_york"] as const) {
    expect(openHours.get(name)).toBe(weekdaysInRange * 9);
  }
});
