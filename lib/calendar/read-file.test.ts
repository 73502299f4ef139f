import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findWeekSpan } from "@/lib/calendar/forexfactory";
import { type ImportFormat, readCalendarFile } from "@/lib/calendar/read-file";
import { findRealData } from "@/lib/feeds/real-data.fixture";

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string, format: ImportFormat, zone?: string, year?: number) =>
  readCalendarFile(bytes(text), format, { zone, year }).events;
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

  test("of an export is refused if it has events of the simulation", () => {
    const text = "time,currency,impact,event,provider\n2026-11-06T08:30:00Z,USD,high,Payrolls,";
    expect(read(`${text}bls`, "csv")).toHaveLength(1);
    expect(() => read(`${text}simulated`, "csv")).toThrow("Row 1 is an event of the simulation");
  });

  test("may contain all-day and tentative events, and dates without a year", () => {
    const text =
      "date,time,currency,impact,event\nMay 1,All Day,CHF,gray,Bank Holiday\nMay 2,Tentative,JPY,red,Rate\nMay 3,12:00am,EUR,yellow,x\n";
    const events = read(text, "csv", "Etc/GMT-7", 2024);
    expect(events.map(({ certainty }) => certainty)).toEqual(["all_day", "tentative", "exact"]);
    expect(toIso(events[2]?.timeMs)).toBe("2024-05-02T17:00:00.000Z");
  });

  test.each([
    [
      "date,currency,event\n2026-02-30,USD,x",
      /^Row 1 cannot be read: its date cannot be read: 2026-02-30 \(line 2\)\.$/,
    ],
    ["date,currency,event\n2026-02-01 25:00,USD,x", /its date cannot be read/],
    ["date,currency,event\n2026-02-01,USD,x\n2026-02-01,US,x", /^Row 2 cannot be read: its currency is not one/],
    ["date,currency,event\n2026-02-01,USD,", /it has no title/],
    ["date,currency,event,impact\n2026-02-01,USD,x,huge", /its impact is not one: huge/],
    ['date,currency,event\n"2026-02-01,USD,x', /quote that is not closed/],
  ])("is refused as a whole if a row cannot be read: %j", (text, message) => {
    expect(() => read(text, "csv")).toThrow(message);
  });
});

const HEADING = "date,time,currency,impact,event";
const readLines = (lines: string, options: Parameters<typeof readCalendarFile>[2] = {}) =>
  readCalendarFile(bytes(lines), "csv", options);
const listTimes = (lines: string, options = {}) =>
  readLines(lines, options).events.map(({ timeMs, certainty }) => `${toIso(timeMs).slice(0, 16)} ${certainty}`);

