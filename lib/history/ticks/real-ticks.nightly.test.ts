import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { createHourColumns, type HourColumns, writeSecond } from "@/lib/history/hour-columns";
import { readFence } from "@/lib/history/recording/lease.fixture";
import { startRecording } from "@/lib/history/recording/recording";
import { sliceTicks } from "@/lib/history/ticks/ready-hours";
import { readRealDays, type RecordedTick } from "@/lib/history/ticks/real-ticks.fixture";
import { readHours, TickHistory, tickHourStore, type TickRange } from "@/lib/history/ticks/tick-history";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { roundPrice } from "@/lib/market/price";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const dir = findRealData();

/** Computes the last price of every recorded second in the simplest way. */
function findLastOfEverySecond(ticks: readonly RecordedTick[], digits: number) {
  const seconds = new Map<number, { time: string; bid: number; ask: number; flags: number }>();
  for (const { timeMs, bid, ask } of ticks) {
    const second = Math.floor(timeMs / 1000);
    const time = new Date(second * 1000).toISOString().replace(".000Z", "+00:00");
    seconds.set(second, { time, bid: roundPrice(bid, digits), ask: roundPrice(ask, digits), flags: 0 });
  }
  return seconds;
}

function toColumns(symbol: string, digits: number, ticks: readonly RecordedTick[]): HourColumns[] {
  const hours = new Map<number, HourColumns>();
  for (const { timeMs, bid, ask } of ticks) {
    const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
    const hour = hours.get(hourMs) ?? createHourColumns(symbol, digits, hourMs);
    hours.set(hourMs, hour);
    const [bidPoints, askPoints] = [Math.round(bid * 10 ** digits), Math.round(ask * 10 ** digits)];
    const prices = { digits, bid: bidPoints, ask: askPoints, open: bidPoints, high: bidPoints, low: bidPoints };
    writeSecond(hour, { symbol, second: Math.floor(timeMs / 1000), ...prices, updates: 1 });
  }
  return [...hours.values()];
}

/** Parses the ticks of a range from the text of the answer. */
function parseTicks({ parts }: TickRange): unknown[] {
  return parts.flatMap(({ hour, from, to }) => JSON.parse(`[${sliceTicks(hour, from, to).toString()}]`) as unknown[]);
}

const startOfDay = (ms: number) => ms - (ms % DAY_MS);

// Hours are packed before they reach a database, so one kind is enough for days this long.
describe("recorded days", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => void (testDatabase = await openTestDatabase()));
  afterAll(() => testDatabase.cleanup());

  test("Ticks are read hour by hour exactly as recorded, and take at most 4 bytes each on disk", async () => {
    const openHours = { getHours: () => [], getRevision: () => 0, completeUntilMs: Infinity };
    const history = new TickHistory({ openHours, readHours: (hours) => readHours(testDatabase.db.pool, hours) });
    const client = await testDatabase.db.pool.connect();
    let stored = 0;
    for (const { source, symbol, ticks } of readRealDays(dir ?? "")) {
      // Two brokers recorded the same symbol: each has a separate history here.
      const name = `${symbol}.${source}`;
      const digits = instrumentBySymbol.get(symbol)?.digits ?? 5;
      const expected = findLastOfEverySecond(ticks, digits);
      const hours = toColumns(name, digits, ticks);
      await tickHourStore.writeHour(client, hours);
      stored += expected.size;
      const answered: unknown[] = [];
      for (const { hourMs } of hours) {
        answered.push(...parseTicks(await history.readRange(name, hourMs, hourMs + HOUR_MS)));
      }
      expect(answered).toEqual([...expected.values()]);
    }
    client.release();
    expect(stored).toBeGreaterThan(100_000);
    const { rows } = await testDatabase.db.pool.query<{ bytes: string }>(
      "SELECT pg_total_relation_size('tick_hour') AS bytes FROM tick_hour",
    );
    expect(Number(rows[0]?.bytes) / stored).toBeLessThan(4);
  });

  test("The recorder stores the last price of every second", async () => {
    const { pool } = testDatabase.db;
    const [day] = [...readRealDays(dir ?? "")].filter(
      ({ symbol, source }) => symbol === "XAUUSD" && source === "oanda",
    );
    const { ticks, source } = day as NonNullable<typeof day>;
    const instrument = instrumentBySymbol.get("XAUUSD") as Instrument;
    const endMs = (ticks.at(-1) as RecordedTick).timeMs;
    const keeper = new HistoryKeeper({ pool, instruments: [instrument], marketNow: () => endMs });
    const recording = await startRecording({
      pool,
      keeper,
      log: silentLog,
      isExclusive: true,
      flushMs: HOUR_MS,
      servedSource: () => source,
      marketNow: () => endMs,
      marketElapsed: () => endMs,
    });
    for (const { timeMs, bid, ask } of ticks) {
      const price = { bid: roundPrice(bid, instrument.digits), ask: roundPrice(ask, instrument.digits) };
      recording.onQuote({ source, instrument, ...price, timeMs, receivedAtMs: timeMs });
    }
    await recording.stop();
    const fence = await readFence(pool);
    const expected = [...findLastOfEverySecond(ticks, instrument.digits).values()];
    const answered = async () => {
      const rows: unknown[] = [];
      for (let hourMs = startOfDay(endMs); hourMs <= endMs; hourMs += HOUR_MS) {
        rows.push(...parseTicks(await keeper.history.ticks.readRange("XAUUSD", hourMs, hourMs + HOUR_MS)));
      }
      return rows;
    };
    expect(await answered()).toEqual(expected);
    for (const hourMs of keeper.openHours.listStarts()) await keeper.close(hourMs, fence);
    expect(keeper.openHours.listStarts()).toEqual([]);
    expect(await answered()).toEqual(expected);
  });
});
