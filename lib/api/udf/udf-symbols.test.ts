import { expect, test } from "vitest";
import { findChartTime, readResolution, toChartTime } from "@/lib/api/udf/udf-endpoint";
import { formatSession, formatZone } from "@/lib/api/udf/udf-symbols";
import { instruments } from "@/lib/market/catalog";
import { getBarStart } from "@/lib/market/timeframe";

const describe = (symbol: string) => {
  const { tradingHours } = instruments.find((each) => each.symbol === symbol) ?? instruments[0]!;
  return `${formatSession(tradingHours)} ${formatZone(tradingHours)}`;
};

test.each([
  ["EURUSD", "1700-1700 America/New_York"],
  ["XAUUSD", "1800-1700 America/New_York"],
  ["AAPL", "0930-1600 America/New_York"],
  ["GER40", "0115-2200 Europe/Berlin"],
  ["BTCUSD", "24x7 Etc/UTC"],
  ["AUS200", "0950-1630:2|1710-0800,0950-1630:3456 Australia/Sydney"],
])("The session of %s is %s", (symbol, session) => expect(describe(symbol)).toBe(session));

test("Every session has the form of the protocol", () => {
  const span = String.raw`\d{4}-\d{4}`;
  const group = `${span}(,${span})*(:[1-7]+)?`;
  for (const { tradingHours } of instruments) {
    expect(formatSession(tradingHours)).toMatch(new RegExp(`^(24x7|${group}(\\|${group})*)$`));
  }
});

test("Daily and weekly bars are named by midnight UTC of their trading day, shorter ones by their opening", () => {
  const name = (timeframe: "D1" | "W1" | "H4", at: string) =>
    new Date(findChartTime(timeframe, Date.parse(at))).toISOString();
  // Sunday at 17:00 in New York begins Monday, in winter at 22:00 UTC and in summer at 21:00.
  expect(name("D1", "2026-01-11T22:00:00Z")).toBe("2026-01-12T00:00:00.000Z");
  expect(name("D1", "2026-01-12T21:59:59Z")).toBe("2026-01-12T00:00:00.000Z");
  expect(name("D1", "2026-07-12T21:00:00Z")).toBe("2026-07-13T00:00:00.000Z");
  expect(name("D1", "2026-03-08T21:00:00Z")).toBe("2026-03-09T00:00:00.000Z");
  expect(name("W1", "2026-01-16T12:00:00Z")).toBe("2026-01-12T00:00:00.000Z");
  expect(name("H4", "2026-01-12T02:30:00Z")).toBe("2026-01-12T02:00:00.000Z");
  const start = getBarStart("D1", Date.parse("2026-11-02T12:00:00Z"));
  expect(new Date(toChartTime("D1", start)).toISOString()).toBe("2026-11-02T00:00:00.000Z");
});

test("Days and weeks have a short spelling, and other resolutions are unknown", () => {
  expect(["D", "1D", "W", "1W", "M", "60"].map(readResolution)).toEqual(["1D", "1D", "1W", "1W", "1M", "60"]);
  expect(["S", "1m", "H1", "", "45", "constructor"].map(readResolution)).toEqual(Array(6).fill(undefined));
});
