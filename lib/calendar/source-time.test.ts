import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findDateOrders, findWeekday, readSourceTime } from "@/lib/calendar/source-time";
import { toCivilTime } from "@/lib/time/civil-time";
import { DAY_MS } from "@/lib/time/units";

const utc = (date: string, time: string, zone: string) =>
  new Date(readSourceTime(date, time, { zone })?.timeMs ?? NaN).toISOString().slice(0, 16);

describe("readSourceTime", () => {
  test.each([
    // The weeks of clock changes, before and after each change: the same local hour is another one in UTC.
    ["America/New_York", "2026-03-06", "08:30", "2026-03-06T13:30"],
    ["America/New_York", "2026-03-09", "08:30", "2026-03-09T12:30"],
    ["America/New_York", "2026-10-30", "08:30", "2026-10-30T12:30"],
    ["America/New_York", "2026-11-02", "08:30", "2026-11-02T13:30"],
    ["Europe/London", "2026-03-27", "07:00", "2026-03-27T07:00"],
    ["Europe/London", "2026-03-30", "07:00", "2026-03-30T06:00"],
    ["Europe/Berlin", "2026-10-23", "11:00", "2026-10-23T09:00"],
    ["Europe/Berlin", "2026-10-26", "11:00", "2026-10-26T10:00"],
    ["Australia/Sydney", "2026-04-03", "11:30", "2026-04-03T00:30"],
    ["Australia/Sydney", "2026-04-07", "11:30", "2026-04-07T01:30"],
    ["Pacific/Auckland", "2026-09-25", "10:45", "2026-09-24T22:45"],
    ["Pacific/Auckland", "2026-09-28", "10:45", "2026-09-27T21:45"],
    ["Asia/Tokyo", "2026-03-30", "08:50", "2026-03-29T23:50"],
  ])("reads, in %s, %s %s as %s in UTC", (zone, date, time, expected) => expect(utc(date, time, zone)).toBe(expected));

  test("reads a time that the clocks skip or repeat as one moment", () => {
    expect(utc("2026-03-08", "02:30", "America/New_York")).toBe("2026-03-08T07:30");
    expect(utc("2026-11-01", "01:30", "America/New_York")).toBe("2026-11-01T05:30");
  });

  test("uses an offset in the text instead of the zone", () => {
    expect(utc("2026-10-14T08:30:00-04:00", "", "Asia/Tokyo")).toBe("2026-10-14T12:30");
    expect(utc("2026-10-14T12:30:00Z", "", "America/New_York")).toBe("2026-10-14T12:30");
  });

  test("reads a date without an hour as its midnight, also on days of 23 or 25 hours", () => {
    const zone = "Europe/London";
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000 }), fc.constantFrom("All Day", "Tentative", ""), (days, time) => {
        const date = new Date(Date.UTC(2024, 0, 1) + days * DAY_MS).toISOString().slice(0, 10);
        const read = readSourceTime(date, time, { zone });
        expect(read?.certainty).toBe(time === "Tentative" ? "tentative" : "all_day");
        const { year, month, day, msOfDay } = toCivilTime(zone, read?.timeMs ?? NaN);
        expect([year, month, day, msOfDay]).toEqual([...date.split("-").map(Number), 0]);
      }),
    );
  });

  test.each([
    ["2026-10-14T12:30:00.000Z", "", "2026-10-14T12:30"],
    ["2026/10/4 8:05", "", "2026-10-04T08:05"],
    ["20261014", "8:30 AM", "2026-10-14T08:30"],
    ["Wed, 14 Oct 2026 12:30:00 GMT", "", "2026-10-14T12:30"],
    ["2026, October 14, 13:30", "", "2026-10-14T13:30"],
    ["WedOct 14, 2026", "8am", "2026-10-14T08:00"],
    ["14-Oct-2026", "08:30 UTC", "2026-10-14T08:30"],
    ["2026-10-14 08:30+03", "", "2026-10-14T05:30"],
    ["2026-10-14 08:30 EDT", "", "2026-10-14T12:30"],
    ["2026-10-14", "8:30 am ET", "2026-10-14T12:30"],
    ["2026-10-14", "08:30 (EST)", "2026-10-14T13:30"],
    ["2026-10-14", "14:30 CEST", "2026-10-14T12:30"],
    ["2026-10-14", "08:30 America/New_York", "2026-10-14T12:30"],
    ["2026-10-14", "14:30 GMT+2", "2026-10-14T12:30"],
    ["1791981000", "", "2026-10-14T12:30"],
    ["1791981000000", "", "2026-10-14T12:30"],
  ])("reads %j %j", (date, time, expected) => expect(utc(date, time, "UTC")).toBe(expected));

  test.each(["08:30 BST", "08:30 CST", "08:30 local", "08:30 server time", "08:30 x"])(
    "refuses %s, whose zone has several meanings or none",
    (time) => expect(readSourceTime("2026-10-14", time, { zone: "UTC" })).toBeNull(),
  );

  test("refuses a date on another weekday than it names", () => {
    expect(readSourceTime("Thu Oct 14, 2026", "08:30", { zone: "UTC" })).toBeNull();
    expect(findWeekday("Thu Oct 14, 2026", { zone: "UTC" })).toBe("Wednesday");
  });

  test("finds the order of day and month from all dates, and from the weekdays that they name", () => {
    expect(findDateOrders(["06/07/2026", "17/07/2026 08:30"])).toEqual(["day-month"]);
    expect(findDateOrders(["06/07/2026", "06/17/2026"])).toEqual(["month-day"]);
    expect(findDateOrders(["Mon 06/07/2026"])).toEqual(["day-month"]);
    expect(findDateOrders(["06/07/2026"])).toEqual(["day-month", "month-day"]);
    expect(findDateOrders(["17/06/2026", "06/17/2026"])).toEqual([]);
    expect(findDateOrders(["2026-06-07", "Jun 7"])).toBeNull();
  });

  test.each(["2026-02-29", "2026-13-01", "soon", "2026-02-30T10:00", "31-31-2026"])("refuses %j", (date) => {
    expect(readSourceTime(date, "", { zone: "UTC" })).toBeNull();
  });
});
