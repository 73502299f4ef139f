import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSimulatedFeed } from "@/lib/feeds/simulated/simulated-feed";
import { fillSymbol, listUnfilled, toHourColumns } from "@/lib/history/backfill/fill-symbol";
import { BARS_WANTED, type ReadPast } from "@/lib/history/backfill/zones";
import { readBars } from "@/lib/history/bars/bar-rows";
import { barStore } from "@/lib/history/bars/bars";
import { createHourColumns, writeSecond } from "@/lib/history/hour-columns";
import { readSpreadHours } from "@/lib/history/spreads/spread-rows";
import { readHour, tickHourStore } from "@/lib/history/ticks/tick-history";
import { instruments } from "@/lib/market/catalog";
import { type StoredTimeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const NOON = Date.UTC(2026, 10, 18, 12);
const feed = createSimulatedFeed({ seed: "test", hours: "always", instruments, now: () => NOON });

describe("filling a symbol's past", () => {
  let testDatabase: TestDatabase;
  let client: PoolClient;
  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    client = await testDatabase.db.pool.connect();
  });
  afterAll(async () => {
    client.release();
    await testDatabase.cleanup();
  });

  const generated = { kind: "generated" } as const;
  let reads: [fromMs: number, stepMs: number][] = [];
  const fill = (symbol: string, endMs: number) => {
    reads = [];
    const read: ReadPast = (fromMs, toMs, stepMs) => {
      reads.push([fromMs, stepMs]);
      return feed.history(symbol, "alpha-markets", fromMs, toMs, stepMs);
    };
    return fillSymbol(client, { symbol, digits: 5 }, read, { endMs, findCause: () => generated });
  };
  const readTimeframe = async (symbol: string, timeframe: StoredTimeframe, toMs = Infinity) =>
    (await readBars(testDatabase.db.pool, { symbols: [symbol], timeframe, toMs, limit: 5_000, pick: "latest" })).get(
      symbol,
    ) ?? [];
  const hashTables = async () => {
    const rows = await Promise.all(
      ["bar", "tick_hour", "spread_hour"].map((table) =>
        testDatabase.db.pool.query(
          `SELECT md5(string_agg(row::text, ',' ORDER BY row::text)) AS sum FROM ${table} AS row`,
        ),
      ),
    );
    return rows.map(({ rows: [row] }) => row as unknown);
  };

  test("Filling writes enough bars of every timeframe, a day of ticks and a month of spreads", async () => {
    expect(await fill("EURUSD", NOON)).toBe("filled");
    for (const timeframe of TIMEFRAMES) {
      expect((await readTimeframe("EURUSD", timeframe)).length).toBeGreaterThanOrEqual(BARS_WANTED);
    }
    for (let hourMs = NOON - DAY_MS; hourMs < NOON; hourMs += HOUR_MS) {
      const ticks = await readHour(testDatabase.db.pool, "EURUSD", hourMs);
      expect(ticks?.seconds.length).toBeGreaterThan(1_500);
    }
    const wanted = { symbol: "EURUSD", kind: "served", fromMs: 0, minutesFromMs: 0 } as const;
    const spreads = await readSpreadHours(testDatabase.db.pool, wanted);
    expect(spreads).toHaveLength(30 * 24);
    expect(spreads.every(({ rollup }) => rollup.n > 1_500 && rollup.n <= 3_600)).toBe(true);
  });

  test("Bars have the same prices as the ticks", async () => {
    const hourMs = NOON - 3 * HOUR_MS;
    const ticks = await readHour(testDatabase.db.pool, "EURUSD", hourMs);
    const bar = (await readTimeframe("EURUSD", "H1")).find(({ timeMs }) => timeMs === hourMs);
    const bids = [...(ticks?.bid ?? [])];
    expect(bar).toMatchObject({ open: bids[0], close: bids.at(-1), high: Math.max(...bids), low: Math.min(...bids) });
  });

  test("Filling again changes nothing, after a finished or an interrupted run", async () => {
    const before = await hashTables();
    expect(await fill("EURUSD", NOON)).toBe("upToDate");
    expect(reads).toEqual([]);
    await client.query("DELETE FROM backfill");
    expect(await fill("EURUSD", NOON)).toBe("filled");
    expect(await hashTables()).toEqual(before);
  });

  test("Symbols whose past is not filled up to a moment are listed", async () => {
    const list = (untilMs: number) => listUnfilled(testDatabase.db.pool, ["USDJPY", "EURUSD", "XAUUSD"], untilMs);
    expect(await list(NOON)).toEqual(["USDJPY", "XAUUSD"]);
    expect(await list(NOON + 1)).toEqual(["USDJPY", "EURUSD", "XAUUSD"]);
  });

  test("Filling adds what was missed while no process ran, and reads no further back", async () => {
    await fill("EURUSD", NOON + 5 * HOUR_MS);
    expect(Math.min(...reads.map(([fromMs]) => fromMs))).toBe(NOON);
    const hours = (await readTimeframe("EURUSD", "H1")).slice(-6).map(({ timeMs }) => timeMs);
    expect(hours).toEqual([-1, 0, 1, 2, 3, 4].map((hour) => NOON + hour * HOUR_MS));
    const [day] = (await readTimeframe("EURUSD", "D1")).slice(-1);
    const ofDay = (await readTimeframe("EURUSD", "H1")).filter(({ timeMs }) => timeMs >= (day?.timeMs ?? 0));
    expect(day?.volume).toBe(ofDay.reduce((sum, { volume }) => sum + volume, 0));
    expect(day?.close).toBe(ofDay.at(-1)?.close);
  });

  test("Filling never overwrites a recorded hour, and builds the longer bars from both", async () => {
    const hourMs = NOON - 2 * HOUR_MS;
    const recorded = createHourColumns("GBPUSD", 5, hourMs);
    for (let second = 0; second < 3_600; second++) {
      const bid = 999_000 + second;
      const prices = { digits: 5, bid, ask: bid + 7, open: bid, high: bid, low: bid, updates: 1 };
      writeSecond(recorded, { symbol: "GBPUSD", second: hourMs / 1000 + second, ...prices });
    }
    await barStore.writeHour(client, [recorded]);
    await tickHourStore.writeHour(client, [recorded]);
    await fill("GBPUSD", NOON);
    expect((await readHour(testDatabase.db.pool, "GBPUSD", hourMs))?.bid[0]).toBe(999_000);
    const minutes = (await readTimeframe("GBPUSD", "M1")).filter(
      ({ timeMs }) => timeMs >= hourMs && timeMs < hourMs + HOUR_MS,
    );
    expect(minutes.map(({ open }) => open)).toEqual(Array.from({ length: 60 }, (_, minute) => 999_000 + 60 * minute));
    for (const timeframe of ["H4", "D1", "W1"] as const) {
      const bar = (await readTimeframe("GBPUSD", timeframe)).findLast(({ timeMs }) => timeMs <= hourMs);
      expect(bar).toMatchObject({ high: 1_002_599 });
      expect(bar?.low).toBeLessThan(200_000);
      expect(bar?.volume).toBeGreaterThan(3_600 + 1_000);
    }
  });
});

describe("past prices as hours", () => {
  test("Hours have one row for each second with a price", () => {
    const prices = [...feed.history("USDTRY", "alpha-markets", NOON, NOON + 2 * HOUR_MS, 1_000)];
    const [first, second, ...others] = toHourColumns({ symbol: "USDTRY", digits: 4 }, prices);
    expect(others).toEqual([]);
    expect((first?.count ?? 0) + (second?.count ?? 0)).toBe(prices.length);
    expect(prices.length).toBeLessThan(7_200);
  });
});
