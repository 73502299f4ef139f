import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type HourColumns } from "@/lib/history/hour-columns";
import {
  computeByBruteForce,
  createFakeOpenHours,
  type RecordedSpread,
  sessions,
  toColumns,
  toWholeSecond,
} from "@/lib/history/spreads/recorded.fixture";
import { getPeriodStart, SPREAD_PERIODS, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { getDeviation, getPercentiles, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";
import { Spreads } from "@/lib/history/spreads/spreads";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const NOW_MS = Date.parse("2026-11-20T15:42:17.300Z");
const NOW_HOUR_MS = Math.floor(NOW_MS / HOUR_MS) * HOUR_MS;
const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;

const meanOrNull = ({ n, sum }: SpreadRollup) => (n === 0 ? null : sum / n);

describe.each(databaseKinds)("the history of spreads on %s", (kind) => {
  let database: TestDatabase;
  let nowMs = NOW_MS;
  const openHours = createFakeOpenHours();
  beforeAll(async () => void (database = await openTestDatabase(kind)));
  afterAll(() => database.cleanup());
  beforeEach(async () => {
    nowMs = NOW_MS;
    openHours.set([]);
    await database.db.pool.query("TRUNCATE spread_hour");
  });

  const open = () => {
    const names = { symbols: ["EURUSD"], sources: ["alpha", "beta"] };
    return new Spreads({ pool: database.db.pool, openHours, sessions, now: () => nowMs, ...names });
  };

  async function write(columns: readonly HourColumns[], { store }: Spreads): Promise<void> {
    const client = await database.db.pool.connect();
    await store.writeHour(client, columns).finally(() => client.release());
  }

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
    const startMs = getPeriodStart(period, nowMs);
    const expected = computeByBruteForce(recorded, startMs);
    const statistics = await history.readStatistics("EURUSD", period);
    if (expected.n === 0) return expect(statistics).toBeNull();
    if (statistics === null) throw new Error("there are no statistics");
    const { total, bySession } = statistics;
    expect(total).toMatchObject({ n: expected.n, min: expected.min, max: expected.max });
    expect(total.sum / total.n).toBe(expected.mean);
    expect(getDeviation(total)).toBeCloseTo(expected.deviation, 6);
    expect(meanOrNull(bySession.asian)).toBe(expected.asian);
    expect(meanOrNull(bySession.london)).toBe(expected.london);
    expect(meanOrNull(bySession.new_york)).toBe(expected.newYork);
    const { histogram, steps } = await history.readDetail("EURUSD", period);
    expect(getPercentiles(histogram, [5, 25, 50, 75, 95])).toEqual(expected.percentiles);
    expect(steps.reduce((sum, { rollup }) => sum + rollup.n, 0)).toBe(expected.n);
    expect(steps.map((step) => step.startMs)).toEqual(
      [...new Set(steps.map((step) => step.startMs))].sort((one, other) => one - other),
    );
  }

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
          nowMs = NOW_HOUR_MS + intoHourMs;
          const latest = Math.floor(nowMs / 1000);
          const recorded = samples.map(([ago, spread]) => ({ symbol: "EURUSD", second: latest - ago, spread }));
          await database.db.pool.query("TRUNCATE spread_hour");
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
    nowMs += HOUR_MS;
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
    expect(first).toEqual({ p5: 10, p50: 20, p95: 30 });
    openHours.set(toColumns([40, 40, 40].map((spread, at) => ({ symbol: "EURUSD", second: second + at, spread }))));
    expect(await spreads.history.readPercentiles("EURUSD", "24h")).toBe(first);
    nowMs += MINUTE_MS;
    expect(await spreads.history.readPercentiles("EURUSD", "24h")).toEqual({ p5: 10, p50: 30, p95: 40 });
    expect(await spreads.history.readPercentiles("GBPUSD", "24h")).toBeNull();
  });

  test("The usual week is read from closed hours, once for all readers until another hour is closed", async () => {
    const spreads = open();
    // Friday 14:00 and 15:00 UTC are 09:00 and 10:00 in New York.
    const rows = [10, 20, 30].map((spread, at) => ({ symbol: "EURUSD", second: NOW_HOUR_MS / 1000 - 9 + at, spread }));
    await write(toColumns(rows), spreads);
    const first = await spreads.history.readWeek("EURUSD", "America/New_York");
    expect(first.cells[5]?.[9]).toBe(20);
    expect(first.cells.flat().filter((median) => median !== null)).toHaveLength(1);
    expect((await spreads.history.readWeek("EURUSD", "UTC")).hours[14]).toBe(20);
    expect(await spreads.history.readWeek("EURUSD", "America/New_York")).toBe(first);
    await write(toColumns([{ symbol: "EURUSD", second: NOW_HOUR_MS / 1000, spread: 70 }]), spreads);
    spreads.invalidate();
    expect((await spreads.history.readWeek("EURUSD", "America/New_York")).cells[5]?.[10]).toBe(70);
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
    const rows = async () => (await database.db.pool.query("SELECT xmin, * FROM spread_hour")).rows;
    await write(columns, spreads);
    const once = await rows();
    await write(columns, spreads);
    expect(await rows()).toEqual(once);
    expect(once).toMatchObject([{ symbol: "EURUSD", source: "", n: 3, sum: "6", sum_squares: "14", min: 1, max: 3 }]);
  });

  describe("of each source", () => {
    const hourMs = NOW_HOUR_MS - HOUR_MS;
    const quote = (source: string, atMs: number, points: number) => {
      return { source, instrument: EURUSD, bid: 1.08, ask: (108_000 + points) / 100_000, timeMs: atMs };
    };
    const bySource = async ({ history }: Spreads) =>
      [...(await history.readBySource("EURUSD", "24h"))].sort((one, other) => one.source.localeCompare(other.source));

    function quoteTenSeconds({ onQuote }: Spreads): void {
      for (let second = 0; second < 10; second++) {
        onQuote(quote("alpha", hourMs + second * 1000 + 100, 50));
        onQuote(quote("alpha", hourMs + second * 1000 + 900, 10 + second));
        onQuote(quote("beta", hourMs + second * 1000, 30));
      }
    }
    const tenSeconds = [
      { source: "alpha", rollup: { n: 10, sum: 145, sumSquares: 2_185n, min: 10, max: 19 }, sinceMs: hourMs },
      { source: "beta", rollup: { n: 10, sum: 300, sumSquares: 9_000n, min: 30, max: 30 }, sinceMs: hourMs },
    ];

    test("The last quote of each second counts, and the hour is stored when it is closed", async () => {
      const spreads = open();
      quoteTenSeconds(spreads);
      await write(toColumns([{ symbol: "EURUSD", second: hourMs / 1000, spread: 1 }]), spreads);
      expect(await bySource(spreads)).toEqual(tenSeconds);
      expect(await bySource(open())).toEqual(tenSeconds);
    });

    test("Each source has steps, the same from memory as from the database", async () => {
      const spreads = open();
      quoteTenSeconds(spreads);
      spreads.onQuote(quote("alpha", hourMs + 20 * MINUTE_MS, 40));
      spreads.onQuote(quote("alpha", hourMs + 20 * MINUTE_MS + 1000, 60));
      spreads.onQuote(quote("beta", hourMs + 11_000, 30));
      const steps = async ({ history }: Spreads, stepMinutes: 15 | 60) =>
        Object.fromEntries(
          (await history.readSourceSteps("EURUSD", "24h", stepMinutes)).map(({ source, steps: own }) => [
            source,
            own.map(({ startMs, rollup: { n, sum } }) => [(startMs - hourMs) / MINUTE_MS, n, sum]),
          ]),
        );
      const quarters = {
        alpha: [
          [0, 10, 145],
          [15, 1, 40],
        ],
        beta: [[0, 10, 300]],
      };
      expect(await steps(spreads, 15)).toEqual(quarters);
      await write(toColumns([{ symbol: "EURUSD", second: hourMs / 1000, spread: 1 }]), spreads);
      // Storing an hour counts its last seconds too.
      const stored = {
        alpha: [
          [0, 10, 145],
          [15, 2, 100],
        ],
        beta: [[0, 11, 330]],
      };
      expect(await steps(open(), 15)).toEqual(stored);
      expect(await steps(open(), 60)).toEqual({ alpha: [[0, 12, 245]], beta: [[0, 11, 330]] });
    });

    test("A source says from which minute of the period on it counts", async () => {
      const spreads = open();
      for (let minute = 0; minute < 50; minute++) {
        spreads.onQuote(quote("alpha", hourMs + minute * 60_000, 10));
        if (minute >= 17) spreads.onQuote(quote("beta", hourMs + minute * 60_000 + 30_000, 20));
      }
      const since = async (from: Spreads) => (await bySource(from)).map(({ source, sinceMs }) => [source, sinceMs]);
      const expected = [
        ["alpha", hourMs],
        ["beta", hourMs + 17 * 60_000],
      ];
      expect(await since(spreads)).toEqual(expected);
      await spreads.save();
      expect(await since(open())).toEqual(expected);
      await write(toColumns([{ symbol: "EURUSD", second: hourMs / 1000, spread: 1 }]), spreads);
      expect(await since(open())).toEqual(expected);
    });

    test("The sources' spreads continue after a restart in the middle of an hour", async () => {
      const before = open();
      quoteTenSeconds(before);
      await before.save();
      const after = open();
      await after.restore();
      after.onQuote(quote("alpha", hourMs + 20_000, 40));
      after.onQuote(quote("alpha", hourMs + 21_000, 1));
      const [alpha, beta] = await bySource(after);
      expect(alpha?.rollup).toMatchObject({ n: 11, sum: 185, max: 40 });
      expect(beta).toEqual(tenSeconds[1]);
    });
  });
});
