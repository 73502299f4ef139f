import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { readJournal } from "@/lib/history/journal";
import { type Recording, startRecording } from "@/lib/history/recording";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { silentLog } from "@/lib/platform/log";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const START_MS = Date.parse("2026-03-04T10:00:00Z");

describe.each(databaseKinds)("recording on the %s database", (kind) => {
  let testDatabase: TestDatabase;
  let nowMs = START_MS;
  const marketNow = () => nowMs;
  beforeAll(async () => {
    testDatabase = await openTestDatabase(kind);
  });
  afterAll(() => testDatabase.cleanup());
  beforeEach(async () => {
    nowMs = START_MS;
    for (const { tablename } of (
      await testDatabase.db.pool.query<{ tablename: string }>(
        "SELECT tablename FROM pg_tables WHERE tablename LIKE 'tick\\_second\\_%'",
      )
    ).rows)
      await testDatabase.db.pool.query(`DROP TABLE ${tablename}`);
    await testDatabase.db.pool.query("TRUNCATE bar, closed_hour");
  });

  async function start(): Promise<{ recording: Recording; keeper: HistoryKeeper }> {
    const { pool } = testDatabase.db;
    const keeper = new HistoryKeeper({ pool, instruments, marketNow });
    const servedSource = () => "oanda";
    const parts = { pool, keeper, instruments, servedSource, marketNow, log: silentLog, flushMs: HOUR_MS };
    return { keeper, recording: await startRecording(parts) };
  }

  function quote(symbol: string, timeMs: number, bid: number, source = "oanda") {
    const instrument = instrumentBySymbol.get(symbol) as Instrument;
    return { source, instrument, bid, ask: bid + 0.0001, timeMs, receivedAtMs: timeMs };
  }

  test("Acknowledged seconds survive a restart, and an overdue hour is closed first", async () => {
    const first = await start();
    first.recording.onQuote(quote("EURUSD", START_MS + 1_200, 1.1));
    first.recording.onQuote(quote("EURUSD", START_MS + 1_800, 1.2));
    first.recording.onQuote(quote("EURUSD", START_MS + 1_900, 1.3, "another"));
    first.recording.onQuote(quote("EURUSD", START_MS + 61_000, 1.15));
    await first.recording.stop();
    expect(await readJournal(testDatabase.db.pool)).toHaveLength(2);

    nowMs += 2 * HOUR_MS;
    const second = await start();
    expect(second.keeper.openHours.listStarts()).toEqual([]);
    expect(await readJournal(testDatabase.db.pool)).toEqual([]);
    const { closed, forming } = await second.keeper.history.bars.readSeries("EURUSD", "M1");
    expect(closed).toEqual([
      { timeMs: START_MS, open: 1.1, high: 1.2, low: 1.1, close: 1.2, volume: 2 },
      { timeMs: START_MS + 60_000, open: 1.15, high: 1.15, low: 1.15, close: 1.15, volume: 1 },
    ]);
    expect(forming).toBeNull();
    second.recording.onQuote(quote("EURUSD", START_MS + 62_000, 1.16));
    expect(second.recording.counts().tooLate).toBe(1);
    await second.recording.stop();
  });

  test("The bars of every timeframe stay the same when an hour is closed, and after a restart", async () => {
    const { recording, keeper } = await start();
    for (let second = 0; second < 2 * 3_600; second += 7) {
      recording.onQuote(quote("EURUSD", START_MS + second * 1_000, 1.1 + (second % 97) / 1_000));
    }
    nowMs = START_MS + 2 * HOUR_MS - 1_000;
    await recording.stop();
    const read = async (from: HistoryKeeper) =>
      Promise.all(
        TIMEFRAMES.map(async (timeframe) => ({
          timeframe,
          ...(await from.history.bars.readSeries("EURUSD", timeframe)),
        })),
      );
    const before = await read(keeper);
    expect(before.map(({ closed, forming }) => closed.length + (forming === null ? 0 : 1))).toEqual([
      120, 24, 8, 4, 2, 1, 1, 1,
    ]);
    await keeper.close(START_MS);
    expect(await read(keeper)).toEqual(before);
    const { keeper: restarted, recording: again } = await start();
    expect(restarted.openHours.listStarts()).toEqual([START_MS + HOUR_MS]);
    expect(await read(restarted)).toEqual(before);
    await again.stop();
  });
});
