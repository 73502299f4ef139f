import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { readJournal } from "@/lib/history/journal";
import { readFence } from "@/lib/history/recording/lease.fixture";
import { type Recording, startRecording } from "@/lib/history/recording/recording";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { toPrice } from "@/lib/market/price";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const START_MS = Date.parse("2026-03-04T10:00:00Z");
/** A write that takes milliseconds can take seconds on a busy machine. */
const BUSY_MS = 20_000;

describe("recording", () => {
  let nowMs = START_MS;
  /** How much of the time is not time passed, but a clock that was set. */
  let setByMs = 0;
  const marketNow = () => nowMs;
  beforeEach(async () => {
    nowMs = START_MS;
    setByMs = 0;
    for (const { tablename } of (
      await testDatabase.db.pool.query<{ tablename: string }>(
        "SELECT tablename FROM pg_tables WHERE tablename LIKE 'tick\\_second\\_%'",
      )
    ).rows)
      await testDatabase.db.pool.query(`DROP TABLE ${tablename}`);
    await testDatabase.db.pool.query("TRUNCATE bar, closed_hour, tick_hour, ahead_second");
  });

  async function start(flushMs = HOUR_MS): Promise<{ recording: Recording; keeper: HistoryKeeper }> {
    const { pool } = testDatabase.db;
    const keeper = new HistoryKeeper({ pool, instruments, marketNow });
    const servedSource = () => "oanda";
    const marketElapsed = () => nowMs - setByMs;
    const parts = { pool, keeper, instruments, servedSource, marketNow, marketElapsed, log: silentLog };
    return { keeper, recording: await startRecording({ ...parts, isExclusive: true, flushMs }) };
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
    nowMs += 62_000;
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
    expect(second.recording.status().tooLate).toBe(1);
    await second.recording.stop();
  });

  test("An hour is not closed early when the clock is set ahead and back", async () => {
    const { recording, keeper } = await start(1);
    const pass = async (ms: number, quoting: boolean) => {
      nowMs += ms;
      if (quoting) recording.onQuote(quote("EURUSD", nowMs - 1, 1.1));
      const completeMs = Math.floor(nowMs / 1000) * 1000;
      await vi.waitFor(() => {
        expect(keeper.openHours.completeUntilMs).toBeGreaterThanOrEqual(completeMs - 1000);
        expect(keeper.openHours.completeUntilMs).toBeLessThanOrEqual(completeMs + 2_000);
      }, BUSY_MS);
    };
    await pass(10 * MINUTE_MS, true);
    nowMs += HOUR_MS;
    setByMs += HOUR_MS;
    await pass(MINUTE_MS, true);
    await pass(MINUTE_MS, false);
    expect(keeper.openHours.listStarts()).toContain(START_MS);
    nowMs -= HOUR_MS;
    setByMs -= HOUR_MS;
    await pass(40 * MINUTE_MS, true);
    expect(recording.status().tooLate).toBe(0);
    await pass(10 * MINUTE_MS, true);
    await vi.waitFor(() => expect(keeper.openHours.listStarts()).not.toContain(START_MS), BUSY_MS);
    await recording.stop();
  });

  describe.each([HOUR_MS, 3 * MINUTE_MS])("a clock that was %i ms ahead for a minute", (aheadMs) => {
    const CLOSED = { timeMs: START_MS, open: 1.1, high: 1.1, low: 1.1, close: 1.1, volume: 1 };
    const second = (ms: number) => Math.floor(ms / 1_000);

    /** Records a price, then for a minute by a clock that is ahead. It is back when this returns. */
    async function recordAhead() {
      const { recording, keeper } = await start();
      const record = async (atMs: number, ...bids: number[]) => {
        nowMs = atMs;
        for (const bid of bids) recording.onQuote(quote("EURUSD", atMs - 500, bid));
        nowMs += 1_500;
        await recording.store();
        await recording.store();
      };
      await record(START_MS + 10_500, 1.1);
      setByMs = aheadMs;
      for (let s = 60; s < 120; s += 10) await record(START_MS + s * 1_000 + aheadMs, 1.5, 1.6, 1.7);
      expect((await keeper.history.bars.readSeries("EURUSD", "M1")).closed.at(-1)?.close).toBe(1.7);
      // A second that was still filling.
      recording.onQuote(quote("EURUSD", nowMs, 1.8));
      nowMs = START_MS + 121_000;
      setByMs = 0;
      return { recording, keeper, record };
    }

    async function readAll({ history }: HistoryKeeper) {
      await history.days.load();
      const { closed, forming } = await history.bars.readSeries("EURUSD", "M1");
      const { parts, knownUntilMs } = await history.ticks.readRange("EURUSD", START_MS, START_MS + 3 * HOUR_MS);
      const seconds = parts.flatMap(({ hour: { hourMs, ticks }, from, to }) =>
        Array.from(ticks.seconds.subarray(from, to), (offset, at) => [
          hourMs / 1_000 + offset - START_MS / 1_000,
          toPrice(ticks.bid[from + at] as number, ticks.digits),
        ]),
      );
      return { closed, forming, seconds, knownUntilMs, high: history.days.read("EURUSD")?.high };
    }

    test("What it has dated is served no more, kept apart, and recording goes on at once", async () => {
      const { recording, keeper, record } = await recordAhead();
      const told = vi.fn();
      keeper.follow({ onRecorded() {}, onClosed() {}, onRewritten: told });
      await record(START_MS + 122_500, 1.2);
      expect(told).toHaveBeenCalledWith(START_MS + 125_000);
      const forming = { timeMs: START_MS + 120_000, open: 1.2, high: 1.2, low: 1.2, close: 1.2, volume: 1 };
      const now = {
        closed: [CLOSED],
        forming,
        seconds: [
          [10, 1.1],
          [122, 1.2],
        ],
        high: 1.2,
      };
      expect(await readAll(keeper)).toMatchObject({ ...now, knownUntilMs: START_MS + 125_000 });
      expect(recording.status()).toMatchObject({ setAside: 7, tooLate: 0, dropped: 0 });
      const { rows } = await testDatabase.db.pool.query("SELECT bid, updates FROM ahead_second ORDER BY second");
      expect(rows).toEqual([...Array<object>(6).fill({ bid: 170_000, updates: 3 }), { bid: 180_000, updates: 1 }]);

      // A second that was dated before has what was really recorded in it, although that is less.
      await record(START_MS + 60_000 + aheadMs, 1.3);
      const { seconds } = await readAll(keeper);
      expect(seconds).toEqual([...now.seconds, [second(59_500 + aheadMs), 1.3]]);
      nowMs = START_MS + 3 * HOUR_MS;
      await recording.stop();
      await (await start()).recording.stop();
      expect(await readJournal(testDatabase.db.pool)).toEqual([]);
      expect((await readAll(keeper)).seconds).toEqual(seconds);
    });

    test("A server that starts after it serves none of it either", async () => {
      const { recording } = await recordAhead();
      nowMs += aheadMs;
      await recording.stop();
      nowMs -= aheadMs;
      const { keeper, recording: again } = await start();
      expect(await readAll(keeper)).toMatchObject({ closed: [CLOSED], seconds: [[10, 1.1]], high: 1.1 });
      expect(again.status()).toMatchObject({ setAside: 7 });
      await again.stop();
    });
  });

  test("What was set aside while the clock was behind comes back with it", async () => {
    const { recording, keeper } = await start();
    const record = async (atMs: number, bid: number) => {
      nowMs = atMs;
      recording.onQuote(quote("EURUSD", atMs - 500, bid));
      nowMs += 1_500;
      await recording.store();
      await recording.store();
    };
    const listSeconds = async () =>
      (await readJournal(testDatabase.db.pool)).map(({ second }) => second - START_MS / 1000);
    await record(START_MS + HOUR_MS + 10_500, 1.1);
    setByMs = -HOUR_MS;
    await record(START_MS + 20_500, 1.2);
    expect(await listSeconds()).toEqual([20]);
    setByMs = 0;
    await record(START_MS + HOUR_MS + 30_500, 1.3);
    expect(await listSeconds()).toEqual([20, 3_610, 3_630]);
    expect(keeper.openHours.readSecond("EURUSD", START_MS / 1000 + 3_610)).toMatchObject({ bid: 110_000 });
    await recording.stop();
  });

  test("The status tells for how long nothing could be written", async () => {
    const { pool } = testDatabase.db;
    const { recording } = await start(1);
    await pool.query("ALTER TABLE tick_second RENAME TO hidden");
    recording.onQuote(quote("EURUSD", START_MS, 1.1));
    nowMs += 5_000;
    await vi.waitFor(() => expect(recording.status().silenceMs).toBeGreaterThan(200));
    await pool.query("ALTER TABLE hidden RENAME TO tick_second");
    await vi.waitFor(() => expect(recording.status()).toMatchObject({ recorded: 1 }), BUSY_MS);
    await vi.waitFor(() => expect(recording.status().silenceMs).toBeLessThan(200));
    await recording.stop();
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
    await keeper.close(START_MS, await readFence(testDatabase.db.pool));
    expect(await read(keeper)).toEqual(before);
    const { keeper: restarted, recording: again } = await start();
    expect(restarted.openHours.listStarts()).toEqual([START_MS + HOUR_MS]);
    expect(await read(restarted)).toEqual(before);
    await again.stop();
  });
});
