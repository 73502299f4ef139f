import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { findClockChanges, toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { HOUR_MS } from "@/lib/time/units";

const utc = (text: string) => Date.parse(`${text}Z`);

test("17:00 in New York is 22:00 UTC in winter and 21:00 UTC in summer", () => {
  expect(zonedTimeToUtcMs("America/New_York", 2026, 1, 15, 17 * HOUR_MS)).toBe(utc("2026-01-15T22:00"));
  expect(zonedTimeToUtcMs("America/New_York", 2026, 7, 15, 17 * HOUR_MS)).toBe(utc("2026-07-15T21:00"));
});

test("Conversions are exact to the millisecond on both sides of a clock change", () => {
  expect(zonedTimeToUtcMs("America/New_York", 2026, 3, 8, 2 * HOUR_MS - 1)).toBe(utc("2026-03-08T06:59:59.999"));
  expect(zonedTimeToUtcMs("America/New_York", 2026, 3, 8, 3 * HOUR_MS)).toBe(utc("2026-03-08T07:00"));
  expect(zonedTimeToUtcMs("Europe/London", 2026, 10, 25, 2 * HOUR_MS)).toBe(utc("2026-10-25T02:00"));
  expect(zonedTimeToUtcMs("Australia/Sydney", 2026, 10, 4, 3 * HOUR_MS)).toBe(utc("2026-10-03T16:00"));
});

test("A skipped time is moved forward, and the first of a repeated time is used", () => {
  expect(zonedTimeToUtcMs("America/New_York", 2026, 3, 8, 2.5 * HOUR_MS)).toBe(utc("2026-03-08T07:30"));
  expect(zonedTimeToUtcMs("America/New_York", 2026, 11, 1, 1.5 * HOUR_MS)).toBe(utc("2026-11-01T05:30"));
});

test("24:00 is the next day's midnight, also at the end of a year", () => {
  expect(zonedTimeToUtcMs("UTC", 2026, 12, 31, 24 * HOUR_MS)).toBe(utc("2027-01-01T00:00"));
});

test("Half-hour zones and half-hour clock changes are supported", () => {
  expect(zonedTimeToUtcMs("Asia/Kolkata", 2026, 5, 1, 0)).toBe(utc("2026-04-30T18:30"));
  expect(zonedTimeToUtcMs("Australia/Lord_Howe", 2026, 10, 4, 2.5 * HOUR_MS)).toBe(utc("2026-10-03T15:30"));
});

test("A time converted to UTC and back is the same", () => {
  const zone = fc.constantFrom("America/New_York", "Europe/London", "Australia/Sydney", "Asia/Tokyo", "UTC");
  const moment = fc.integer({ min: utc("2000-01-01T00:00"), max: utc("2040-01-01T00:00") });
  fc.assert(
    fc.property(zone, moment, (zoneName, atMs) => {
      const { year, month, day, msOfDay } = toCivilTime(zoneName, atMs);
      const back = zonedTimeToUtcMs(zoneName, year, month, day, msOfDay);
      // The second pass through a repeated hour has the same local time as the first.
      expect([atMs, atMs - HOUR_MS]).toContain(back);
      expect(toCivilTime(zoneName, back)).toEqual(toCivilTime(zoneName, atMs));
    }),
    { numRuns: 500 },
  );
});

test("The weekday is that of the local date, which may differ from UTC's", () => {
  expect(toCivilTime("Australia/Sydney", utc("2026-01-18T22:00")).weekday).toBe(1);
  expect(toCivilTime("America/New_York", utc("2026-01-19T03:00")).weekday).toBe(0);
});

test("A zone that does not exist is refused", () => {
  expect(() => toCivilTime("Mars/Olympus", 0)).toThrow(RangeError);
});

test.each([
  ["America/New_York", ["2026-03-08T07:00", "2026-11-01T06:00", "2027-03-14T07:00", "2027-11-07T06:00"]],
  ["Europe/London", ["2026-03-29T01:00", "2026-10-25T01:00", "2027-03-28T01:00", "2027-10-31T01:00"]],
  ["Australia/Sydney", ["2026-04-04T16:00", "2026-10-03T16:00", "2027-04-03T16:00", "2027-10-02T16:00"]],
  ["Asia/Tokyo", []],
])("All clock changes of %s in two years are found", (zone, expected) => {
  expect(findClockChanges(zone, utc("2026-01-01T00:00"), utc("2028-01-01T00:00"))).toEqual(expected.map(utc));
});

test("The range of clock changes is half-open, to the moment of the change", () => {
  const changeMs = utc("2026-03-29T01:00");
  expect(findClockChanges("Europe/London", changeMs, changeMs + 1)).toEqual([changeMs]);
  expect(findClockChanges("Europe/London", changeMs - 1, changeMs)).toEqual([]);
  expect(findClockChanges("Europe/London", changeMs + 1, changeMs + 1000)).toEqual([]);
});

describe("what is kept of zones", () => {
  /**
   * Counts the conversions by Intl that looking up the zones takes: two for a new day, one at each end, and fewer where
   * another test of this worker has looked it up.
   */
  const countConversions = (zones: readonly string[], atMs: number) => {
    const format = vi.spyOn(Intl.DateTimeFormat.prototype, "formatToParts");
    for (const zone of zones) toCivilTime(zone, atMs);
    const count = format.mock.calls.length;
    format.mockRestore();
    return count;
  };

  test("All spellings of a zone share one formatter and its results", () => {
    const spellings = Array.from({ length: 64 }, (_, bits) =>
      [..."manila"].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join(""),
    ).map((city) => `asia/${city}`);
    expect(countConversions(spellings, utc("2031-07-01T12:00"))).toBeLessThanOrEqual(2);
  });

  test("A day without a change of the clocks is looked up once", () => {
    const hours = Array.from({ length: 24 }, (_, hour) => utc("2033-07-01T00:00") + hour * HOUR_MS);
    const count = hours.reduce((sum, atMs) => sum + countConversions(["Asia/Tokyo"], atMs), 0);
    expect(count).toBeLessThanOrEqual(2);
  });

  test("Only a bounded number of zones is kept", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    const atMs = utc("2032-07-01T12:00");
    expect(zones.length).toBeGreaterThan(200);
    countConversions(zones, atMs);
    expect(countConversions(zones.slice(0, 50), atMs)).toBe(100);
  });
});
