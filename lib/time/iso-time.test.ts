import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatBarTime, formatTime, parseDay, parseMoment, parseOffset, parseTime, toDayMs } from "@/lib/time/iso-time";

const utc = Date.UTC(2026, 10, 20, 13, 5, 9);

describe("parseTime", () => {
  test.each([
    ["2026-11-20T13:05:09Z", utc],
    ["2026-11-20T13:05:09", utc],
    ["2026-11-20t13:05:09z", utc],
    ["2026-11-20 13:05:09", utc],
    ["2026-11-20T13:05:09+00:00", utc],
    ["2026-11-20T13:05:09 00:00", utc],
    ["2026-11-20T08:05:09-05:00", utc],
    ["2026-11-20T18:35:09+0530", utc],
    ["2026-11-20T14:05:09+01", utc],
    ["2026-11-20T13:05:09.25Z", utc + 250],
    ["2026-11-20T13:05:09,000001Z", utc + 1],
    ["2026-11-20T13:05Z", utc - 9_000],
    ["2026-11-20", Date.UTC(2026, 10, 20)],
    ["2024-02-29", Date.UTC(2024, 1, 29)],
    ["1970-01-01T00:00:00Z", 0],
    ["2100-12-31T23:59:59Z", Date.UTC(2101, 0, 1) - 1000],
  ])("%s is read.", (text, expected) => expect(parseTime(text)).toBe(expected));

  test.each([
    "",
    "yesterday",
    "1732106709",
    "2026",
    "2026-11",
    "2026-02-30",
    "2026-02-29T00:00:00Z",
    "2026-13-01",
    "2026-00-10",
    "2026-11-00",
    "2026-11-20T24:00:00Z",
    "2026-11-20T13:60:00Z",
    "2026-11-20T13:05:60Z",
    "2026-11-20T13",
    "2026-11-20T13:05:09.Z",
    "2026-11-20T13:05:09+24:00",
    "2026-11-20T13:05:09+00:60",
    "2026-11-20Z",
    " 2026-11-20",
    "2026-11-20\n",
    "20/11/2026",
    "1969-12-31T23:59:59Z",
    "1970-01-01T00:00:00+01:00",
    "2101-01-01",
    "0070-01-01",
    "+002026-11-20T13:05:09Z",
    "２026-11-20",
  ])("%j is refused.", (text) => expect(parseTime(text)).toBeNull());

  test("Every moment in the form of toISOString is read.", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date(Date.UTC(2101, 0) - 1), noInvalidDate: true }), (date) => {
        expect(parseTime(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});

describe("parseMoment", () => {
  test.each([
    ["2026-11-20T13:00:00Z", Date.UTC(2026, 10, 20, 13)],
    ["1795179600", 1_795_179_600_000],
    ["1795179600123", 1_795_179_600_123],
    ["100000000", 100_000_000_000],
    ["100000000000", 100_000_000_000],
    ["4133980799", 4_133_980_799_000],
  ])("%s is read.", (text, expected) => expect(parseMoment(text)).toBe(expected));

  test.each(["", "0", "20261120", "17951796001", "4133980800", "4133980800000", "-1795179600", "1795179600.5", "1e10"])(
    "%j is refused.",
    (text) => expect(parseMoment(text)).toBeNull(),
  );
});

test("Times are written with their offset, those of bars with Z.", () => {
  expect(formatTime(utc + 999)).toBe("2026-11-20T13:05:09+00:00");
  expect(formatBarTime(utc + 999)).toBe("2026-11-20T13:05:09Z");
});

test("A date is read as its midnight, and only if the calendar has it.", () => {
  expect(parseDay("2027-01-31")).toBe(Date.UTC(2027, 0, 31));
  expect(["2027-02-29", "2027-13-01", "2027-1-1", "2027-01-01T00:00", ""].map(parseDay)).toEqual(Array(5).fill(null));
  expect(toDayMs(24, 2, 29)).toBeNull();
});

test("An offset is read in milliseconds ahead of UTC.", () => {
  expect(["Z", "z", "+05:30", "-0800"].map(parseOffset)).toEqual([0, 0, 19_800_000, -28_800_000]);
});
