import { expect, test } from "vitest";
import { clockChanges } from "@/lib/market/clock-changes";

const utc = (text: string) => Date.parse(`${text}Z`);

test.each([
  ["America/New_York", ["2026-03-08T07:00", "2026-11-01T06:00", "2027-03-14T07:00", "2027-11-07T06:00"]],
  ["Europe/London", ["2026-03-29T01:00", "2026-10-25T01:00", "2027-03-28T01:00", "2027-10-31T01:00"]],
  ["Australia/Sydney", ["2026-04-04T16:00", "2026-10-03T16:00", "2027-04-03T16:00", "2027-10-02T16:00"]],
  ["Asia/Tokyo", []],
])("finds the clock changes of %s in two years", (zone, expected) => {
  expect(clockChanges(zone, utc("2026-01-01T00:00"), utc("2028-01-01T00:00"))).toEqual(expected.map(utc));
});

test("is half-open, to the moment of the change", () => {
  const changeMs = utc("2026-03-29T01:00");
  expect(clockChanges("Europe/London", changeMs, changeMs + 1)).toEqual([changeMs]);
  expect(clockChanges("Europe/London", changeMs - 1, changeMs)).toEqual([]);
  expect(clockChanges("Europe/London", changeMs + 1, changeMs + 1000)).toEqual([]);
});
