import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { getPeriodStart, SPREAD_PERIODS, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { getDeviation, getPercentiles, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";
import {
  computeByBruteForce,
  NOW_HOUR_MS,
  NOW_MS,
  type RecordedSpread,
  toColumns,
  toWholeSecond,
  useSpreads,
} from "@/lib/history/spreads/spreads.fixture";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const meanOrNull = ({ n, sum }: SpreadRollup) => (n === 0 ? null : Number(sum) / n);

describe("the history of spreads", () => {
  const { openHours, open, write, clock, getPool } = useSpreads();

  /** Closes every hour that began before `openFromMs`, and leaves the others open. */
  async function record(recorded: readonly RecordedSpread[], openFromMs: number): Promise<void> {
    const columns = toColumns(recorded);
    await write(
      columns.filter(({ hourMs }) => hourMs < openFromMs),
      open(),
    );
    openHours.set(columns.filter(({ hourMs }) => hourMs >= openFromMs));
  }

  async function expectBruteForce(recorded: readonly RecordedSpread[], period: SpreadPeriod): Promise<void> {
    const { history } = open();
    const startMs = getPeriodStart(period, clock.nowMs);
    const expected = computeByBruteForce(recorded, startMs);
    const statistics = await history.readStatistics("EURUSD", period);
    if (expected.n === 0) return expect(statistics).toBeNull();
    if (statistics === null) throw new Error("there are no statistics");
    const { total, bySession } = statistics;
    expect(total).toMatchObject({ n: expected.n, min: expected.min, max: expected.max });
    expect(Number(total.sum) / total.n).toBe(expected.mean);
    expect(getDeviation(total) * 1e5).toBeCloseTo(expected.deviation, 6);
    expect(meanOrNull(bySession.asian)).toBe(expected.asian);
    expect(meanOrNull(bySession.london)).toBe(expected.london);
    expect(meanOrNull(bySession.new_york)).toBe(expected.newYork);
    const { histogram, steps } = await history.readDetail("EURUSD", period);
    expect(getPercentiles(histogram, [5, 25, 50, 75, 95])).toEqual(
      expected.percentiles.map((each) => (each ?? NaN) / 1e5),
    );
    expect(steps.reduce((sum, { rollup }) => sum + rollup.n, 0)).toBe(expected.n);
    expect(steps.map((step) => step.startMs)).toEqual(
      [...new Set(steps.map((step) => step.startMs))].sort((one, other) => one - other),
    );
  }

  test("The median of each minute is read from closed and open hours, and only from the named ones", async () => {
    const hours = [-2, -1, 0].map((ago) => NOW_HOUR_MS + ago * HOUR_MS);
    const recorded = hours.flatMap((hourMs) =>
      [3, 9, 4].map((spread, index) => ({ symbol: "EURUSD", second: hourMs / 1000 + 60 + index, spread })),
    );
    await record(recorded, NOW_HOUR_MS);
    const minutes = await open().history.readMinutes("EURUSD", hours.slice(1));
    expect(minutes).toEqual(hours.slice(1).map((hourMs) => ({ startMs: hourMs + MINUTE_MS, median: 0.00004 })));
    expect(await open().history.readMinutes("GBPUSD", hours)).toEqual([]);
  });

  test("Statistics equal a computation over every recorded second, for any choice of closed hours", async () => {
    const second = fc.oneof(
      fc.integer({ min: 0, max: 3_700 }),
      fc.integer({ min: 0, max: 25 * 3_600 }),
      fc.integer({ min: 0, max: 31 * 86_400 }),
    );
    const spreads = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 5_000 }));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(second, spreads), { selector: ([ago]) => ago, maxLength: 300 }),
        fc.constantFrom(NOW_HOUR_MS, NOW_HOUR_MS - HOUR_MS),
        fc.integer({ min: 0, max: HOUR_MS - 1 }),
        async (samples, openFromMs, intoHourMs) => {
          clock.nowMs = NOW_HOUR_MS + intoHourMs;
          const latest = Math.floor(clock.nowMs / 1000);
          const recorded = samples.map(([ago, spread]) => ({ symbol: "EURUSD", second: latest - ago, spread }));
          await getPool().query("TRUNCATE spread_hour");
          await record(recorded, openFromMs);
          for (const period of SPREAD_PERIODS) await expectBruteForce(recorded, period);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("Statistics are read synchronously, as the same object, until something is recorded", async () => {
    const columns = toColumns([{ symbol: "EURUSD", second: NOW_MS / 1000 - 5, spread: 12 }].map(toWholeSecond));
    openHours.set(columns);
    const { history } = open();
    const first = await history.readStatistics("EURUSD", "1h");
    expect(history.readStatistics("EURUSD", "1h")).toBe(first);
    openHours.set(columns);
    expect(history.readStatistics("EURUSD", "1h")).not.toBe(first);
    expect(history.readStatistics("EURUSD", "1h")).toEqual(first);
  });

  test("No second is lost or counted twice while an hour is being closed", async () => {
    const recorded = [
      { symbol: "EURUSD", second: NOW_HOUR_MS / 1000 - 10, spread: 10 },
      { symbol: "EURUSD", second: NOW_HOUR_MS / 1000 + 10, spread: 20 },
    ];
    const columns = toColumns(recorded);
    const spreads = open();
    const samples = async () => [
      (await spreads.history.readStatistics("EURUSD", "24h"))?.total.n,
      (await spreads.history.readDetail("EURUSD", "24h")).steps.length,
    ];
    openHours.set(columns);
    expect(await samples()).toEqual([2, 2]);
    await write(columns.slice(0, 1), spreads);
    expect(await samples()).toEqual([2, 2]);
    spreads.invalidate();
    expect(await samples()).toEqual([2, 2]);
    openHours.set(columns.slice(1));
    spreads.invalidate();
    expect(await samples()).toEqual([2, 2]);
    clock.nowMs += HOUR_MS;
    await write(columns.slice(1), spreads);
    openHours.set([]);
    spreads.invalidate();
    expect(await samples()).toEqual([2, 2]);
  });

  test("The detail of a period can have steps of a minute", async () => {
    const recorded = [-3_000, -2_990, -60, -5].map((ago) => ({
      symbol: "EURUSD",
      second: NOW_HOUR_MS / 1000 + ago,
      spread: 10,
    }));
    const spreads = open();
    await write(toColumns(recorded), spreads);
    const starts = async (stepMinutes: 1 | 15) =>
      (await spreads.history.readDetail("EURUSD", "24h", stepMinutes)).steps.map(
        ({ startMs, rollup }) => [(startMs - NOW_HOUR_MS) / MINUTE_MS, rollup.n] as const,
      );
    expect(await starts(1)).toEqual([
      [-50, 2],
      [-1, 2],
    ]);
    expect(await starts(15)).toEqual([
      [-60, 2],
      [-15, 2],
    ]);
  });

  test("Percentiles are computed once a minute", async () => {
    const spreads = open();
    const second = NOW_HOUR_MS / 1000;
    await write(
      toColumns([10, 20, 30].map((spread, at) => ({ symbol: "EURUSD", second: second - 9 + at, spread }))),
      spreads,
    );
    const first = await spreads.history.readPercentiles("EURUSD", "24h");
    expect(first).toEqual({ p5: 0.0001, p50: 0.0002, p95: 0.0003 });
    openHours.set(toColumns([40, 40, 40].map((spread, at) => ({ symbol: "EURUSD", second: second + at, spread }))));
    expect(await spreads.history.readPercentiles("EURUSD", "24h")).toBe(first);
    clock.nowMs += MINUTE_MS;
    expect(await spreads.history.readPercentiles("EURUSD", "24h")).toEqual({ p5: 0.0001, p50: 0.0003, p95: 0.0004 });
    expect(await spreads.history.readPercentiles("GBPUSD", "24h")).toBeNull();
  });

  test("The usual week is read from closed hours, once for all readers until another hour is closed", async () => {
    const spreads = open();
    // Friday 14:00 and 15:00 UTC are 09:00 and 10:00 in New York.
    const rows = [10, 20, 30].map((spread, at) => ({ symbol: "EURUSD", second: NOW_HOUR_MS / 1000 - 9 + at, spread }));
    await write(toColumns(rows), spreads);
    const first = await spreads.history.readWeek("EURUSD", "America/New_York");
    expect(first.cells[5]?.[9]).toBe(0.0002);
    expect(first.cells.flat().filter((median) => median !== null)).toHaveLength(1);
    expect((await spreads.history.readWeek("EURUSD", "UTC")).hours[14]).toBe(0.0002);
    expect(await spreads.history.readWeek("EURUSD", "America/New_York")).toBe(first);
    await write(toColumns([{ symbol: "EURUSD", second: NOW_HOUR_MS / 1000, spread: 70 }]), spreads);
    spreads.invalidate();
    expect((await spreads.history.readWeek("EURUSD", "America/New_York")).cells[5]?.[10]).toBe(0.0007);
    expect((await spreads.history.readWeek("GBPUSD", "UTC")).hours).toEqual(Array(24).fill(null));
  });

  test("A symbol that was never recorded has no statistics", async () => {
    const { history } = open();
    expect(await history.readStatistics("GBPUSD", "30d")).toBeNull();
    expect(await history.readDetail("GBPUSD", "30d")).toEqual({ histogram: new Map(), steps: [] });
    expect(await history.readBySource("GBPUSD", "30d")).toEqual([]);
  });

  test("Writing an hour again changes nothing", async () => {
    const columns = toColumns(
      [1, 2, 3].map((ago) => ({ symbol: "EURUSD", second: NOW_HOUR_MS / 1000 - ago, spread: ago })),
    );
    const spreads = open();
    const rows = async () => (await getPool().query("SELECT xmin, * FROM spread_hour")).rows;
    await write(columns, spreads);
    const once = await rows();
    await write(columns, spreads);
    expect(await rows()).toEqual(once);
    expect(once).toMatchObject([{ symbol: "EURUSD", source: "", n: 3, sum: "6", sum_squares: "14", min: 1, max: 3 }]);
  });
});
