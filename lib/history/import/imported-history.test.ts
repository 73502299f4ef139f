import { afterAll, describe, expect, test, vi } from "vitest";
import { readBars } from "@/lib/history/bars/bar-rows";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { followImports } from "@/lib/history/import/follow-imports";
import { clearImports, createTicks, formatTicks, importText, type Tick } from "@/lib/history/import/import.fixture";
import { removeExpired } from "@/lib/history/retention";
import { readHour } from "@/lib/history/ticks/tick-history";
import { instruments } from "@/lib/market/catalog";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { type StoredTimeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const START = Date.UTC(2024, 4, 14, 6);
const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;

describe("imported history", () => {
  const getPool = () => testDatabase.db.pool;
  const clear = () => clearImports(getPool());
  const readTimeframe = async (timeframe: StoredTimeframe) =>
    (await readBars(getPool(), { symbols: ["EURUSD"], timeframe, limit: 1e6, pick: "first" })).get("EURUSD") ?? [];

  test("imported ticks and bars are older than any retention, and stay", async () => {
    await clear();
    await importText(getPool(), "eurusd.csv", formatTicks(createTicks(START, 2_000)));
    await getPool().query("INSERT INTO tick_hour VALUES ('EURUSD', $1, 1, '')", [START / HOUR_MS - 5]);
    await getPool().query("INSERT INTO bar VALUES ($1, 1, 1, 1, 1, 1, 1, 'EURUSD')", [START / 1000 - 5 * 3_600]);
    const before = await readTimeframe("M1");
    const keepDays = { ticks: 10, m1: 20, m5: 30, spreads: 40 };
    const options = { pool: getPool(), instruments: [EURUSD], keepDays, nowMs: Date.UTC(2025, 0) };
    expect(await removeExpired(options)).toBeGreaterThanOrEqual(2);
    expect(await readTimeframe("M1")).toEqual(before.slice(1));
    expect(await readHour(getPool(), "EURUSD", START)).not.toBeNull();
    await removeExpired({ ...options, nowMs: options.nowMs + HOUR_MS });
    expect(await readTimeframe("M1")).toEqual(before.slice(1));
  });

  test("indicators remember the imported bars that come before stored ones, as if they had come in order", async () => {
    const [older, newer] = [createTicks(START, 9_000, 3), createTicks(START + 30 * HOUR_MS, 9_000, 4)];
    const read = async () =>
      (await getPool().query("SELECT timeframe, time, numbers FROM bar_memory ORDER BY timeframe, time"))
        .rows as unknown[];
    const importBoth = async (pieces: readonly Tick[][]) => {
      await clear();
      for (const piece of pieces) await importText(getPool(), "eurusd.csv", formatTicks(piece));
      return read();
    };
    const inOrder = await importBoth([[...older, ...newer]]);
    expect(inOrder).toHaveLength(2);
    expect(await importBoth([newer, older])).toEqual(inOrder);
  });

  test("a running server's keeper finds the imported bars by itself", async () => {
    await clear();
    const keeper = new HistoryKeeper({ pool: getPool(), instruments, marketNow: () => Date.UTC(2025, 0) });
    keeper.onRecorded([], Date.UTC(2025, 0));
    const { bars } = keeper.history;
    const count = async (timeframe: StoredTimeframe) => (await bars.readSeries("EURUSD", timeframe)).closed.length;
    for (const timeframe of TIMEFRAMES) expect(await count(timeframe)).toBe(0);
    const following = followImports({ pool: getPool(), keeper, log: silentLog, pauseMs: 10 });
    await importText(getPool(), "eurusd.csv", formatTicks(createTicks(START, 3_000)));
    for (const timeframe of TIMEFRAMES) {
      await vi.waitFor(async () => expect(await count(timeframe)).toBeGreaterThan(0), { timeout: 20_000 });
    }
    following.stop();
  });
});
