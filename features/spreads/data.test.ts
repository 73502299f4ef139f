import { describe, expect, test } from "vitest";
import { findLateStart, readSpreadLines, sortRows } from "@/features/spreads/data";
import { fillSteps } from "@/features/spreads/spread-lines";
import type { SpreadRow } from "@/features/spreads/types";
import { readView } from "@/features/spreads/url";
import { NOW_HOUR_MS, NOW_MS, sessions, toColumns, useSpreads } from "@/lib/history/spreads/spreads.fixture";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

test("A source that was recorded for a part of the period only names its beginning", () => {
  expect(findLateStart(3 * HOUR_MS, HOUR_MS)).toBe(3 * HOUR_MS);
  expect(findLateStart(HOUR_MS + 10 * MINUTE_MS, HOUR_MS)).toBeNull();
  expect(findLateStart(undefined, HOUR_MS)).toBeNull();
  expect(findLateStart(HOUR_MS, undefined)).toBeNull();
});

const row = (symbol: string, figures: Partial<SpreadRow>): SpreadRow => {
  const none = { current: null, state: null, avg: null, min: null, max: null, p5: null, median: null, p95: null };
  return { symbol, name: symbol, ...none, ...figures };
};
const rows = [
  row("XAUUSD", { avg: 2, median: 1.5, p95: 3 }),
  row("NEW", {}),
  row("EURUSD", { avg: 1, median: 1.8, p95: 3 }),
  row("OTHER", {}),
];

test("Rows are sorted by a column, the tightest first and those without a value last", () => {
  const order = (sort: Parameters<typeof sortRows>[1]) => sortRows(rows, sort).map(({ symbol }) => symbol);
  expect(order("avg")).toEqual(["EURUSD", "XAUUSD", "NEW", "OTHER"]);
  expect(order("median")).toEqual(["XAUUSD", "EURUSD", "NEW", "OTHER"]);
  expect(order("p95")).toEqual(["XAUUSD", "EURUSD", "NEW", "OTHER"]);
  expect(order("symbol")).toEqual(["EURUSD", "NEW", "OTHER", "XAUUSD"]);
});

const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;
const NOW_MINUTE_MS = Math.floor(NOW_MS / MINUTE_MS) * MINUTE_MS;
/** Two hours back: the page must leave out the first of them. */
const MINUTES = Array.from({ length: 121 }, (_, index) => NOW_MINUTE_MS - (120 - index) * MINUTE_MS);
/** Each minute has its own spread, so that longer steps would have other means. */
const toPoints = (minuteMs: number) => 10 + ((minuteMs / MINUTE_MS) % 7);

describe("the lines of spreads", () => {
  const { open, openHours, write } = useSpreads();

  async function readLines(period: string) {
    const spreads = open();
    const columns = toColumns(
      MINUTES.map((startMs) => ({ symbol: "EURUSD", second: startMs / 1000, spread: toPoints(startMs) })),
    );
    for (const startMs of MINUTES) {
      const ask = 1.08 + toPoints(startMs) / 100_000;
      // A source's second counts when the next one begins.
      for (const timeMs of [startMs, startMs + SECOND_MS]) {
        spreads.onQuote({ source: "alpha", instrument: EURUSD, bid: 1.08, ask, timeMs });
      }
    }
    await write(
      columns.filter(({ hourMs }) => hourMs < NOW_HOUR_MS),
      spreads,
    );
    openHours.set(columns.filter(({ hourMs }) => hourMs === NOW_HOUR_MS));
    const view = readView({ symbols: "EURUSD", lines: "EURUSD,EURUSD:alpha", period }, (symbol) => symbol);
    const runtime = { history: { spreads: spreads.history }, marketNow: () => NOW_MS, sessions };
    return readSpreadLines(runtime as unknown as Parameters<typeof readSpreadLines>[0], view);
  }

  test("One hour has a point for each of its minutes, of the served quotes and of a source", async () => {
    const data = await readLines("1h");
    expect(data).toMatchObject({ fromMs: NOW_MINUTE_MS - HOUR_MS, nowMs: Math.floor(NOW_MS), stepMs: MINUTE_MS });
    const hour = MINUTES.slice(-61);
    for (const { key, points } of data.lines) {
      expect(
        points.map(([startMs]) => startMs),
        key,
      ).toEqual(hour);
      expect(
        points.map(([, mean]) => mean),
        key,
      ).toEqual(hour.map((startMs) => toPoints(startMs) / 10));
      // The chart draws one place a minute, without gaps between them.
      expect(fillSteps(points, data).map(([, value]) => value)).toEqual(points.map(([, mean]) => mean));
    }
    expect(data.lines.map(({ key }) => key)).toEqual(["EURUSD", "EURUSD:alpha"]);
  });

  test("A day has a point for each quarter of an hour", async () => {
    const { stepMs, lines } = await readLines("24h");
    expect(stepMs).toBe(15 * MINUTE_MS);
    for (const { points } of lines) expect(points.every(([startMs]) => startMs % stepMs === 0)).toBe(true);
    expect(lines.map(({ points }) => points.length)).toEqual([9, 9]);
  });
});
