import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bars, barStore } from "@/lib/history/bars/bars";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { HourColumns, SecondRow } from "@/lib/history/hour-columns";
import { FIRST_FENCE, journalRows } from "@/lib/history/recording/lease.fixture";
import type { Bar } from "@/lib/market/bar";
import { instruments } from "@/lib/market/catalog";
import { getBarEnd, getBarStart, type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import type { Read } from "@/lib/platform/database/replica";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

/** A Friday on which New York is still on winter time: the daily bar changes at 22:00 UTC. */
const START_MS = Date.parse("2026-03-06T18:00:00Z");
const HOURS = 7;
const SYMBOL = "EURUSD";
const OTHER = "GBPUSD";

/** A row every few seconds, with varying prices. */
const rows: SecondRow[] = [];
for (let at = 0, seed = 1; at < HOURS * 3_600; at += 1 + (seed % 13)) {
  seed = (seed * 48_271) % 2_147_483_647;
  const open = 110_000 + (seed % 997);
  const bid = open + (seed % 7) - 3;
  const [high, low] = [Math.max(open, bid) + (seed % 3), Math.min(open, bid) - (seed % 5)];
  const updates = 1 + (seed % 4);
  rows.push({ symbol: SYMBOL, digits: 5, second: START_MS / 1000 + at, bid, ask: bid + 9, open, high, low, updates });
}

/** Computes the bars of rows in the simplest way. */
function computeBars(of: readonly SecondRow[], timeframe: Timeframe): Bar[] {
  const groups = new Map<number, SecondRow[]>();
  for (const row of of) {
    const timeMs = getBarStart(timeframe, row.second * 1000);
    const group = groups.get(timeMs);
    if (group === undefined) groups.set(timeMs, [row]);
    else group.push(row);
  }
  return [...groups].map(([timeMs, group]) => ({
    timeMs,
    open: toPrice(group[0]?.open ?? 0),
    high: toPrice(group.reduce((highest, { high }) => Math.max(highest, high), -Infinity)),
    low: toPrice(group.reduce((lowest, { low }) => Math.min(lowest, low), Infinity)),
    close: toPrice(group.at(-1)?.bid ?? 0),
    volume: group.reduce((sum, { updates }) => sum + updates, 0),
  }));
}

function toPrice(points: number): number {
  return Number((points / 1e5).toFixed(5));
}

describe("bars", () => {
  let keeper: HistoryKeeper;
  /** A keeper as in another process that follows the first. */
  let other: HistoryKeeper;
  beforeAll(async () => {
    const { pool } = testDatabase.db;
    keeper = new HistoryKeeper({ pool, instruments, marketNow: () => START_MS });
    other = new HistoryKeeper({ pool, instruments, marketNow: () => START_MS });
    keeper.follow(other);
    keeper.onRecorded([], START_MS);
  });

  async function write(columns: readonly HourColumns[]): Promise<void> {
    const client = await testDatabase.db.pool.connect();
    await barStore.writeHour(client, columns).finally(() => client.release());
  }

  async function record(recorded: readonly SecondRow[], completeUntilMs: number): Promise<void> {
    await journalRows(testDatabase.db.pool, recorded);
    keeper.onRecorded(recorded, completeUntilMs);
  }

  async function expectBars(of: readonly SecondRow[], untilMs: number): Promise<void> {
    const fresh = new HistoryKeeper({ pool: testDatabase.db.pool, instruments, marketNow: () => START_MS });
    for (const row of of) if (keeper.openHours.readSecond(SYMBOL, row.second)) fresh.openHours.write(row);
    fresh.openHours.advance(untilMs);
    for (const timeframe of TIMEFRAMES) {
      const expected = computeBars(of, timeframe);
      const last = expected.at(-1);
      const isForming = last !== undefined && getBarEnd(timeframe, last.timeMs) > untilMs;
      const series = isForming
        ? { closed: expected.slice(0, -1), past: null, holes: [], forming: last }
        : { closed: expected, past: null, holes: [], forming: null };
      for (const each of [keeper, other, fresh]) {
        expect(await each.history.bars.readSeries(SYMBOL, timeframe), timeframe).toEqual(series);
      }
    }
  }

  test("Bars are those of all rows so far, in every process and after a restart, while hours fill and close", async () => {
    for (let hour = 0; hour < HOURS; hour++) {
      const endMs = START_MS + (hour + 1) * HOUR_MS;
      const inHour = rows.filter(({ second }) => second * 1000 < endMs && second * 1000 >= endMs - HOUR_MS);
      const soFar = rows.filter(({ second }) => second * 1000 < endMs);
      await record(inHour, endMs - 1_000);
      await expectBars(soFar, endMs - 1_000);
      keeper.onRecorded([], endMs);
      await expectBars(soFar, endMs);
      // The last hour stays open, and one more while the next is filling.
      if (hour > 0) await keeper.close(endMs - 2 * HOUR_MS, FIRST_FENCE);
      await expectBars(soFar, endMs);
    }
  });

  test("Bars do not change when an hour is written twice", async () => {
    const hourMs = START_MS + (HOURS - 1) * HOUR_MS;
    const columns = keeper.openHours.getColumns(hourMs);
    const read = async () =>
      (await testDatabase.db.pool.query("SELECT * FROM bar ORDER BY symbol, timeframe, time")).rows;
    await write(columns);
    const once = await read();
    await write(columns);
    expect(await read()).toEqual(once);
    expect(once.length).toBeGreaterThan(400);
    await keeper.close(hourMs, FIRST_FENCE);
    expect(await read()).toEqual(once);
  });

  test("The array of closed bars stays the same until a bar closes or changes", async () => {
    const nextMs = START_MS + (HOURS + 1) * HOUR_MS;
    const row = (offset: number, bid: number): SecondRow => {
      return {
        symbol: OTHER,
        digits: 5,
        second: nextMs / 1000 + offset,
        bid,
        ask: bid,
        open: bid,
        high: bid,
        low: bid,
        updates: 1,
      };
    };
    const read = () => keeper.history.bars.readSeries(OTHER, "M1") as { closed: readonly Bar[]; forming: Bar | null };
    await keeper.history.bars.readSeries(OTHER, "M1");
    await record([row(1, 5)], nextMs + 2_000);
    const before = read();
    await record([row(2, 6)], nextMs + 3_000);
    const grown = read();
    expect(grown.closed).toBe(before.closed);
    expect(grown.forming).toMatchObject({ close: 0.00006, volume: 2 });
    keeper.onRecorded([], nextMs + 59_000);
    expect(read().closed).toBe(before.closed);
    // The clock closes the bar without another price.
    keeper.onRecorded([], nextMs + 60_000);
    const closed = read();
    expect(closed).toEqual({ closed: [...before.closed, grown.forming], past: null, holes: [], forming: null });
    expect(before.closed).toHaveLength(closed.closed.length - 1);
    // A late second changes a closed bar, and so the array.
    await record([row(30, 9)], nextMs + 61_000);
    expect(read().closed).not.toBe(closed.closed);
    expect(read().closed.at(-1)).toMatchObject({ high: 0.00009, close: 0.00009, volume: 3 });
    await keeper.close(nextMs, FIRST_FENCE);
  });

  test("All symbols' bars are read synchronously after they were loaded together", async () => {
    const fresh = new HistoryKeeper({ pool: testDatabase.db.pool, instruments, marketNow: () => START_MS });
    fresh.onRecorded([], START_MS + 10 * HOUR_MS);
    for (const timeframe of ["M5", "D1"] as const) {
      await fresh.history.bars.loadAll(
        instruments.map(({ symbol }) => symbol),
        timeframe,
      );
      for (const { symbol } of instruments) {
        expect(fresh.history.bars.readSeries(symbol, timeframe)).not.toBeInstanceOf(Promise);
      }
      expect(fresh.history.bars.readSeries(SYMBOL, timeframe)).toEqual(
        keeper.history.bars.readSeries(SYMBOL, timeframe),
      );
    }
    expect(fresh.history.bars.readSeries("NOPE", "H1")).toEqual({ closed: [], past: null, holes: [], forming: null });
    expect(await fresh.history.bars.readRange("NOPE", "H1", { limit: 5 })).toEqual([]);
  });

  test("A window has the latest bars alone, and leaves the whole series to others", async () => {
    const fresh = new HistoryKeeper({ pool: testDatabase.db.pool, instruments, marketNow: () => START_MS });
    const { history } = fresh;
    fresh.openHours.advance(START_MS + 10 * HOUR_MS);
    const whole = await keeper.history.bars.readSeries(SYMBOL, "M1");
    for (const timeframe of ["M1", "H4"] as const) {
      const all = await keeper.history.bars.readSeries(SYMBOL, timeframe);
      const window = await history.bars.readSeries(SYMBOL, timeframe, 100, "window");
      expect(window.closed).toEqual(all.closed.slice(-100));
      expect([window.past === null, window.holes]).toEqual([all.closed.length < 100, []]);
    }
    expect((await history.bars.readSeries(SYMBOL, "M1")).closed).toEqual(whole.closed);
    // It serves windows too.
    expect(history.bars.readSeries(SYMBOL, "M1", 100, "window")).toBe(await history.bars.readSeries(SYMBOL, "M1"));
  });

  const pastDays = [5, 4, 3, 2, 1];
  const past = pastDays.flatMap((days) => rows.map((row) => ({ ...row, second: row.second - days * 86_400 })));

  test("Bars include hours that were not recorded live once they are written", async () => {
    const source = new HistoryKeeper({ pool: testDatabase.db.pool, instruments, marketNow: () => START_MS });
    for (const row of past) source.openHours.write(row);
    for (const hourMs of source.openHours.listStarts()) await write(source.openHours.getColumns(hourMs));
    keeper.onRewritten();
    const fromMs = START_MS - 5 * 24 * HOUR_MS;
    for (const each of [keeper, other]) {
      const range = await each.history.bars.readRange(SYMBOL, "M1", { fromMs, limit: 9 });
      expect(range).toEqual(computeBars(past, "M1").slice(0, 9));
    }
  });

  test("A range has its first bars, or the latest before a moment, from memory and from the database", async () => {
    const endMs = START_MS + HOURS * HOUR_MS;
    const all = [...past, ...rows];
    const barsOfAll = new Map(TIMEFRAMES.map((timeframe) => [timeframe, computeBars(all, timeframe)]));
    const moment = fc.integer({ min: START_MS - 6 * 24 * HOUR_MS, max: endMs });
    const range = fc.record({
      timeframe: fc.constantFrom(...TIMEFRAMES),
      fromMs: fc.option(moment, { nil: undefined }),
      toMs: moment,
      limit: fc.integer({ min: 1, max: 1_500 }),
    });
    await fc.assert(
      fc.asyncProperty(range, async ({ timeframe, fromMs, toMs, limit }) => {
        const within = (barsOfAll.get(timeframe) ?? []).filter(
          ({ timeMs }) => timeMs >= (fromMs ?? 0) && timeMs < toMs,
        );
        const expected = fromMs === undefined ? within.slice(-limit) : within.slice(0, limit);
        expect(await keeper.history.bars.readRange(SYMBOL, timeframe, { fromMs, toMs, limit })).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test("The usual series answer while the database is away, once no more hours are written", async () => {
    const { pool } = testDatabase.db;
    let isAway = false;
    const read: Read = (work) => (isAway ? Promise.reject(new Error("The database is away")) : work(pool));
    const bars = new Bars({ read, openHours: keeper.openHours, instruments });
    bars.invalidate();
    await bars.loadUsual();
    isAway = true;
    await expect(bars.readSeries(SYMBOL, "M5")).rejects.toThrow("away");
    isAway = false;
    await bars.loadUsual();
    isAway = true;
    for (const timeframe of ["H1", "M5", "D1", "M15", "H4", "M1"] as const) {
      expect(bars.readSeries(SYMBOL, timeframe)).toEqual(await keeper.history.bars.readSeries(SYMBOL, timeframe));
    }
    // Those in memory need no reading.
    await bars.loadUsual();
  });
});
