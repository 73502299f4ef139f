import { afterAll, describe, expect, test } from "vitest";
import { toBar } from "@/lib/history/bars/bar-rows";
import { DayTrack } from "@/lib/history/days";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { FIRST_FENCE, journalRows } from "@/lib/history/recording/lease.fixture";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { TradingDay } from "@/lib/market/day-change";
import type { Instrument } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const get = (symbol: string) => instrumentBySymbol.get(symbol) as Instrument;
const inNewYork = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** The latest minute at or before a moment at which clocks in New York show 17:00, found by trying. */
function findStart(atMs: number): number {
  for (let ms = Math.floor(atMs / HOUR_MS) * HOUR_MS; ; ms -= HOUR_MS) {
    if (inNewYork.format(ms).endsWith("17:00")) return ms;
  }
}

/** Whether a trading day that starts at this moment is one on which stocks and currencies trade. */
const isWorkday = (startMs: number) => !/^(Fri|Sat)/.test(inNewYork.format(startMs));

/** The day of the last of these rows, computed from all of them. */
function computeDay(rows: readonly SecondRow[], { digits, category }: Instrument): TradingDay {
  const toPrice = (points: number) => Number((points / 10 ** digits).toFixed(digits));
  const startMs = findStart((rows.at(-1)?.second ?? 0) * 1000);
  let beforeMs = findStart(startMs - 1);
  while (category !== "crypto" && !isWorkday(beforeMs)) beforeMs = findStart(beforeMs - 1);
  const inDay = rows.filter(({ second }) => second * 1000 >= startMs);
  const before = rows.filter(({ second }) => second * 1000 >= beforeMs && second * 1000 < startMs);
  const close = before.at(-1)?.bid;
  return {
    startMs,
    previousClose: close === undefined ? null : toPrice(close),
    open: toPrice(inDay[0]?.open ?? NaN),
    high: toPrice(Math.max(...inDay.map(({ high }) => high))),
    low: toPrice(Math.min(...inDay.map(({ low }) => low))),
  };
}

/** Rows some minutes apart, while the market of the symbol is open, without those of one day. */
function createRows(instrument: Instrument, fromMs: number, days: number, skippedMs = -1): SecondRow[] {
  const rows: SecondRow[] = [];
  let price = 110_000;
  for (let ms = fromMs, seed = 7; ms < fromMs + days * DAY_MS; ms += MINUTE_MS * (1 + (seed % 25))) {
    seed = (seed * 48_271) % 2_147_483_647;
    if (!isMarketOpen(instrument.tradingHours, ms) || findStart(ms) === skippedMs) continue;
    const open = price;
    price += (seed % 201) - 100;
    const [high, low] = [Math.max(open, price) + (seed % 7), Math.min(open, price) - (seed % 5)];
    rows.push({
      symbol: instrument.symbol,
      digits: instrument.digits,
      second: ms / 1000,
      bid: price,
      ask: price + 9,
      open,
      high,
      low,
      updates: 2,
    });
  }
  return rows;
}

const toSpan = ({ second, bid, updates, ...row }: SecondRow) =>
  toBar({ ...row, timeMs: second * 1000, close: bid, volume: updates });

describe.each([
  ["a usual week", "2026-01-14T06:00:00Z"],
  ["the week in which New York's clocks go forward", "2026-03-04T06:00:00Z"],
  ["the week in which New York's clocks go back", "2026-10-28T06:00:00Z"],
])("The day of a symbol in %s", (_, start) => {
  test.each(["EURUSD", "BTCUSD", "AAPL", "GER40"])("consists of all prices of %s since 17:00 in New York", (symbol) => {
    const instrument = get(symbol);
    const rows = createRows(instrument, Date.parse(start), 9);
    const track = new DayTrack(instrument);
    expect(track.read()).toBeUndefined();
    for (const [at, row] of rows.entries()) {
      track.add(toSpan(row));
      if (at % 29 === 0) expect(track.read()).toEqual(computeDay(rows.slice(0, at + 1), instrument));
    }
    const before = track.read();
    for (const row of rows.slice(-40)) track.add(toSpan(row));
    expect(track.read()).toBe(before);
  });
});

test("A day after a trading day without prices is measured from its own first price", () => {
  const instrument = get("EURUSD");
  const skippedMs = Date.parse("2026-01-13T22:00:00Z");
  const rows = createRows(instrument, Date.parse("2026-01-12T12:00:00Z"), 3, skippedMs);
  const track = new DayTrack(instrument);
  for (const row of rows) track.add(toSpan(row));
  expect(track.read()).toEqual(computeDay(rows, instrument));
  expect(track.read()).toMatchObject({ startMs: skippedMs + DAY_MS, previousClose: null });
});

test("The last bid of every quarter of an hour is kept, and quarters without one are empty", () => {
  const track = new DayTrack(get("EURUSD"));
  const startMs = Date.parse("2026-01-14T22:00:00Z");
  const add = (minute: number, close: number) =>
    track.add({ timeMs: startMs + minute * MINUTE_MS, open: close, high: close, low: close, close });
  add(-1, 4);
  for (const [minute, price] of [
    [0, 5],
    [14, 6],
    [31, 7],
    [20, 9],
  ] as const)
    add(minute, price);
  expect(track.readQuarters()).toEqual([6, null, 7]);
});

describe("The days of a history", () => {
  test("are the same while hours close, in another process, after a restart and after a rewrite", async () => {
    const { pool } = testDatabase.db;
    const instrument = get("EURUSD");
    const startMs = Date.parse("2026-03-05T18:00:00Z");
    const rows = createRows(instrument, startMs, 1.5);
    const marketNow = () => startMs;
    const open = () => new HistoryKeeper({ pool, instruments, marketNow });
    const [keeper, other] = [open(), open()];
    keeper.follow(other);
    await keeper.history.days.load();
    expect(keeper.history.days.read("EURUSD")).toBeUndefined();
    for (let hourMs = startMs; hourMs < startMs + 1.5 * DAY_MS; hourMs += HOUR_MS) {
      const recorded = rows.filter(({ second }) => second * 1000 >= hourMs && second * 1000 < hourMs + HOUR_MS);
      if (recorded.length === 0) continue;
      await journalRows(pool, recorded);
      keeper.onRecorded(recorded, hourMs + HOUR_MS);
      await keeper.close(hourMs - HOUR_MS, FIRST_FENCE);
      if (hourMs < startMs + 10 * HOUR_MS) continue;
      await other.history.days.load();
      const soFar = rows.filter(({ second }) => second * 1000 < hourMs + HOUR_MS);
      for (const each of [keeper, other]) {
        expect(each.history.days.read("EURUSD")).toEqual(computeDay(soFar, instrument));
      }
    }
    const fresh = open();
    await fresh.readJournal();
    fresh.onRecorded([], startMs + 1.5 * DAY_MS);
    await fresh.history.days.load();
    expect(fresh.history.days.read("EURUSD")).toEqual(computeDay(rows, instrument));
    expect(fresh.history.days.readQuarters("EURUSD")).toEqual(keeper.history.days.readQuarters("EURUSD"));
    expect(fresh.history.days.readQuarters("EURUSD").length).toBeGreaterThan(20);
  });
});
