import { describe, expect, test } from "vitest";
import type { FeedSource } from "@/lib/feeds/feed";
import { GapTracker, type SeenSource } from "@/lib/history/gaps/gap-tracker";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const WEDNESDAY = Date.UTC(2026, 0, 14, 14);
/** 17:00 in New York. */
const FRIDAY_CLOSE = Date.UTC(2026, 0, 16, 22);
const SUNDAY_OPENING = Date.UTC(2026, 0, 18, 22);
const SOURCES: readonly FeedSource[] = [
  { name: "oanda", mode: "live" },
  { name: "alpha", mode: "simulated" },
];

function open(seen: readonly SeenSource[] = []) {
  const tracker = new GapTracker(SOURCES, seen);
  const quote = (atMs: number, symbol = "EURUSD", source = "oanda") => {
    const instrument = instrumentBySymbol.get(symbol) as Instrument;
    tracker.onQuote({ source, instrument, bid: 1, ask: 2, timeMs: atMs, receivedAtMs: atMs });
  };
  const take = () => tracker.take().map(({ fromMs, toMs, reason }) => [reason, fromMs, toMs]);
  return { tracker, quote, take };
}

describe("the gaps of a source", () => {
  test("begin at its last price before a loss and end at its first one after, and have the first reason", () => {
    const { tracker, quote } = open();
    for (let at = 0; at <= 10; at++) quote(WEDNESDAY + at * 100, at % 2 === 0 ? "EURUSD" : "USDJPY");
    tracker.onLoss("oanda", "disconnected");
    tracker.onLoss("oanda", "paused");
    quote(WEDNESDAY + MINUTE_MS);
    expect(tracker.take()).toEqual([
      {
        ...{ source: "oanda", reason: "disconnected", symbols: ["EURUSD", "USDJPY"] },
        ...{ fromMs: WEDNESDAY + 1_000, toMs: WEDNESDAY + MINUTE_MS },
      },
    ]);
    quote(WEDNESDAY + HOUR_MS);
    expect(tracker.take()).toEqual([]);
  });

  test("are none if they are shorter than five seconds, or than ten usual pauses", () => {
    const { tracker, quote, take } = open();
    quote(WEDNESDAY);
    quote(WEDNESDAY + 100);
    tracker.onLoss("oanda", "disconnected");
    quote(WEDNESDAY + 5_000);
    expect(take()).toEqual([]);
    let atMs = WEDNESDAY + 5_000;
    for (let count = 0; count < 20; count++) quote((atMs += 10 * SECOND_MS));
    tracker.onLoss("oanda", "disconnected");
    quote((atMs += 90 * SECOND_MS));
    expect(take()).toEqual([]);
    for (let count = 0; count < 20; count++) quote((atMs += 10 * SECOND_MS));
    tracker.onLoss("oanda", "disconnected");
    quote(atMs + 2 * MINUTE_MS);
    expect(take()).toEqual([["disconnected", atMs, atMs + 2 * MINUTE_MS]]);
  });

  test("are only in the hours of an open market: a weekend is none", () => {
    const { tracker, quote, take } = open();
    quote(FRIDAY_CLOSE - 10 * SECOND_MS);
    tracker.onLoss("oanda", "disconnected");
    const opening = [0, 5, 10].map((minutes) => SUNDAY_OPENING + minutes * MINUTE_MS);
    quote((opening[0] as number) + 20 * SECOND_MS);
    expect(take()).toEqual([]);
    tracker.onLoss("oanda", "paused");
    quote(WEDNESDAY + 7 * 24 * HOUR_MS, "EURUSD");
    expect(take().length).toBeGreaterThan(0);
  });

  test("of a source that also quotes coins go through the weekend", () => {
    const { tracker, quote, take } = open();
    const saturday = FRIDAY_CLOSE + 10 * HOUR_MS;
    quote(saturday, "BTCUSD");
    tracker.onLoss("oanda", "disconnected");
    quote(saturday + HOUR_MS, "BTCUSD");
    expect(take()).toEqual([["disconnected", saturday, saturday + HOUR_MS]]);
  });

  test("include the time in which no server ran, for a live source that is still set up", () => {
    const seen = { seenMs: WEDNESDAY, symbols: ["EURUSD"], reason: null };
    const before = [
      { ...seen, source: "oanda" },
      { ...seen, source: "removed" },
    ];
    const { tracker, quote, take } = open(before);
    quote(WEDNESDAY + HOUR_MS);
    quote(WEDNESDAY + HOUR_MS, "EURUSD", "alpha");
    quote(WEDNESDAY + HOUR_MS, "EURUSD", "removed");
    expect(take()).toEqual([["stopped", WEDNESDAY, WEDNESDAY + HOUR_MS]]);
    expect(tracker.listSeen()).toEqual([{ ...seen, source: "oanda", seenMs: WEDNESDAY + HOUR_MS }]);
  });

  test("are not reported while the clock is set back, or for a source that was removed", () => {
    const { tracker, quote, take } = open();
    quote(WEDNESDAY);
    tracker.onLoss("oanda", "disconnected");
    quote(WEDNESDAY - HOUR_MS);
    tracker.onLoss("oanda", "disconnected");
    tracker.setSources([]);
    quote(WEDNESDAY + HOUR_MS);
    expect(take()).toEqual([]);
  });
});
