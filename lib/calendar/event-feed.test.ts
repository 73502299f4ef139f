import fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import type { CalendarEvent } from "@/lib/calendar/event";
import { writeEventFeed } from "@/lib/calendar/event-feed";
import { createTestEvent } from "@/lib/calendar/event.fixture";

const changedAt = Date.UTC(2026, 10, 20, 9, 30);

function printEvents(events: readonly CalendarEvent[], withActual = true, changes = 2): string {
  return writeEventFeed(
    events.map((event) => ({ event, edition: { changes, atMs: changedAt } })),
    withActual,
  );
}

/** The events of a feed, read with an independent parser. */
function read(text: string) {
  const parsed = new ICAL.Component(ICAL.parse(text) as unknown[]);
  return parsed.getAllSubcomponents("vevent").map((component) => ({
    value: (name: string) => component.getFirstPropertyValue(name)?.toString() ?? null,
    start: component.getFirstPropertyValue("dtstart") as ICAL.Time,
  }));
}

const one = (given: Partial<CalendarEvent>, withActual = true) => {
  const [event] = read(printEvents([createTestEvent(given)], withActual));
  if (event === undefined) throw new Error("the feed has no event");
  return event;
};

describe("writeEventFeed", () => {
  test("writes each event with its permanent id, its time in UTC, and the number and time of its changes", () => {
    const event = createTestEvent({ id: "00ff00ff00ff00ff", timeMs: Date.UTC(2026, 11, 4, 13, 30) });
    const [read1] = read(printEvents([event]));
    expect(read1?.value("uid")).toBe("00ff00ff00ff00ff@calendar.spotline");
    expect(read1?.start.toJSDate().getTime()).toBe(event.timeMs);
    expect(read1?.start.isDate).toBe(false);
    expect(read1?.value("sequence")).toBe("2");
    expect(Date.parse(read1?.value("last-modified") ?? "")).toBe(changedAt);
    expect(Date.parse(read1?.value("dtstamp") ?? "")).toBe(changedAt);
    expect(read1?.value("status")).toBe("CONFIRMED");
    expect(printEvents([event])).toBe(printEvents([event]));
  });

  test.each([
    ["Asia/Tokyo", "2026-11-22T15:00:00Z", "2026-11-23"],
    ["America/New_York", "2026-11-26T05:00:00Z", "2026-11-26"],
    ["Pacific/Auckland", "2026-10-25T11:00:00Z", "2026-10-26"],
  ])("writes a whole day in %s as that date, independent of the reader's zone", (zone, midnight, day) => {
    const event = one({ certainty: "all_day", zone, timeMs: Date.parse(midnight) });
    expect([event.start.isDate, event.start.toString(), event.value("status")]).toEqual([true, day, "CONFIRMED"]);
  });

  test.each([
    ["AUD", "UTC", "2025-06-08T22:00:00Z", "2025-06-09"],
    ["JPY", "America/New_York", "2026-08-10T23:00:00Z", "2026-08-11"],
    ["NZD", "UTC", "2026-06-01T20:00:00Z", "2026-06-02"],
    ["EUR", "UTC", "2025-06-08T22:00:00Z", "2025-06-09"],
    ["USD", "Europe/London", "2026-09-07T12:15:00Z", "2026-09-07"],
    ["XXX", "Asia/Tokyo", "2026-09-06T16:00:00Z", "2026-09-07"],
  ])("writes a holiday of %s that begins in %s at %s as the day of its own country", (currency, zone, time, day) => {
    const event = one({ certainty: "all_day", currency, zone, timeMs: Date.parse(time) });
    expect([event.start.isDate, event.start.toString()]).toEqual([true, day]);
  });

  test("writes an uncertain event as tentative: with its hour if it has one, otherwise as a day", () => {
    const hour = one({ certainty: "tentative", zone: "Asia/Tokyo", timeMs: Date.parse("2026-12-18T03:00:00Z") });
    expect([hour.start.isDate, hour.value("status")]).toEqual([false, "TENTATIVE"]);
    const day = one({ certainty: "tentative", zone: "Asia/Tokyo", timeMs: Date.parse("2026-12-17T15:00:00Z") });
    expect([day.start.toString(), day.value("status")]).toEqual(["2026-12-18", "TENTATIVE"]);
  });

  test("writes a released figure only if it is allowed", () => {
    const released = { title: "CPI m/m", actual: "0.4%", forecast: "0.3%", previous: "0.2%", revised: "0.1%" };
    expect(one(released).value("summary")).toBe("USD CPI m/m: 0.4%");
    expect(one(released).value("description")).toBe(
      "Actual: 0.4%\nForecast: 0.3%\nPrevious: 0.2%, revised to 0.1%\nImpact: high",
    );
    expect(printEvents([createTestEvent(released)], false)).not.toContain("0.4%");
  });

  test("escapes any title, and folds it at 75 octets between characters", () => {
    const title = fc.string({ unit: "grapheme", maxLength: 120 }).filter((text) => !/\p{C}/u.test(text));
    const awkward = fc.constantFrom("a,b;c\\d", "\\n", "Ä".repeat(90), "💰".repeat(40), "BEGIN:VEVENT");
    fc.assert(
      fc.property(fc.oneof(title, awkward), (text) => {
        const feed = printEvents([createTestEvent({ title: text })]);
        expect(read(feed)[0]?.value("summary")).toBe(`USD ${text}`);
        expect(feed.endsWith("END:VCALENDAR\r\n") || feed.endsWith("END:VCALENDAR")).toBe(true);
        for (const line of feed.split("\r\n")) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line).not.toMatch(/[\r\n]/);
          expect(line.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  test("writes a calendar without events, and marks simulated events", () => {
    expect(read(printEvents([]))).toEqual([]);
    expect(printEvents([createTestEvent({ provider: "simulated" })])).toMatch(
      /X-WR-CALNAME:Economic calendar \(simulated\)/,
    );
    expect(printEvents([createTestEvent()])).not.toMatch(/imulated/);
  });
});
