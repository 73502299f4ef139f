import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findWeekSpan } from "@/lib/calendar/forexfactory";
import { type ImportFormat, readCalendarFile } from "@/lib/calendar/read-file";
import { findRealData } from "@/lib/feeds/real-data.fixture";

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string, format: ImportFormat, zone = "UTC", year?: number) =>
  readCalendarFile(bytes(text), format, year === undefined ? { zone } : { zone, year });
const toIso = (timeMs: number | undefined) => new Date(timeMs ?? NaN).toISOString();

describe("a CSV file", () => {
  test("is read by the names of its columns, in the local time of its zone", () => {
    const text =
      'date,time,currency,impact,event,actual,forecast,previous,id\r\n2026-11-06,08:30,usd,High,"Payrolls, ""new""",,115K,N/A,7\r\n';
    const [event] = read(text, "csv", "America/New_York");
    expect(event).toMatchObject({
      ...{ key: "7", timeMs: Date.UTC(2026, 10, 6, 13, 30), zone: "America/New_York", certainty: "exact" },
      ...{
        currency: "USD",
        title: 'Payrolls, "new"',
        impact: "high",
        forecast: "115K",
        previous: "",
        actual: undefined,
      },
    });
  });

  test("may contain all-day and tentative events, and dates without a year", () => {
    const text =
      "date,time,currency,impact,event\nMay 1,All Day,CHF,gray,Bank Holiday\nMay 2,Tentative,JPY,red,Rate\nMay 3,12:00am,EUR,yellow,x\n";
    const events = read(text, "csv", "Etc/GMT-7", 2024);
    expect(events.map(({ certainty }) => certainty)).toEqual(["all_day", "tentative", "exact"]);
    expect(toIso(events[2]?.timeMs)).toBe("2024-05-02T17:00:00.000Z");
  });

  test.each([
    ["date,currency,event\n2026-02-30,USD,x", /^Row 1 cannot be read: its date cannot be read: 2026-02-30\.$/],
    ["date,currency,event\n2026-02-01 25:00,USD,x", /its date cannot be read/],
    ["date,currency,event\n2026-02-01,USD,x\n2026-02-01,US,x", /^Row 2 cannot be read: its currency is not one/],
    ["date,currency,event\n2026-02-01,USD,", /it has no title/],
    ["date,currency,event,impact\n2026-02-01,USD,x,huge", /its impact is not one: huge/],
    ['date,currency,event\n"2026-02-01,USD,x', /quote that is not closed/],
  ])("is refused as a whole if a row cannot be read: %j", (text, message) => {
    expect(() => read(text, "csv")).toThrow(message);
  });
});

describe("a JSON file", () => {
  test("is an array of events, or an answer of /v1/calendar", () => {
    const events = [
      { datetime: "2026-11-06T13:30:00+00:00", currency: "USD", event: "Payrolls", impact: "high", actual: null },
    ];
    expect(read(JSON.stringify(events), "json")).toMatchObject([{ timeMs: Date.UTC(2026, 10, 6, 13, 30) }]);
    expect(read(JSON.stringify({ data: { events } }), "json")).toEqual(read(JSON.stringify(events), "json"));
    expect(() => read('{"a":1}', "json")).toThrow(/not an array of events/);
  });
});

const realData = findRealData();

describe.skipIf(realData === undefined)("recorded files of the second publisher", () => {
  const calendar = join(realData ?? "", "calendar");

  test("are read as JSON with New York's offset, in any week", () => {
    const folder = join(calendar, "forexfactory_dkmarlin");
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
      const events = readCalendarFile(readFileSync(join(folder, name)), "forexfactory-json", { zone: "UTC" });
      expect(events.length).toBeGreaterThan(50);
      expect(findWeekSpan(events)).toEqual({
        fromMs: Date.parse("2026-08-09T00:00-04:00"),
        toMs: Date.parse("2026-08-16T00:00-04:00") - 1,
      });
      expect(events.every(({ actual }) => actual == null)).toBe(true);
    }
  });

  test("are read as XML in UTC: the American price index is at 08:30 in New York", () => {
    const path = join(calendar, "forexfactory_tito1270/ff_calendar_thisweek_2025-06-08.xml");
    const events = readCalendarFile(readFileSync(path), "forexfactory-xml", { zone: "UTC" });
    expect(events.length).toBeGreaterThan(60);
    const cpi = events.find(({ title, currency }) => title === "CPI m/m" && currency === "USD");
    expect(toIso(cpi?.timeMs)).toBe("2025-06-11T12:30:00.000Z");
  });

  test("are read as CSV seven hours ahead of UTC, in winter and in the weeks when America has changed its clocks", () => {
    const utcHours = (file: string, title: string) => {
      const options = { zone: "Etc/GMT-7", year: 2024 };
      return readCalendarFile(readFileSync(join(calendar, "forexfactory_datpro", file)), "csv", options)
        .filter((event) => event.title === title && event.currency === "USD")
        .map(({ timeMs }) => toIso(timeMs).slice(11, 16));
    };
    expect(new Set(utcHours("2024_02_ff_data.csv", "CPI m/m"))).toEqual(new Set(["13:30"]));
    expect(new Set(utcHours("2024_03_ff_data.csv", "CPI m/m"))).toEqual(new Set(["12:30"]));
  });
});
