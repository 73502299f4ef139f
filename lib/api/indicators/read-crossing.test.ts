import { expect, test } from "vitest";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { getLatestReading } from "@/lib/api/indicators/latest-values";
import { readCrossing } from "@/lib/api/indicators/read-crossing";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import { HOUR_MS } from "@/lib/time/units";

/** A Wednesday. */
const END_MS = Date.UTC(2026, 6, 15, 12);
const COUNT = 400;
const closed = Array.from({ length: COUNT }, (_, index) => {
  const [open, close] = [1.1 + Math.sin(index / 9) / 100, 1.1 + Math.sin((index + 1) / 9) / 100];
  const timeMs = END_MS - (COUNT - index) * HOUR_MS;
  return { timeMs, open, high: Math.max(open, close), low: Math.min(open, close), close, volume: 10 };
});
const series = { closed, past: null, holes: [], forming: null };
const history = { readSeries: () => series } as unknown as BarHistory;
const CONDITION = {
  ...({ type: "indicator", symbol: "EURUSD", timeframe: "H1", direction: "either" } as const),
  ...{ level: 70, against: null },
};

test("An alert compares the values that the API answers, at the newest closed bar", async () => {
  const rsi = findIndicator("RSI_21");
  const [value, ema] = [rsi, findIndicator("EMA_50")].map((each) => each && getLatestReading(each, series, 5));
  const nowMs = END_MS + 60_000;
  expect(await readCrossing(history, { ...CONDITION, indicator: "RSI_21" }, nowMs)).toEqual({
    ...{ value, against: 70, barEndMs: END_MS, nextCloseMs: END_MS + HOUR_MS },
  });
  const crossing = { ...CONDITION, indicator: "close", level: null, against: "EMA_50" };
  expect(await readCrossing(history, crossing, nowMs)).toMatchObject({
    value: Number(closed.at(-1)?.close.toFixed(5)),
    against: ema,
  });
});

test("Nothing is compared at a bar of long ago", async () => {
  expect(await readCrossing(history, { ...CONDITION, indicator: "RSI_14" }, END_MS + 30 * HOUR_MS)).toBeNull();
});
