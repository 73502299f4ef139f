import { expect, test } from "vitest";
import { findLatest, findReached, parseAt, readPicked, stepFrom, toFields } from "@/components/shell/past-steps";

const utc = (text: string) => Date.parse(`${text}Z`);
const NOW = utc("2026-11-27T15:00:00.700");

test("A second of an address is read in every spelling of the API, and cut to its second", () => {
  expect(parseAt("2026-11-27T13:30:00Z")).toBe(utc("2026-11-27T13:30:00"));
  expect(parseAt("2026-11-27T14:30:00.9+01:00")).toBe(utc("2026-11-27T13:30:00"));
  expect(parseAt("2026-11-27")).toBe(utc("2026-11-27T00:00:00"));
  for (const text of ["", "yesterday", "2026-02-30", "13:30"]) expect(parseAt(text)).toBeNull();
});

test("A step ends at the latest recorded second, and never goes back when it is meant to go on", () => {
  const at = utc("2026-11-27T14:59:30");
  expect(stepFrom(at, 1_000, NOW)).toBe(at + 1_000);
  expect(stepFrom(at, -60_000, NOW)).toBe(at - 60_000);
  expect(stepFrom(at, 60_000, NOW)).toBe(utc("2026-11-27T14:59:57"));
  expect(findLatest(NOW)).toBe(utc("2026-11-27T14:59:57"));
  expect(stepFrom(utc("2026-11-27T14:59:59"), 1_000, NOW)).toBe(utc("2026-11-27T14:59:59"));
});

test("A run advances with the reader's time and its speed, in whole seconds, until it reaches the present", () => {
  const fromMs = utc("2026-11-27T13:30:00");
  const reach = (speed: 1 | 10 | 60 | 600, playedMs: number) =>
    findReached({ fromMs, speed, playedMs, presentMs: NOW });
  expect(reach(1, 2_400)).toEqual({ atMs: fromMs + 2_000, hasEnded: false });
  expect(reach(10, 1_250)).toEqual({ atMs: fromMs + 12_000, hasEnded: false });
  expect(reach(60, 1_000)).toEqual({ atMs: fromMs + 60_000, hasEnded: false });
  expect(reach(600, 1_000)).toEqual({ atMs: fromMs + 600_000, hasEnded: false });
  expect(reach(600, 10_000)).toEqual({ atMs: utc("2026-11-27T14:59:57"), hasEnded: true });
});

test("A date and a time are those of the reader's clock", () => {
  expect(readPicked("2026-11-27", "14:30:05", "UTC")).toBe(utc("2026-11-27T14:30:05"));
  expect(readPicked("2026-07-01", "08:00", "America/New_York")).toBe(utc("2026-07-01T12:00:00"));
  for (const [date, time] of [
    ["", "14:30"],
    ["2026-02-30", "14:30"],
    ["2026-11-27", "24:00"],
    ["2026-11-27", ""],
  ] as const)
    expect(readPicked(date, time, "UTC")).toBeNull();
  const atMs = utc("2026-11-27T23:30:05");
  expect(toFields(atMs, "Asia/Tokyo")).toEqual({ date: "2026-11-28", time: "08:30:05" });
  expect(readPicked("2026-11-28", "08:30:05", "Asia/Tokyo")).toBe(atMs);
});
