import { expect, test } from "vitest";
import { currencyPairs } from "@/lib/analytics/strength/currencies";
import { createHeatmaps } from "@/lib/analytics/strength/heatmaps";
import type { BarSeries } from "@/lib/history/history";
import type { Bar } from "@/lib/market/bar";
import { HOUR_MS } from "@/lib/time/units";

const bars = (count: number): Bar[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ timeMs: index * HOUR_MS, open: 1, high: 1.1, low: 0.9, close: 1 + index / 1000, volume: 1 },
  }));

/** A history whose series can be replaced one by one. */
function history(count: number, { late = false } = {}) {
  const closed = new Map(currencyPairs.map(({ symbol }) => [symbol, bars(count)]));
  const series = (symbol: string): BarSeries => ({ closed: closed.get(symbol) ?? [], forming: null });
  return { closed, series: (symbol: string) => (late ? Promise.resolve(series(symbol)) : series(symbol)) };
}

test("answers at once from memory, and the same object until a bar closes", () => {
  const { closed, series } = history(60);
  const heatmaps = createHeatmaps({ series });
  const first = heatmaps.of("H1");
  expect(first).toMatchObject({ timeframe: "H1", timeMs: 60 * HOUR_MS, currencies: { USD: { pairs: 7 } } });
  expect(heatmaps.of("H1")).toBe(first);
  for (const symbol of closed.keys()) closed.set(symbol, bars(61));
  const second = heatmaps.of("H1");
  expect(second).not.toBe(first);
  expect(second).toMatchObject({ timeMs: 61 * HOUR_MS });
});

test("waits for bars that are not in memory yet", async () => {
  const heatmaps = createHeatmaps({ series: history(60, { late: true }).series });
  const first = await heatmaps.of("H1");
  expect(first).toMatchObject({ timeMs: 60 * HOUR_MS });
});

test("tells nothing while there are fewer than thirteen bars", () => {
  expect(createHeatmaps({ series: history(12).series }).of("H1")).toBeNull();
  expect(createHeatmaps({ series: history(13).series }).of("H1")).not.toBeNull();
});