describe("a row without a time", () => {
  test("has the time of the row above of its date, and without a date, the date too", () => {
    const lines = [
      HEADING,
      "Sun Nov 22,All Day,JPY,gray,Bank Holiday",
      ",,CHF,gray,Bank Holiday",
      "Mon Nov 23,8:30am,USD,red,CPI",
      ",,USD,red,Core CPI",
      ",Tentative,GBP,yellow,Auction",
    ];
    const file = readLines(lines.join("\n"), { year: 2026, zone: "UTC" });
    expect(file.events.map(({ timeMs, certainty }) => `${toIso(timeMs).slice(0, 16)} ${certainty}`)).toEqual([
      "2026-11-22T00:00 all_day",
      "2026-11-22T00:00 all_day",
      "2026-11-23T08:30 exact",
      "2026-11-23T08:30 exact",
      "2026-11-23T00:00 tentative",
    ]);
    expect(file.assumptions.slice(0, 2)).toEqual([
      "3 rows without a date: it is taken from the row above.",
      "2 rows without a time: it is taken from the row above. With --blank-times all-day, they are whole days.",
    ]);
  });

  test.each([
    ["begins a date", "2026-11-22,8:30am,USD,high,A\n2026-11-23,,USD,high,B", /^Row 2 .*no time.*another date.*line 3/],
    [
      "is in a file that is not in order",
      "2026-11-22,9:30,USD,high,A\n2026-11-22,8:30,USD,high,B\n2026-11-22,,USD,low,C",
      /do not rise/,
    ],
  ])("is refused if it %s, unless an option says what it means", (_, rows, message) => {
    expect(() => readLines(`${HEADING}\n${rows}`)).toThrow(message);
    expect(listTimes(`${HEADING}\n${rows}`, { blankTimes: "all-day" }).at(-1)).toMatch(/T00:00 all_day$/);
  });

  test("is a whole day if it is a holiday, or no row has a time", () => {
    expect(listTimes(`${HEADING}\n2026-11-22,,USD,low,Bank Holiday\n2026-11-22,8:30,USD,low,B`)).toEqual([
      "2026-11-22T00:00 all_day",
      "2026-11-22T08:30 exact",
    ]);
    expect(listTimes(`${HEADING}\n2026-11-22,8:30,USD,low,A\n2026-11-22,nan,USD,low,B`)[1]).toBe(
      "2026-11-22T08:30 exact",
    );
    const days = readLines(`${HEADING}\n2026-11-22,,USD,low,A\n2026-11-23 00:00:00,,USD,low,B`);
    expect(days.events.map(({ certainty }) => certainty)).toEqual(["all_day", "all_day"]);
    expect(days.assumptions).toContain("2 rows without a time: whole days.");
  });
});

describe("dates", () => {
  const read = (dates: readonly string[], options = {}) =>
    listTimes(`datetime,currency,impact,event\n${dates.map((date) => `${date},USD,low,x`).join("\n")}`, options);

  test("that may have the day or the month first are decided by the whole file or by an option, or refused", () => {
    expect(read(["06/07/2026 08:30", "17/07/2026 08:30"])[0]).toBe("2026-07-06T08:30 exact");
    expect(read(["06/07/2026 08:30", "06/17/2026 08:30"])[0]).toBe("2026-06-07T08:30 exact");
    expect(() => read(["06/07/2026 08:30"])).toThrow(/06\/07\/2026 08:30 may have the day or the month first/);
    expect(() => read(["17/06/2026 08:30", "06/17/2026 08:30"])).toThrow("contradict");
    expect(read(["06/07/2026 08:30"], { dates: "day-month" })).toEqual(["2026-07-06T08:30 exact"]);
  });

  test("have the month first in the files of two publishers, and the report says so", () => {
    const heading = "Title,Country,Date,Time,Impact,Forecast,Previous,URL";
    const file = readLines(`${heading}\nRetail Sales m/m,GBP,06-07-2025,6:00am,High,0.3%,0.2%,https://example.com`);
    expect(toIso(file.events[0]?.timeMs)).toBe("2025-06-07T06:00:00.000Z");
    expect(file.assumptions[0]).toBe(
      "Dates like 06-07-2025 are read with the month first. --dates says another order.",
    );
  });

  test("of an unknown notation are refused with their text and line", () => {
    expect(() => read(["2026-06-07 08:30", "22.6.26 08:30"])).toThrow("cannot be read: 22.6.26 08:30 (line 3)");
    expect(() => read(["Jun 7"])).toThrow("Jun 7, which needs --year");
    expect(listTimes("year,day,time,cur,text,impact\n2022,Jan 3,3:15am,EUR,x,low")).toEqual(["2022-01-03T03:15 exact"]);
    expect(() => read(["Mon Nov 22"], { year: 2026 })).toThrow("Mon Nov 22, which is a Sunday");
    expect(() => read(["Dec 31", "Jan 1"], { year: 2026 })).toThrow(/^Row 2 .*a year ends above it/);
  });

  test("and times that contradict each other are refused", () => {
    const heading = "datetime,time,currency,event,impact";
    expect(listTimes(`${heading}\n2026-11-22 04:00:00,04:00,EUR,x,low`)).toEqual(["2026-11-22T04:00 exact"]);
    expect(listTimes(`${heading}\n2026-11-22 00:00:00,04:00,EUR,x,low`)).toEqual(["2026-11-22T04:00 exact"]);
    expect(() => readLines(`${heading}\n2026-11-22 04:00:00,05:00,EUR,x,low`)).toThrow("contradict each other");
  });
});

