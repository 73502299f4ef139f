import { describe, expect, test } from "vitest";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { countExpectedBars, findHoles, findNewestPossible, rateNewestBar } from "@/lib/market/expected-bars";
import type { Instrument } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const findHours = (symbol: string) => (instrumentBySymbol.get(symbol) as Instrument).tradingHours;
/** A Wednesday in winter. */
const WEDNESDAY = Date.UTC(2026, 0, 14);

describe("countExpectedBars", () => {
  test("counts all bars of a trading day, and five days a week", () => {
    expect(countExpectedBars(findHours("EURUSD"), "M1", WEDNESDAY, WEDNESDAY + HOUR_MS)).toBe(60);
    const sunday = Date.UTC(2026, 0, 11, 22);
    expect(countExpectedBars(findHours("EURUSD"), "D1", sunday, sunday + 7 * DAY_MS)).toBe(5);
    expect(countExpectedBars(findHours("EURUSD"), "H1", sunday, sunday + 7 * DAY_MS)).toBe(120);
    expect(countExpectedBars(findHours("BTCUSD"), "H1", sunday, sunday + 7 * DAY_MS)).toBe(168);
  });

  test("counts the bars that open in the range", () => {
    expect(countExpectedBars(findHours("EURUSD"), "M5", WEDNESDAY + 1, WEDNESDAY + 600_000)).toBe(1);
    expect(countExpectedBars(findHours("EURUSD"), "M5", WEDNESDAY, WEDNESDAY + 600_001)).toBe(3);
    expect(countExpectedBars(findHours("EURUSD"), "M5", WEDNESDAY, WEDNESDAY)).toBe(0);
  });

  test("returns null for a range that is too long", () => {
    expect(countExpectedBars(findHours("EURUSD"), "M1", 0, WEDNESDAY)).toBeNull();
  });
});

const euro = instrumentBySymbol.get("EURUSD") as Instrument;
const coin = instrumentBySymbol.get("BTCUSD") as Instrument;

function newest(instrument: Instrument, timeframe: Timeframe, at: string): string | null {
  const ms = findNewestPossible(instrument.tradingHours, timeframe, Date.parse(at));
  return ms === null ? null : new Date(ms).toISOString().slice(0, 16);
}

describe("The newest possible bar", () => {
  test("is the last one that has ended while the market is open", () => {
    expect(newest(euro, "H1", "2026-01-14T10:30:00Z")).toBe("2026-01-14T09:00");
    expect(newest(euro, "H1", "2026-01-14T11:00:00Z")).toBe("2026-01-14T10:00");
    expect(newest(euro, "M1", "2026-01-14T10:30:59Z")).toBe("2026-01-14T10:29");
    expect(newest(euro, "D1", "2026-01-14T10:30:00Z")).toBe("2026-01-12T22:00");
    expect(newest(euro, "W1", "2026-01-14T10:30:00Z")).toBe("2026-01-04T22:00");
  });

  test("is Friday's last one on a weekend, and until a bar of Sunday has ended", () => {
    for (const at of ["2026-01-16T22:00:00Z", "2026-01-17T12:00:00Z", "2026-01-18T22:59:59Z"]) {
      expect(newest(euro, "H1", at), at).toBe("2026-01-16T21:00");
    }
    expect(newest(euro, "H1", "2026-01-18T23:00:00Z")).toBe("2026-01-18T22:00");
    expect(newest(euro, "D1", "2026-01-17T12:00:00Z")).toBe("2026-01-15T22:00");
    expect(newest(euro, "W1", "2026-01-17T12:00:00Z")).toBe("2026-01-04T22:00");
    expect(newest(euro, "W1", "2026-01-19T12:00:00Z")).toBe("2026-01-11T22:00");
  });

  test("is the one before a holiday of the whole market", () => {
    const before = newest(euro, "H1", "2025-12-25T12:00:00Z");
    expect(before).toMatch(/^2025-12-24T/);
    expect(newest(euro, "H1", "2025-12-25T20:00:00Z")).toBe(before);
  });

  test("follows the clock where a market always trades", () => {
    expect(newest(coin, "H1", "2026-01-17T12:30:00Z")).toBe("2026-01-17T11:00");
    expect(newest(coin, "H1", "2025-12-25T12:30:00Z")).toBe("2025-12-25T11:00");
    expect(newest(coin, "D1", "2026-01-18T12:30:00Z")).toBe("2026-01-16T22:00");
  });

  test("is the last before the break of a clock change", () => {
    expect(newest(euro, "H4", "2026-03-08T12:00:00Z")).toBe("2026-03-06T18:00");
    expect(newest(euro, "H4", "2026-03-09T01:00:00Z")).toBe("2026-03-08T21:00");
  });
});

