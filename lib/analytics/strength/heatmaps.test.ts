import { expect, test } from "vitest";
import { currencyPairs } from "@/lib/analytics/strength/currencies";
import { Heatmaps } from "@/lib/analytics/strength/heatmaps";
import type { BarSeries } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import { HOUR_MS } from "@/lib/time/units";

const bars = (count: number): Bar[] =>
  Array.from({ length: count }, (_, index) => ({
    timeMs: index * HOUR_MS,
    open: 1,
    high: 1.1,
    low: 0.9,
    close: 1 + index / 1000,
    volume: 1,
  }));

/** A history whose series can be replaced one by one. */
function history(count: number, { late = false } = {}) {
  const closed = new Map(currencyPairs.map(({ symbol }) => [symbol, bars(count)]));
  const series = (symbol: string): BarSeries => ({ closed: closed.get(symbol) ?? [], past: null, forming: null });
  return { closed, readSeries: (symbol: string) => (late ? Promise.resolve(series(symbol)) : series(symbol)) };
}

test("A heatmap is read synchronously, as the same object, until a bar closes", () => {
  const { closed, readSeries } = history(60);
  const heatmaps = new Heatmaps({ readSeries });
  const first = heatmaps.read("H1");
  expect(first).toMatchObject({ timeframe: "H1", timeMs: 60 * HOUR_MS, currencies: { USD: { pairs: 7 } } });
  expect(heatmaps.read("H1")).toBe(first);
  for (const symbol of closed.keys()) closed.set(symbol, bars(61));
  const second = heatmaps.read("H1");
  expect(second).not.toBe(first);
  expect(second).toMatchObject({ timeMs: 61 * HOUR_MS });
});

test("Reading waits for bars that are not in memory yet", async () => {
  const heatmaps = new Heatmaps({ readSeries: history(60, { late: true }).readSeries });
  const first = await heatmaps.read("H1");
  expect(first).toMatchObject({ timeMs: 60 * HOUR_MS });
});

test("There is no heatmap with fewer than thirteen bars", () => {
  expect(new Heatmaps({ readSeries: history(12).readSeries }).read("H1")).toBeNull();
  expect(new Heatmaps({ readSeries: history(13).readSeries }).read("H1")).not.toBeNull();
});

test("The detail is the same object until a bar closes", async () => {
  const { closed, readSeries } = history(60);
  const heatmaps = new Heatmaps({ readSeries });
  const first = await heatmaps.readDetail("H1");
  expect(first.times.at(-1)).toBe(60 * HOUR_MS);
  expect(await heatmaps.readDetail("H1")).toBe(first);
  for (const symbol of closed.keys()) closed.set(symbol, bars(61));
  expect((await heatmaps.readDetail("H1")).times.at(-1)).toBe(61 * HOUR_MS);
});