describe("the zone of the times", () => {
  const readZone = (heading: string, row: string, zone?: string) => {
    const file = readLines(`${heading},currency,impact,event\n${row},USD,low,x`, { zone });
    return [toIso(file.events[0]?.timeMs).slice(11, 16), file.assumptions.find((each) => each.startsWith("Times"))];
  };

  test("is the one of the option, of the columns or of each row, or else UTC, and the report says so", () => {
    expect(readZone("date,time", "2026-11-22,8:30", "Asia/Tokyo")).toEqual(["23:30", undefined]);
    expect(readZone("date,Time (GMT)", "2026-11-22,8:30")).toEqual(["08:30", expect.stringContaining("UTC")]);
    expect(readZone("date,Time (GMT)", "2026-11-22,8:30", "Europe/Berlin")).toEqual(["07:30", undefined]);
    expect(readZone("date,time_et", "2026-11-22,8:30")).toEqual(["13:30", expect.stringContaining("New_York")]);
    expect(readZone("date,Time (UTC+2)", "2026-11-22,8:30")[0]).toBe("06:30");
    expect(readZone("date,time,timezone", "2026-11-22,8:30,Europe/London")[1]).toContain("their row names");
    expect(readZone("date,time", "2026-11-22,8:30")).toEqual(["08:30", expect.stringContaining("UTC. --zone")]);
    expect(readZone("datetime", "2026-11-22T08:30:00-05:00")).toEqual(["13:30", undefined]);
  });

  test("is not asked for dates alone, but times in a column of an unknown name are not lost", () => {
    expect(() => readZone("date,when", "2026-11-22,8:30")).toThrow(
      "the column “when” seems to have it: name it “time”",
    );
  });

  test("is not that of a column in UTC beside a local date, because the days differ", () => {
    const row = "2026-11-08,1:30am,20:00";
    expect(() => readZone("date,time,time_utc", row)).toThrow("--zone");
    expect(
      readLines(`date,time,time_utc,currency,impact,event\n${row},USD,low,x`, { zone: "Asia/Kolkata" }).events,
    ).toMatchObject([{ timeMs: Date.UTC(2026, 10, 7, 20) }]);
    expect(readZone("date,time,date_utc,time_utc", "2026-11-08,1:30am,2026-11-07,20:00")[0]).toBe("20:00");
    expect(readZone("datetime_utc,date,time", "2026-11-07 20:00,2026-11-08,1:30am")[0]).toBe("20:00");
  });

  test.each(["Time (EST)", "server_time"])("is asked for where a column is named %s", (name) => {
    expect(() => readZone(`date,${name}`, "2026-11-22,8:30")).toThrow("--zone");
    expect(readZone(`date,${name}`, "2026-11-22,8:30", "Europe/Athens")[0]).toBe("06:30");
  });
});