describe("A bar", () => {
  const rate = (instrument: Instrument, timeframe: Timeframe, bar: string, at: string) =>
    rateNewestBar(instrument, timeframe, Date.parse(bar), Date.parse(at));

  test("is current if no newer one is possible, also over a weekend", () => {
    expect(rate(euro, "H1", "2026-01-14T09:00:00Z", "2026-01-14T10:59:59Z")).toBe("current");
    expect(rate(euro, "H1", "2026-01-16T21:00:00Z", "2026-01-18T12:00:00Z")).toBe("current");
    expect(rate(euro, "D1", "2026-01-15T22:00:00Z", "2026-01-19T12:00:00Z")).toBe("current");
    expect(rate(euro, "W1", "2026-01-11T22:00:00Z", "2026-01-24T12:00:00Z")).toBe("current");
  });

  test("is behind from the first bar that is missing, and not by a closed market", () => {
    expect(rate(euro, "H1", "2026-01-14T09:00:00Z", "2026-01-14T11:00:00Z")).toBe("behind");
    expect(rate(euro, "H1", "2026-01-16T20:00:00Z", "2026-01-18T12:00:00Z")).toBe("behind");
    expect(rate(coin, "H1", "2026-01-16T21:00:00Z", "2026-01-17T12:00:00Z")).toBe("behind");
    expect(rate(euro, "W1", "2026-01-04T22:00:00Z", "2026-01-19T12:00:00Z")).toBe("behind");
  });

  test("is outdated once more bars were possible after it than its timeframe allows", () => {
    expect(rate(euro, "H1", "2026-01-14T09:00:00Z", "2026-01-15T06:59:59Z")).toBe("behind");
    expect(rate(euro, "H1", "2026-01-14T09:00:00Z", "2026-01-15T07:00:00Z")).toBe("outdated");
    expect(rate(euro, "M1", "2026-01-14T09:00:00Z", "2026-01-14T10:01:59Z")).toBe("behind");
    expect(rate(euro, "M1", "2026-01-14T09:00:00Z", "2026-01-14T10:02:00Z")).toBe("outdated");
    expect(rate(euro, "D1", "2025-06-29T21:00:00Z", "2026-11-27T12:00:00Z")).toBe("outdated");
    expect(rate(euro, "W1", "2025-06-22T21:00:00Z", "2026-11-27T12:00:00Z")).toBe("outdated");
  });

  test("is current if prices came outside the trading hours", () => {
    expect(rate(euro, "H1", "2026-01-17T09:00:00Z", "2026-01-17T12:00:00Z")).toBe("current");
  });
});

describe("A hole in bars", () => {
  const shares = instrumentBySymbol.get("AAPL") as Instrument;
  const find = (instrument: Instrument, timeframe: Timeframe, times: readonly string[], before?: string) =>
    findHoles(
      instrument,
      timeframe,
      times.map((time) => ({ timeMs: Date.parse(time) })),
      before === undefined ? null : Date.parse(before),
    );

  test("is where more than 20 bars are missing, with its times and the bar after it", () => {
    const times = ["2026-01-13T09:00:00Z", "2026-01-13T10:00:00Z", "2026-01-14T08:00:00Z"];
    expect(find(euro, "H1", times)).toEqual([
      { at: 2, fromMs: Date.parse("2026-01-13T11:00:00Z"), untilMs: Date.parse("2026-01-14T08:00:00Z"), missing: 21 },
    ]);
    expect(find(euro, "H1", ["2026-01-13T10:00:00Z", "2026-01-14T07:00:00Z"])).toEqual([]);
    expect(find(euro, "M1", ["2026-01-13T10:00:00Z", "2026-01-13T11:01:00Z"])).toEqual([]);
    expect(find(euro, "M1", ["2026-01-13T10:00:00Z", "2026-01-13T11:02:00Z"])).toMatchObject([{ missing: 61 }]);
  });

  test("is none where the market was closed: at night, on a weekend, on a holiday of all", () => {
    expect(find(euro, "M1", ["2026-01-16T21:59:00Z", "2026-01-18T22:00:00Z"])).toEqual([]);
    expect(find(euro, "M5", ["2025-12-24T21:55:00Z", "2025-12-25T23:00:00Z"])).toEqual([]);
    expect(find(shares, "M5", ["2026-01-13T20:55:00Z", "2026-01-14T14:30:00Z"])).toEqual([]);
    expect(find(euro, "D1", ["2026-01-15T22:00:00Z", "2026-01-18T22:00:00Z"])).toEqual([]);
  });

  test("is none on a holiday of an exchange, but is when sessions are missing for longer", () => {
    expect(find(shares, "M5", ["2026-11-25T20:55:00Z", "2026-11-27T14:30:00Z"])).toEqual([]);
    expect(find(shares, "M5", ["2026-11-18T20:55:00Z", "2026-11-27T14:30:00Z"])).toHaveLength(1);
    expect(find(shares, "M5", ["2026-11-25T18:55:00Z", "2026-11-27T14:30:00Z"])).toHaveLength(1);
  });

  test("is counted on weekends of a market that always trades", () => {
    expect(find(coin, "H1", ["2026-01-16T21:00:00Z", "2026-01-18T22:00:00Z"])).toMatchObject([{ missing: 48 }]);
  });

  test("may lie before the first bar, and is counted up to 500", () => {
    const found = find(euro, "H1", ["2026-11-27T14:00:00Z", "2026-11-27T15:00:00Z"], "2025-06-30T20:00:00Z");
    expect(found).toMatchObject([{ at: 0, fromMs: Date.parse("2025-06-30T21:00:00Z"), missing: 501 }]);
    expect(find(euro, "W1", ["2025-06-22T21:00:00Z", "2026-11-15T22:00:00Z"])).toMatchObject([{ missing: 72 }]);
  });
});
