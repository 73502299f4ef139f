import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeDetail, Heatmaps, rateHeatmap } from "@/lib/analytics/strength/heatmaps";
import {
  alignBars,
  BARS_NEEDED,
  computeStrengthHistory,
  computeStrengths,
  CURRENCIES,
  currencyPairs,
} from "@/lib/analytics/strength/strength";
import { market, read, walks } from "@/lib/analytics/strength/strength.fixture";
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
  const series = (symbol: string): BarSeries => ({
    closed: closed.get(symbol) ?? [],
    past: null,
    holes: [],
    forming: null,
  });
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

describe.each([
  ["with a whole baseline", BARS_NEEDED + 10, 10],
  ["with a short baseline", 50, 4],
  ["with no baseline yet", 16, 3],
])("%s", (_name, length, drawn) => {
  test("Each strength of the history is what was the newest strength at its bar", () => {
    fc.assert(
      fc.property(walks(length), (values) => {
        const series = market(values);
        const history = computeStrengthHistory(alignBars(series, length), currencyPairs, "H1", 10);
        expect(history.length).toBeGreaterThanOrEqual(drawn);
        for (const [index, strengths] of history.entries()) {
          const until = length - history.length + index + 1;
          const before = computeStrengths(
            alignBars(
              series.map((bars) => bars.slice(0, until)),
              BARS_NEEDED,
            ),
            currencyPairs,
            "H1",
          );
          for (const [currency, strength] of strengths.entries()) {
            expect(strength).toBeCloseTo(before?.[currency]?.strength ?? NaN, 9);
          }
        }
      }),
      { numRuns: 5 },
    );
  });
});

test("The history ends with the strengths of the heatmap, at the end of the last bar", async () => {
  const [values] = fc.sample(walks(300), { numRuns: 1, seed: 7 });
  const series = market(values ?? []);
  const { history, times } = await computeDetail("H1", series);
  expect(history).toHaveLength(120);
  expect(times).toHaveLength(120);
  expect(times.at(-1)).toBe((series[0]?.at(-1)?.timeMs ?? 0) + 3_600_000);
  read(series).forEach(({ strength }, currency) => expect(history.at(-1)?.[currency]).toBeCloseTo(strength, 9));
});

test("A move is the percentage between the closes of the last bar and the twelfth before", async () => {
  const [values] = fc.sample(walks(60), { numRuns: 1, seed: 3 });
  const series = market(values ?? []);
  const { moves } = await computeDetail("H1", series);
  for (const [index, bars] of series.entries()) {
    const [last, before] = [bars.at(-1)?.close ?? NaN, bars.at(-13)?.close ?? NaN];
    expect(moves[index]).toBeCloseTo((last / before) * 100 - 100, 9);
  }
});

test("A pair correlates fully with itself, and fully against its mirror image", async () => {
  const [walk] = fc.sample(walks(200), { numRuns: 1, seed: 5 });
  // Only the dollar moves, so every pair of it goes the same way, or the opposite way where it is the quote.
  const values = CURRENCIES.map((currency, index) =>
    currency === "USD" ? (walk?.[index] ?? []) : Array<number>(200).fill(1 + index / 10),
  );
  const { correlations } = await computeDetail("H1", market(values));
  const at = (symbol: string) => currencyPairs.findIndex((pair) => pair.symbol === symbol);
  expect(correlations[at("EURUSD")]?.[at("EURUSD")]).toBeCloseTo(1, 9);
  expect(correlations[at("EURUSD")]?.[at("USDJPY")]).toBeCloseTo(-1, 9);
  expect(correlations[at("USDJPY")]?.[at("EURUSD")]).toBeCloseTo(-1, 9);
  expect(correlations[at("EURGBP")]?.[at("EURUSD")]).toBeNull();
});

test("Without bars there is no history, no move and no correlation", async () => {
  const { history, times, moves, correlations } = await computeDetail(
    "H1",
    currencyPairs.map(() => []),
  );
  expect([history, times]).toEqual([[], []]);
  expect(new Set(moves)).toEqual(new Set([null]));
  expect(new Set(correlations.flat())).toEqual(new Set([null]));
});

test("Strengths after a hole in the bars are those of the bars after it", () => {
  const closed = bars(80);
  const holes = [{ at: 60, fromMs: 0, untilMs: 0, missing: 30 }];
  const whole = new Heatmaps({ readSeries: () => ({ closed, past: null, holes, forming: null }) });
  const later = closed.slice(60);
  const after = new Heatmaps({ readSeries: () => ({ closed: later, past: null, holes: [], forming: null }) });
  expect(whole.read("H1")).toEqual(after.read("H1"));
  expect(whole.read("H1")).toBe(whole.read("H1"));
});

test("A heatmap is behind once a newer bar was possible, and not on a weekend or while a bar is being closed", () => {
  const rate = (end: string, at: string) => rateHeatmap("H1", Date.parse(end), Date.parse(at));
  expect(rate("2026-01-14T10:00:00Z", "2026-01-14T11:00:05Z")).toBe("current");
  expect(rate("2026-01-14T10:00:00Z", "2026-01-14T11:00:10Z")).toBe("behind");
  expect(rate("2026-01-16T22:00:00Z", "2026-01-18T12:00:00Z")).toBe("current");
  expect(rate("2025-06-30T21:00:00Z", "2026-01-14T11:00:00Z")).toBe("outdated");
});
