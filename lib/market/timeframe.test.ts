import { describe, expect, test } from "vitest";
import { explainTimeframe, findParts, getBarEnd, getBarStart, readTimeframe, TIMEFRAMES } from "./timeframe";

const at = (iso: string) => Date.parse(`${iso}Z`);
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);

describe("spellings of timeframes", () => {
  test.each([
    ["M1", ["M1", "m1", "1m", "1min", "1Min", "minute", "1"]],
    ["M15", ["M15", "m15", "15m", "15min", "15minutes", "15", " M15 "]],
    ["H1", ["H1", "h1", "1h", "1H", "1hour", "1hr", "hourly", "H", "60", "60m"]],
    ["H4", ["H4", "4h", "240", "4Hours"]],
    ["D1", ["D1", "1d", "1D", "1day", "D", "d", "day", "daily", "1440"]],
    ["W1", ["W1", "1w", "1W", "1week", "1wk", "W", "weekly"]],
    ["MN1", ["MN1", "1mo", "1month", "1MN", "MN", "month", "monthly"]],
    ["H2", ["H2", "2h", "M120", "120m"]],
    ["D1", ["H24", "M1440", "24h"]],
    ["M45", ["M45", "45min"]],
    ["S15", ["S15", "15s", "15sec"]],
  ])("%s has the spellings %j", (timeframe, spellings) => {
    expect(spellings.map((text) => readTimeframe(text))).toEqual(spellings.map(() => timeframe));
  });

  test.each([
    "",
    "1M",
    "15M",
    "m",
    "M",
    "0",
    "060",
    "1441",
    "3600",
    "s",
    "01h",
    "M01",
    "M0",
    "H 1",
    "1x",
    "H25",
    "M1441",
    "D2",
    "W2",
    "MN2",
    "S2",
    "S60",
    "__proto__",
  ])("%j is none", (text) => expect(readTimeframe(text)).toBeUndefined());

  test("of which a capital M may be a month or a minute are explained", () => {
    expect(explainTimeframe("1M")).toContain("Say M1 or 1m for minutes, and MN1 or 1mo for a month");
    expect(explainTimeframe("15M")).toContain("M15 or 15m");
    expect(explainTimeframe("M0")).toBe("");
  });
});

describe("bars of an hour and less", () => {
  test("begin on the UTC clock", () => {
    const moment = at("2026-07-15T12:47:31.250");
    const starts = (["M1", "M5", "M15", "M30", "H1"] as const).map((timeframe) =>
      iso(getBarStart(timeframe, moment)).slice(11),
    );
    expect(starts).toEqual(["12:47", "12:45", "12:45", "12:30", "12:00"]);
  });
});

describe("bars of four hours and more", () => {
  test("of a month begin with the trading day of its first", () => {
    expect(iso(getBarStart("MN1", at("2026-07-31T20:59")))).toBe("2026-06-30T21:00");
    expect(iso(getBarStart("MN1", at("2026-07-31T21:00")))).toBe("2026-07-31T21:00");
    expect(iso(getBarEnd("MN1", at("2026-12-31T22:00")))).toBe("2027-01-31T22:00");
    expect(iso(getBarEnd("MN1", at("2026-10-31T21:00")))).toBe("2026-11-30T22:00");
  });

  test("are made of the longest stored bars that divide them", () => {
    const parts = (["S15", "M2", "M45", "M50", "H2", "H8", "H12", "M450", "MN1"] as const).map(findParts);
    expect(parts).toEqual(["S1", "M1", "M15", "M5", "H1", "H4", "H4", "M30", "D1"]);
  });

  test("begin at 17:00 in New York, winter and summer", () => {
    expect(iso(getBarStart("D1", at("2026-01-14T21:59:59.999")))).toBe("2026-01-13T22:00");
    expect(iso(getBarStart("D1", at("2026-01-14T22:00")))).toBe("2026-01-14T22:00");
    expect(iso(getBarStart("D1", at("2026-07-14T21:00")))).toBe("2026-07-14T21:00");
    expect(iso(getBarStart("H4", at("2026-07-14T20:59")))).toBe("2026-07-14T17:00");
    expect(iso(getBarStart("W1", at("2026-07-17T20:59")))).toBe("2026-07-12T21:00");
    expect(iso(getBarStart("W1", at("2026-07-12T20:59")))).toBe("2026-07-05T21:00");
  });

  test("include five daily bars in a week of spot trading", () => {
    const days = new Set<number>();
    for (let ms = at("2026-03-01T22:00"); ms < at("2026-03-06T22:00"); ms += 60_000) days.add(getBarStart("D1", ms));
    expect(days.size).toBe(5);
  });

  test("include a last H4 bar that is longer or shorter on the day of a clock change", () => {
    const spring = at("2026-03-07T22:00");
    expect(iso(getBarEnd("D1", spring))).toBe("2026-03-08T21:00");
    expect(iso(getBarEnd("H4", at("2026-03-08T18:00")))).toBe("2026-03-08T21:00");
    const autumn = at("2026-10-31T21:00");
    expect(iso(getBarEnd("D1", autumn))).toBe("2026-11-01T22:00");
    expect(iso(getBarStart("H4", at("2026-11-01T21:30")))).toBe("2026-11-01T17:00");
    expect(iso(getBarEnd("H4", at("2026-11-01T17:00")))).toBe("2026-11-01T22:00");
  });
});

test("Bars of every timeframe cover two years without a gap or an overlap", () => {
  for (const timeframe of [...TIMEFRAMES.slice(4), "H2", "H5", "H12", "M45", "M90", "M1439", "MN1"] as const) {
    let start = getBarStart(timeframe, at("2026-01-01T00:00"));
    while (start < at("2028-01-01T00:00")) {
      const end = getBarEnd(timeframe, start);
      const starts = [start, end - 1, end].map((atMs) => getBarStart(timeframe, atMs));
      // Compared without `expect`, which for this many bars takes a second.
      if (end <= start || starts.join() !== [start, start, end].join())
        throw new Error(`${timeframe} at ${iso(start)}`);
      start = end;
    }
  }
});
