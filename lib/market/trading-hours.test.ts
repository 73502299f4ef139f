import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instruments } from "@/lib/market/catalog";
import type { TradingHours } from "@/lib/market/instrument";
import { formatTradingHours, getNextOpening, isMarketOpen } from "@/lib/market/trading-hours";

const utc = (text: string) => Date.parse(`${text}Z`);
const findHours = (symbol: string): TradingHours => {
  const found = instruments.find((instrument) => instrument.symbol === symbol);
  if (found === undefined) throw new Error(`${symbol} is not in the catalog`);
  return found.tradingHours;
};
/** Asserts that the market changes state exactly at `text`, to the millisecond. */
function expectOpening(symbol: string, text: string) {
  expect([isMarketOpen(findHours(symbol), utc(text) - 1), isMarketOpen(findHours(symbol), utc(text))]).toEqual([
    false,
    true,
  ]);
  expect(getNextOpening(findHours(symbol), utc(text) - 1)).toBe(utc(text));
}
function expectClosing(symbol: string, text: string) {
  expect([isMarketOpen(findHours(symbol), utc(text) - 1), isMarketOpen(findHours(symbol), utc(text))]).toEqual([
    true,
    false,
  ]);
}

describe("foreign exchange", () => {
  test("trades Sunday 17:00 to Friday 17:00 New York, in winter and in summer", () => {
    expectOpening("EURUSD", "2026-01-18T22:00");
    expectClosing("EURUSD", "2026-01-23T22:00");
    expectOpening("EURUSD", "2026-07-12T21:00");
    expectClosing("EURUSD", "2026-07-17T21:00");
  });

  test("moves with New York over the weekends its clocks change", () => {
    expectClosing("EURUSD", "2026-03-06T22:00");
    expectOpening("EURUSD", "2026-03-08T21:00");
    expectClosing("EURUSD", "2026-10-30T21:00");
    expectOpening("EURUSD", "2026-11-01T22:00");
  });

  test("does not pause at midnight", () => {
    for (const text of ["2026-01-20T00:00", "2026-01-20T05:00", "2026-01-20T22:00"]) {
      expect(isMarketOpen(findHours("EURUSD"), utc(text))).toBe(true);
    }
  });

  test("opens next on Sunday evening, on a Saturday", () => {
    expect(getNextOpening(findHours("EURUSD"), utc("2026-01-17T12:00"))).toBe(utc("2026-01-18T22:00"));
  });

  test("has now as its next opening while it is open", () => {
    expect(getNextOpening(findHours("EURUSD"), utc("2026-01-20T12:00"))).toBe(utc("2026-01-20T12:00"));
  });
});

describe("holidays of the whole market", () => {
  test("close the market at Christmas and New Year from 22:00 UTC to 22:00 UTC", () => {
    expectClosing("EURUSD", "2025-12-24T22:00");
    expectOpening("EURUSD", "2025-12-25T22:00");
    expectClosing("EURUSD", "2025-12-31T22:00");
    expectOpening("EURUSD", "2026-01-01T22:00");
  });

  test("are joined with an adjacent weekend", () => {
    expectClosing("EURUSD", "2026-12-24T22:00");
    expect(isMarketOpen(findHours("EURUSD"), utc("2026-12-25T21:59"))).toBe(false);
    expectOpening("EURUSD", "2026-12-27T22:00");
  });

  test("do not affect coins, which never close", () => {
    for (const text of ["2026-12-25T12:00", "2026-01-01T00:00", "2026-07-11T12:00"]) {
      expect(isMarketOpen(findHours("BTCUSD"), utc(text))).toBe(true);
    }
  });
});

test("Metals break for an hour at 17:00 New York", () => {
  expectClosing("XAUUSD", "2026-01-20T22:00");
  expectOpening("XAUUSD", "2026-01-20T23:00");
  expectClosing("XAUUSD", "2026-07-14T21:00");
  expectOpening("XAUUSD", "2026-07-14T22:00");
  expectOpening("XAUUSD", "2026-01-18T23:00");
});

test("Shares trade in the hours of their own exchange", () => {
  expectOpening("AAPL", "2026-01-20T14:30");
  expectClosing("AAPL", "2026-01-20T21:00");
  expectOpening("AAPL", "2026-07-14T13:30");
  expectOpening("SAP.DE", "2026-07-14T07:00");
  expectClosing("SAP.DE", "2026-01-20T16:30");
});

test("A night session runs over midnight into the morning, but not into Saturday", () => {
  expectOpening("HK50", "2026-01-20T09:15");
  expectClosing("HK50", "2026-01-20T19:00");
  expectClosing("HK50", "2026-01-23T08:30");
  expect(getNextOpening(findHours("HK50"), utc("2026-01-23T08:30"))).toBe(utc("2026-01-26T01:15"));
});

test("The result does not depend on earlier calls", () => {
  const moment = fc.integer({ min: utc("2025-12-01T00:00"), max: utc("2026-12-31T00:00") });
  fc.assert(
    fc.property(
      fc.constantFrom("EURUSD", "XAUUSD", "HK50", "AAPL"),
      fc.array(moment, { minLength: 2 }),
      (symbol, moments) => {
        const fresh = (atMs: number) => isMarketOpen({ ...findHours(symbol) }, atMs);
        for (const atMs of moments) expect(isMarketOpen(findHours(symbol), atMs)).toBe(fresh(atMs));
      },
    ),
    { numRuns: 50 },
  );
});

test("The next opening is the first open moment", () => {
  const moment = fc.integer({ min: utc("2025-12-01T00:00"), max: utc("2026-12-31T00:00") });
  fc.assert(
    fc.property(fc.constantFrom("EURUSD", "UKOIL", "AUS200", "GER40", "MC.FR"), moment, (symbol, atMs) => {
      const opensMs = getNextOpening(findHours(symbol), atMs);
      if (opensMs === null) throw new Error("every market in the catalog opens");
      expect(isMarketOpen(findHours(symbol), opensMs)).toBe(true);
      if (opensMs > atMs) expect(isMarketOpen({ ...findHours(symbol) }, opensMs - 1)).toBe(false);
    }),
    { numRuns: 200 },
  );
});

test("Hours that never open have no next opening", () => {
  const days = { sunday: [], monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [] };
  expect(getNextOpening({ zone: "UTC", days }, utc("2026-01-20T12:00"))).toBeNull();
});

test("formatTradingHours returns readable text", () => {
  const text = formatTradingHours(findHours("XAUUSD"));
  expect(text.sunday).toBe("18:00-24:00 America/New_York");
  expect(text.monday).toBe("00:00-17:00, 18:00-24:00 America/New_York");
  expect(text.saturday).toBe("closed");
});