describe("the columns of a file", () => {
  test.each([
    "Release Date,Time (GMT),Ccy,Indicator,Priority,Consensus,Prior,Revision",
    "DAY,event_time,CURRENCY CODE,Event Name,Volatility,Market Forecast,Prev,Revised Previous",
    "date,time,country,name,stars,estimate,last,revised",
  ])("have their usual names: %s", (heading) => {
    const row = "2026-11-22,13:30,USD,CPI m/m,3,0.3%,0.2%,0.1%";
    expect(readLines(`${heading}\n${row}`)).toMatchObject({
      events: [
        { currency: "USD", title: "CPI m/m", impact: "high", forecast: "0.3%", previous: "0.2%", revised: "0.1%" },
      ],
      unused: [],
    });
  });

  test("that are not used are named, and those with figures are warned of", () => {
    const heading = "date,time,currency,event,impact,forecast,consensus,surprise,whisper,url,empty";
    const row = "2026-11-22,13:30,USD,CPI,high,0.3%,0.4%,0.1%,0.35%,https://example.com,";
    const { unused, warnings, assumptions } = readLines(`${heading}\n${row}`);
    expect(unused).toEqual(["consensus", "surprise", "whisper", "url"]);
    expect(warnings).toEqual([
      "Column “consensus” has figures and is not used; forecast is read from “forecast”.",
      "Column “surprise” has figures and is not used.",
      "Column “whisper” has figures and is not used.",
    ]);
    expect(assumptions).toContain("No column is read as previous, actual.");
  });

  test("are named if the date, the title or the currency is missing", () => {
    expect(() => readLines("when,currency,event\n2026-11-22,USD,x")).toThrow(
      "no column with the date. Its columns are when,",
    );
    expect(() => readLines("date,currency\n2026-11-22,USD")).toThrow("no column with the title");
    expect(() => readLines("date,event\n2026-11-22,x")).toThrow("no column with the currency or the country");
  });

  test.each([
    ["semicolons", "date;time;currency;event;impact;actual\n2026-11-22;13:30;EUR;CPI;High;2,8%"],
    ["tabs", "date\ttime\tcurrency\tevent\timpact\tactual\n2026-11-22\t13:30\tEUR\tCPI\tHigh\t2.8%"],
    ["a named separator", "sep=|\r\ndate|time|currency|event|impact|actual\r\n2026-11-22|13:30|EUR|CPI|High|2.8%"],
  ])("may be separated by %s, in UTF-8 or UTF-16", (_, text) => {
    const expected = [{ timeMs: Date.UTC(2026, 10, 22, 13, 30), currency: "EUR", title: "CPI", actual: "2.8%" }];
    expect(readLines(`\uFEFF${text}`).events).toMatchObject(expected);
    const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");
    for (const each of [utf16, utf16.subarray(2), Buffer.from(utf16).swap16()])
      expect(readCalendarFile(each, "csv", {}).events).toMatchObject(expected);
  });

  test("may be below lines about the file, which the report names", () => {
    const file = readLines("Economic calendar, November\n\ndate;currency;event;impact\n2026-11-22 13:30;USD;x;low");
    expect(file.events).toMatchObject([{ title: "x" }]);
    expect(file.assumptions[0]).toBe("What is above line 3 is no heading and not read.");
  });

  test("that a row has more of are refused, as by a title with a comma and no quotes", () => {
    const text = "date,currency,event,impact,forecast\n2026-11-22 13:30,USD,Sales, total,high,0.3%";
    expect(() => readLines(text)).toThrow("Line 2 has 6 cells, but the heading has 5.");
  });
});

describe("the country of an event", () => {
  const readPlace = (heading: string, cells: string, title = "CPI YoY") => {
    const [event] = readLines(`date,${heading},event,impact\n2026-11-22 10:00,${cells},${title},low`).events;
    return `${event?.currency} ${event?.title}`;
  };

  test("tells its currency, by code or name", () => {
    expect(["US", "USA", "United States", "united states"].map((each) => readPlace("country", each))).toEqual(
      Array<string>(4).fill("USD CPI YoY"),
    );
    expect(["EU", "Euro Area", "EMU"].map((each) => readPlace("country", each))).toEqual(
      Array<string>(3).fill("EUR CPI YoY"),
    );
    expect(readPlace("Country", "JPY")).toBe("JPY CPI YoY");
    expect(readPlace("country", "All")).toBe("ALL CPI YoY");
    expect(() => readPlace("country", "Atlantis")).toThrow("its currency is not one: Atlantis");
    expect(() => readPlace("currency", "USA")).toThrow("its currency is not one: USA");
  });

  test("begins the title where countries share a currency, so that their releases stay apart", () => {
    expect(readPlace("country", "DE")).toBe("EUR German CPI YoY");
    expect(readPlace("currency,country", "EUR,FR")).toBe("EUR French CPI YoY");
    expect(readPlace("country", "Luxembourg")).toBe("EUR Luxembourg CPI YoY");
    expect(readPlace("country", "DE", "German ZEW")).toBe("EUR German ZEW");
    expect(readPlace("country", "DE", "HCOB Germany PMI")).toBe("EUR HCOB Germany PMI");
  });
});

