import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { FIRST_FENCE, journalRows } from "@/lib/history/recording/lease.fixture";
import { sliceTicks } from "@/lib/history/ticks/ready-hours";
import type { TickRange } from "@/lib/history/ticks/tick-history";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { countDigits, toPoints, toPrice } from "@/lib/market/price";
import { getBarStart, type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

/** The prices of a source become finer while they are recorded. */

/** Wednesday 21:00 UTC: a trading day begins an hour later. */
const START_MS = Date.UTC(2026, 10, 18, 21);
const HOURS = 4;

/** One second with a bid and an ask, as its source wrote them. */
interface Priced {
  readonly at: number;
  readonly bid: number;
  readonly ask: number;
}

/** The rows of a recorder that has seen no finer price than these so far. */
function toRows(symbol: string, base: number, prices: readonly Priced[]): SecondRow[] {
  let digits = base;
  return prices.map(({ at, bid, ask }) => {
    digits = Math.max(digits, countDigits(bid), countDigits(ask));
    const points = toPoints(bid, digits);
    const range = { open: points, high: points, low: points };
    return {
      symbol,
      digits,
      second: START_MS / 1000 + at,
      bid: points,
      ask: toPoints(ask, digits),
      ...range,
      updates: 1,
    };
  });
}

/** The bars of prices, computed in the simplest way. */
function computeBars(prices: readonly Priced[], timeframe: Timeframe) {
  const groups = new Map<number, number[]>();
  for (const { at, bid } of prices) {
    const timeMs = getBarStart(timeframe, START_MS + at * 1000);
    groups.set(timeMs, [...(groups.get(timeMs) ?? []), bid]);
  }
  return Array.from(groups, ([timeMs, bids]) => ({
    timeMs,
    open: bids[0],
    high: Math.max(...bids),
    low: Math.min(...bids),
    close: bids.at(-1),
    volume: bids.length,
  }));
}

const parseTicks = ({ parts }: TickRange) =>
  parts.flatMap(({ hour, from, to }) => JSON.parse(`[${sliceTicks(hour, from, to).toString()}]`) as Priced[]);

const SCALES = [
  { symbol: "DOGEUSD", base: 5, least: 0.12, digits: [5, 6, 7, 10] },
  // With more digits than two, its points have more than 32 bits.
  { symbol: "BTCUSD", base: 2, least: 99_990, digits: [1, 2, 5, 9] },
] as const;

describe("prices of growing digits", () => {
  beforeEach(() => clear(testDatabase.db.pool));
  afterEach(() => clear(testDatabase.db.pool));

  test.each(SCALES)(
    "are read digit by digit, from memory, from the journal and from closed hours: $symbol",
    async ({ symbol, base, least, digits }) => {
      const instruments = [instrumentBySymbol.get(symbol) as Instrument];
      const price = fc.tuple(fc.constantFrom(...digits), fc.nat(1e9), fc.nat(9)).map(([fine, above, spread]) => {
        const points = toPoints(least, fine) + (above % 10 ** Math.min(fine + 1, 9));
        return { bid: toPrice(points, fine), ask: toPrice(points + spread, fine) };
      });
      const seconds = fc.uniqueArray(fc.nat(HOURS * 3_600 - 1), { minLength: 1, maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(seconds, fc.infiniteStream(price), fc.nat(HOURS), async (times, stream, closed) => {
          const { pool } = testDatabase.db;
          await clear(pool);
          const endMs = START_MS + HOURS * HOUR_MS;
          const prices = times
            .sort((a, b) => a - b)
            .map((at) => ({ at, ...(stream.next().value as { bid: number; ask: number }) }));
          const rows = toRows(symbol, base, prices);
          const open = () => new HistoryKeeper({ pool, instruments, marketNow: () => endMs });
          const recorder = open();
          await journalRows(pool, rows);
          recorder.onRecorded(rows, endMs);
          await expectPrices(recorder, symbol, prices, endMs);
          for (let hour = 0; hour < closed; hour++) {
            const hourMs = START_MS + hour * HOUR_MS;
            if (recorder.openHours.listStarts().includes(hourMs)) await recorder.close(hourMs, FIRST_FENCE);
          }
          await expectPrices(recorder, symbol, prices, endMs);
          const restarted = open();
          await restarted.restore();
          restarted.onRecorded([], endMs);
          await expectPrices(restarted, symbol, prices, endMs);
        }),
        { numRuns: 12 },
      );
    },
  );

  test("stay as they were in rows of earlier versions, and join with finer ones", async () => {
    const { pool } = testDatabase.db;
    const oldMs = START_MS + HOUR_MS;
    await pool.query(
      `INSERT INTO bar (symbol, timeframe, time, open, high, low, close, volume)
       SELECT 'DOGEUSD', timeframe, $1, 12340, 12345, 12330, 12341, 5 FROM unnest(ARRAY[1, 5, 15, 30, 60]::int2[]) AS timeframe`,
      [oldMs / 1000],
    );
    await pool.query(
      `INSERT INTO spread_hour (symbol, source, hour, n, sum, sum_squares, min, max, minutes)
       SELECT 'DOGEUSD', '', to_timestamp($1), 1, 7, 49, 7, 7, $2`,
      // Sixty minutes, of which only the first has a sample: one spread of 7 points.
      [oldMs / 1000, deflateMinutes([1, 7, 1])],
    );
    const keeper = new HistoryKeeper({
      pool,
      instruments: [instrumentBySymbol.get("DOGEUSD") as Instrument],
      marketNow: () => oldMs + 2 * HOUR_MS,
    });
    keeper.onRecorded([], oldMs + HOUR_MS);
    const rows = toRows("DOGEUSD", 5, [{ at: 7_200, bid: 0.1234567, ask: 0.1234571 }]);
    await journalRows(pool, rows);
    keeper.onRecorded(rows, oldMs + 2 * HOUR_MS);
    await keeper.close(oldMs + HOUR_MS, FIRST_FENCE);
    const range = { fromMs: START_MS - 8 * HOUR_MS, toMs: START_MS + 8 * HOUR_MS, limit: 10 };
    const read = async (timeframe: Timeframe) => keeper.history.bars.readRange("DOGEUSD", timeframe, range);
    const old = { timeMs: oldMs, open: 0.1234, high: 0.12345, low: 0.1233, close: 0.12341, volume: 5 };
    expect((await read("M1"))[0]).toEqual(old);
    expect((await read("H4")).at(-1)).toMatchObject({ open: 0.1234, high: 0.1234567, low: 0.1233, close: 0.1234567 });
    const statistics = await keeper.history.spreads.readStatistics("DOGEUSD", "24h");
    expect(statistics?.total).toEqual({ digits: 7, n: 2, sum: 704n, sumSquares: 490_016n, min: 4, max: 700 });
    expect(await keeper.history.spreads.readPercentiles("DOGEUSD", "24h")).toMatchObject({
      p5: 0.0000004,
      p95: 0.00007,
    });
  });
});

async function expectPrices(keeper: HistoryKeeper, symbol: string, prices: readonly Priced[], endMs: number) {
  const ticks: Priced[] = [];
  for (let hourMs = START_MS; hourMs < endMs; hourMs += HOUR_MS) {
    ticks.push(...parseTicks(await keeper.history.ticks.readRange(symbol, hourMs, hourMs + HOUR_MS)));
  }
  expect(ticks.map(({ bid, ask }) => ({ bid, ask }))).toEqual(prices.map(({ bid, ask }) => ({ bid, ask })));
  for (const timeframe of TIMEFRAMES) {
    const range = { fromMs: START_MS - 8 * 24 * HOUR_MS, toMs: endMs, limit: 1_000 };
    expect(await keeper.history.bars.readRange(symbol, timeframe, range), timeframe).toEqual(
      computeBars(prices, timeframe),
    );
  }
  const { steps, histogram } = await keeper.history.spreads.readDetail(symbol, "24h", 60);
  const samples = [...histogram].flatMap(([spread, count]) => Array.from({ length: count }, () => spread));
  const exact = prices.map(({ bid, ask }) => toPrice(toPoints(ask, 10) - toPoints(bid, 10), 10));
  expect(samples.sort((a, b) => a - b)).toEqual(exact.sort((a, b) => a - b));
  expect(steps.reduce((sum, { rollup }) => sum + rollup.n, 0)).toBe(prices.length);
}

/** The minutes of an hour whose first has these numbers; see `encodeMinutes`. */
function deflateMinutes(first: readonly number[]): Buffer {
  return deflateRawSync(Uint8Array.from([...first, ...Array.from({ length: 59 }, () => 0)]));
}

async function clear(pool: Pool): Promise<void> {
  await pool.query("TRUNCATE bar, bar_memory, tick_hour, spread_hour, closed_hour, tick_second");
}
