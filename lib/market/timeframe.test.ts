import { describe, expect, test } from "vitest";
import { getBarEnd, getBarStart, readTimeframe, TIMEFRAMES } from "./timeframe";

const at = (iso: string) => Date.parse(`${iso}Z`);
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);

describe("spellings of timeframes", () => {
  test.each([
    ["M1", ["M1", "m1", "1m", "1min"]],
    ["M15", ["M15", "m15", "15m", "15min"]],
    ["H1", ["H1", "h1", "1h", "1H", "1hour"]],
    ["H4", ["H4", "4h"]],
    ["D1", ["D1", "1d", "1D", "1day"]],
    ["W1", ["W1", "1w", "1W", "1week"]],
  ])("%s has the spellings %j", (timeframe, spellings) => {
    expect(spellings.map((text) => readTimeframe(text))).toEqual(spellings.map(() => timeframe));
  });

  test.each(["", "1M", "15M", "H2", "2h", "60", "1", "m", "1mo", "1month", "01h", "H 1", "1x"])("%j is none", (text) =>
    expect(readTimeframe(text)).toBeUndefined(),
  );
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
  for (const timeframe of TIMEFRAMES.slice(4)) {
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