describe("the impact of an event", () => {
  const readImpacts = (words: readonly string[]) =>
    readLines(
      `datetime,currency,event,impact\n${words.map((each, at) => `2026-11-22 10:00,USD,x${at},${each}`).join("\n")}`,
    );

  test.each([
    [
      "high",
      "critical",
      "3",
      "3.0",
      "★★★",
      "3 stars",
      "bull3",
      "High Volatility Expected",
      "icon--ff-impact-red",
      "true",
    ],
    ["medium", "2", "**", "2/3", "Moderate", "orange", "🟠 MEDIUM", "icon icon--ff-impact-ora"],
    ["low", "1", "0", "★☆☆", "none", "Non-Economic", "false", "", "unknown"],
  ])("is %s in words, numbers, stars, pictures and booleans", (impact, ...words) => {
    expect(new Set(readImpacts(words).events.map((event) => event.impact))).toEqual(new Set([impact]));
  });

  test("is counted from -1 to 1 by one publisher", () => {
    expect(readImpacts(["-1", "0", "1"]).events.map(({ impact }) => impact)).toEqual(["low", "medium", "high"]);
    expect(() => readImpacts(["4"])).toThrow("its impact is not one: 4");
  });
});

describe("an identifier", () => {
  test("that comes with several times, or is one of MetaTrader's events, is that of a series", () => {
    const rows = (id: string) => `${id},2026-10-02 12:30,USD,NFP,high\n${id},2026-11-06 13:30,USD,NFP,high`;
    const { events, assumptions } = readLines(`event_id,date,currency,event,impact\n${rows("5")}`);
    expect(events.map(({ key, seriesId }) => [key, seriesId])).toEqual([
      [null, "5"],
      [null, "5"],
    ]);
    expect(assumptions).toContain("The identifiers in “event_id” are read as those of series, not of releases.");
    const single = "event_id,date,currency,event,impact\n840030016,2026-10-02 12:30,USD,NFP,high";
    expect(readLines(single).events).toMatchObject([{ key: null, seriesId: "840030016" }]);
  });

  test("or title that repeats with other figures is warned of", () => {
    const rows = "2026-10-02 12:30,USD,NFP,high,180K\n2026-10-02 12:30,USD,NFP,high,190K";
    expect(readLines(`date,currency,event,impact,forecast\n${rows}`).warnings).toEqual([
      "1 row repeat a release with another title or other figures, such as “NFP” (USD) at 2026-10-02T12:30:00.000Z: the last row counts.",
    ]);
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

  const event = { datetime: "2026-11-22T13:30:00Z", currency: "USD", event: "NFP", impact: "High", forecast: "187K" };
  const { datetime, ...plain } = event;
  const timed = { ...plain, time: "13:30" };
  const list = [event, { ...event, event: "CPI" }];
  test.each([
    ["in an object, under any name", JSON.stringify({ status: "ok", economicCalendar: list })],
    ["deep inside", JSON.stringify({ page: { name: "Calendar", date: "2026-01-01", result: { rows: list } } })],
    ["by identifier", JSON.stringify({ 1: list[0], 2: list[1] })],
    ["by date", JSON.stringify({ "2026-11-22": [timed, { ...timed, event: "CPI" }] })],
    [
      "in an object that tells the zone",
      JSON.stringify({
        timezone: "Asia/Tokyo",
        events: list.map((each) => ({ ...each, datetime: "2026-11-22 22:30" })),
      }),
    ],
    ["in groups of a date", JSON.stringify([{ date: "2026-11-22", events: [timed, { ...timed, event: "CPI" }] }])],
    ["one a line", list.map((each) => JSON.stringify(each)).join("\n")],
    ["as arrays below their names", JSON.stringify([Object.keys(event), ...list.map((each) => Object.values(each))])],
    [
      "as names and arrays",
      JSON.stringify({ columns: Object.keys(event), data: list.map((each) => Object.values(each)) }),
    ],
  ])("may have its events %s", (_, text) => {
    const expected = { timeMs: Date.parse(datetime), currency: "USD", impact: "high", forecast: "187K" };
    expect(read(text, "json")).toMatchObject([
      { ...expected, title: "NFP" },
      { ...expected, title: "CPI" },
    ]);
  });

  test("may have numbers, null, booleans and objects as values", () => {
    const rows = [
      {
        ...plain,
        date: 1795354200,
        forecast: 180,
        previous: null,
        actual: 0.1 + 0.2,
        unit: "%",
        is_final: true,
        more: {},
      },
    ];
    const file = readCalendarFile(bytes(JSON.stringify(rows)), "json", {});
    expect(file.events).toMatchObject([
      { forecast: "180%", previous: "", actual: "0.3%", timeMs: Date.parse(datetime) },
    ]);
    expect(file.unused).toEqual(["is_final", "more"]);
    const nested = readCalendarFile(
      bytes(JSON.stringify([{ ...event, values: { actual: 1 }, actual: "soon" }])),
      "json",
      {},
    );
    expect(nested.warnings).toEqual([
      "Column “values” has a list or an object and is not used.",
      "1 figure is no number, such as “soon”.",
    ]);
  });

  test("is refused if one of its objects is no event, or it is not JSON", () => {
    expect(() => read(JSON.stringify([event, { datetime }]), "json")).toThrow("Row 2 cannot be read");
    expect(() => read("{", "json")).toThrow("The file is not JSON");
    expect(() => read('{"a":1}\n{"a"', "json")).toThrow("line 2 cannot be read");
    expect(read("[]", "json")).toEqual([]);
  });
});

const realData = findRealData();

describe.skipIf(realData === undefined)("recorded files of the second publisher", () => {
  const calendar = join(realData ?? "", "calendar");

  test("are read as JSON with New York's offset, in any week", () => {
    const folder = join(calendar, "forexfactory_dkmarlin");
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
      const { events } = readCalendarFile(readFileSync(join(folder, name)), "forexfactory-json", { zone: "UTC" });
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
    const { events } = readCalendarFile(readFileSync(path), "forexfactory-xml", { zone: "UTC" });
    expect(events.length).toBeGreaterThan(60);
    const cpi = events.find(({ title, currency }) => title === "CPI m/m" && currency === "USD");
    expect(toIso(cpi?.timeMs)).toBe("2025-06-11T12:30:00.000Z");
  });

  test("are read as CSV seven hours ahead of UTC, in winter and in the weeks when America has changed its clocks", () => {
    const utcHours = (file: string, title: string) => {
      const options = { zone: "Etc/GMT-7", year: 2024 };
      return readCalendarFile(readFileSync(join(calendar, "forexfactory_datpro", file)), "csv", options)
        .events.filter((event) => event.title === title && event.currency === "USD")
        .map(({ timeMs }) => toIso(timeMs).slice(11, 16));
    };
    expect(new Set(utcHours("2024_02_ff_data.csv", "CPI m/m"))).toEqual(new Set(["13:30"]));
    expect(new Set(utcHours("2024_03_ff_data.csv", "CPI m/m"))).toEqual(new Set(["12:30"]));
  });
});
