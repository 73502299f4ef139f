import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeExpired } from "@/lib/history/retention";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const NOW = Date.UTC(2026, 10, 21, 14, 25);
const keepDays = { ticks: 10, m1: 20, m5: 30, spreads: 40 };

describe("retention", () => {
  beforeAll(async () => {
    const { pool } = testDatabase.db;
    const hoursBack = 50 * 24;
    await pool.query(
      `INSERT INTO bar SELECT $1 / 3600 * 3600 - hour * 3600, 1, 1, 1, 1, 1, timeframe, symbol
         FROM generate_series(0, $2::int) AS hour, unnest(ARRAY[1, 5, 15, 30, 60, 240, 1440, 10080]) AS timeframe,
              unnest(ARRAY['EURUSD', 'GBPUSD', 'OTHER']) AS symbol`,
      [NOW / 1000, hoursBack],
    );
    await pool.query(
      `INSERT INTO tick_hour SELECT symbol, $1 - hour, 1, ''
         FROM generate_series(0, $2::int) AS hour, unnest(ARRAY['EURUSD', 'GBPUSD', 'OTHER']) AS symbol`,
      [Math.floor(NOW / HOUR_MS), hoursBack],
    );
    await pool.query("INSERT INTO quality_hour SELECT symbol, hour, 'alpha', 0, 0, 0, 0, '' FROM tick_hour");
    await pool.query(
      `INSERT INTO spread_hour SELECT symbol, source, to_timestamp($1::float8) - hour * interval '1 hour', 1, 1, 1, 1, 1, ''
         FROM generate_series(0, $2::int) AS hour, unnest(ARRAY['EURUSD', 'GBPUSD', 'OTHER']) AS symbol,
              unnest(ARRAY['', 'alpha']) AS source`,
      [(Math.floor(NOW / HOUR_MS) * HOUR_MS) / 1000, hoursBack],
    );
    await pool.query(
      `INSERT INTO book_log SELECT start, start + 3600, true, ''
         FROM generate_series(0, $2::int) AS hour, LATERAL (SELECT $1::int - hour * 3600 AS start) AS begun`,
      [(Math.floor(NOW / HOUR_MS) * HOUR_MS) / 1000, hoursBack],
    );
    await pool.query(
      `INSERT INTO tape_hour SELECT symbol, $1 - hour, 'alpha', 0, 1, ''
         FROM generate_series(0, $2::int) AS hour, unnest(ARRAY['EURUSD', 'OTHER']) AS symbol`,
      [Math.floor(NOW / HOUR_MS), hoursBack],
    );
    await pool.query(
      `INSERT INTO tape_run (since, until, kept) SELECT start, start + 3600000, '{all}'
         FROM generate_series(0, $2::int) AS hour, LATERAL (SELECT $1::int8 - hour * 3600000::int8 AS start) AS begun`,
      [Math.floor(NOW / HOUR_MS) * HOUR_MS, hoursBack],
    );
  });

  const remove = (nowMs = NOW) =>
    removeExpired({
      pool: testDatabase.db.pool,
      instruments: ["EURUSD", "GBPUSD"].map((symbol) => instrumentBySymbol.get(symbol) as Instrument),
      keepDays,
      nowMs,
      rowsPerStatement: 100,
    });
  const count = async (from: string) =>
    Number((await testDatabase.db.pool.query<{ count: string }>(`SELECT count(*) FROM ${from}`)).rows[0]?.count);

  test("Each kind of row is removed after its own retention, a few rows at a time", async () => {
    const left = (days: number) => days * 24 + 1;
    const all = left(50);
    const goes = 2 * (2 * (all - left(10)) + (all - left(20)) + 3 * (all - left(30)) + 2 * (all - left(40)));
    expect(await remove()).toBe(goes + 3 * (all - left(10)));
    for (const table of ["book_log", "tape_run", "tape_hour WHERE symbol = 'EURUSD'"]) {
      expect(await count(table)).toBe(left(10));
    }
    expect(await count("tick_hour WHERE symbol = 'EURUSD'")).toBe(left(10));
    expect(await count("quality_hour WHERE symbol = 'EURUSD'")).toBe(left(10));
    expect(await count("spread_hour WHERE symbol = 'EURUSD' AND source = 'alpha'")).toBe(left(40));
    for (const [timeframe, days] of [
      [1, 20],
      [5, 30],
      [15, 30],
      [30, 30],
    ] as const) {
      expect(await count(`bar WHERE symbol = 'GBPUSD' AND timeframe = ${timeframe}`)).toBe(left(days));
    }
  });

  test("Bars of an hour and longer are never removed", async () => {
    for (const timeframe of [60, 240, 1440, 10080]) {
      expect(await count(`bar WHERE symbol = 'EURUSD' AND timeframe = ${timeframe}`)).toBe(50 * 24 + 1);
    }
  });

  test("Nothing more is removed until the clock advances", async () => {
    expect(await remove()).toBe(0);
    expect(await remove(NOW + HOUR_MS)).toBe(2 * (2 + 1 + 3 + 2) + 3);
  });
});
