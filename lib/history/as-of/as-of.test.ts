import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AsOf, type AsOfView } from "@/lib/history/as-of/as-of";
import { encodeBook } from "@/lib/history/as-of/book-block";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { FIRST_FENCE, journalRows } from "@/lib/history/recording/lease.fixture";
import type { Bar } from "@/lib/market/bar";
import { dropInstruments, instrumentBySymbol, instruments, putInstruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { getOpenSessions } from "@/lib/market/sessions/sessions";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;
/** A Wednesday. */
const START_MS = Date.parse("2026-03-04T10:00:00Z");
const HOURS = 7;

/** A second of a market that moves every two seconds, with some updates each. */
function createRow(second: number): SecondRow {
  const bid = 108_000 + ((second * 7) % 211) - ((second * 3) % 97);
  const ask = bid + 5 + (second % 9);
  return { symbol: "EURUSD", digits: 5, second, bid, ask, open: bid - 2, high: bid + 4, low: bid - 3, updates: 3 };
}

function listRows(fromMs: number, toMs: number): SecondRow[] {
  const rows = [];
  for (let ms = fromMs; ms < toMs; ms += 2 * SECOND_MS) rows.push(createRow(ms / SECOND_MS));
  return rows;
}

describe("the market of the past", () => {
  let testDatabase: TestDatabase;
  const clock = { nowMs: START_MS };
  const sources = [{ name: "alpha", mode: "live" }] as const;
  const openKeeper = () =>
    new HistoryKeeper({ pool: testDatabase.db.pool, instruments, sources, marketNow: () => clock.nowMs });
  const open = (keeper: HistoryKeeper) =>
    new AsOf({
      ...{ pool: testDatabase.db.pool, read: (work) => work(testDatabase.db.pool), history: keeper.history },
      ...{ sessions: { openAt: getOpenSessions }, origins: { findMode: () => "live" } },
      ...{ listSources: () => sources, marketNow: () => clock.nowMs },
    });

  /** What the history answered when its clock passed a moment. */
  async function readLive(keeper: HistoryKeeper) {
    const { bars, spreads, days, ticks } = keeper.history;
    const series = await Promise.all(TIMEFRAMES.map((timeframe) => bars.readSeries("EURUSD", timeframe)));
    await days.load();
    return {
      tradingDay: days.read("EURUSD"),
      quarters: days.readQuarters("EURUSD"),
      minutes: await spreads.readMinutes("EURUSD", [START_MS, START_MS + HOUR_MS]),
      ticks: (await ticks.readRange("EURUSD", START_MS, clock.nowMs + HOUR_MS)).count,
      closed: series.map(({ closed }) => closed),
      holes: series.map(({ holes }) => holes),
      forming: series.map(({ forming }) => forming),
      statistics: await spreads.readStatistics("EURUSD", "1h"),
      day: await spreads.readStatistics("EURUSD", "24h"),
      detail: await spreads.readDetail("EURUSD", "24h"),
    };
  }
  const live = new Map<number, Awaited<ReturnType<typeof readLive>>>();
  let keeper: HistoryKeeper;

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    keeper = openKeeper();
    let doneMs = START_MS;
    const moments = [61, 3_600, 3_605, 4_987, 5_400, 7_200, 10_859, 14_401, 16_000, 20_000, 24_900].map(
      (s) => START_MS + s * SECOND_MS,
    );
    for (const atMs of moments) {
      for (; doneMs < atMs; doneMs = clock.nowMs) {
        const hourMs = Math.floor(doneMs / HOUR_MS) * HOUR_MS;
        clock.nowMs = Math.min(atMs, hourMs + HOUR_MS);
        const rows = listRows(doneMs + (doneMs % (2 * SECOND_MS)), clock.nowMs);
        await journalRows(testDatabase.db.pool, rows);
        keeper.onRecorded(rows, clock.nowMs);
        if (clock.nowMs === hourMs + HOUR_MS && clock.nowMs < atMs) await keeper.close(hourMs, FIRST_FENCE);
      }
      live.set(atMs, await readLive(keeper));
      const hourMs = Math.floor((atMs - 1) / HOUR_MS) * HOUR_MS;
      if (atMs === hourMs + HOUR_MS) await keeper.close(hourMs, FIRST_FENCE);
    }
    // What comes later must never be seen: a tick at another level, in the same hour, bar and minute.
    const later = {
      ...createRow(doneMs / SECOND_MS + 3),
      bid: 200_000,
      ask: 200_900,
      open: 200_000,
      high: 200_000,
      low: 200_000,
    };
    await journalRows(testDatabase.db.pool, [later]);
    keeper.onRecorded([later], doneMs + MINUTE_MS);
    clock.nowMs = START_MS + HOURS * HOUR_MS + MINUTE_MS;
  });
  afterAll(() => testDatabase.cleanup());

  test("Bars and spreads are those that a server had at that second, also in a process that starts later", async () => {
    for (const each of [keeper, openKeeper()]) {
      if (each !== keeper) await each.restore();
      each.onRecorded([], clock.nowMs);
      const asOf = open(each);
      for (const [atMs, expected] of [...live].reverse()) {
        const { bars, spreads } = asOf.readHistory(atMs);
        const series = await Promise.all(TIMEFRAMES.map((timeframe) => bars.readSeries("EURUSD", timeframe)));
        const at = new Date(atMs).toISOString();
        expect({ at, closed: series.map(({ closed }) => closed) }).toEqual({ at, closed: expected.closed });
        expect(series.map(({ holes }) => holes)).toEqual(expected.holes);
        expect({ at, ...(await spreads.readStatistics("EURUSD", "1h")) }).toEqual({ at, ...expected.statistics });
        expect(await spreads.readStatistics("EURUSD", "24h")).toEqual(expected.day);
        expect(await spreads.readDetail("EURUSD", "24h")).toEqual(expected.detail);
      }
    }
  });

  test("The bar that was filling is known from its closed minutes and the seconds after them", async () => {
    const asOf = open(keeper);
    const point = 1e-5;
    for (const [atMs, expected] of live) {
      const { bars } = asOf.readHistory(atMs);
      for (const [index, timeframe] of TIMEFRAMES.entries()) {
        const range = await bars.readRange("EURUSD", timeframe, { limit: 1_000 });
        const forming = expected.forming[index] ?? null;
        if (forming === null) {
          expect(range).toEqual(expected.closed[index]);
          continue;
        }
        expect(range.slice(0, -1)).toEqual(expected.closed[index]);
        const { timeMs, close } = forming;
        const found = range.at(-1) as Bar;
        expect(found).toMatchObject({ timeMs, close });
        // A second has its last bid only. Before it, the price was up to four points higher and three lower.
        expect(Math.abs(found.open - forming.open)).toBeLessThanOrEqual(3.1 * point);
        expect(forming.high - found.high).toBeGreaterThanOrEqual(0);
        expect(forming.high - found.high).toBeLessThanOrEqual(4.1 * point);
        expect(found.low - forming.low).toBeGreaterThanOrEqual(0);
        expect(found.low - forming.low).toBeLessThanOrEqual(3.1 * point);
        expect(forming.volume - found.volume).toBeLessThanOrEqual(60);
        if (atMs % MINUTE_MS === 0) expect(found).toEqual(forming);
        const [first] = await bars.readRange("EURUSD", timeframe, { fromMs: timeMs, limit: 1 });
        expect(first).toEqual(found);
      }
    }
  });

  test("Days, ticks and minutes of spreads are those of that second", async () => {
    for (const each of [keeper, openKeeper()]) {
      if (each !== keeper) await each.restore();
      each.onRecorded([], clock.nowMs);
      const asOf = open(each);
      for (const [atMs, expected] of [...live].reverse()) {
        const at = new Date(atMs).toISOString();
        const { days, spreads, ticks } = asOf.readHistory(atMs);
        await days.load();
        const range = await ticks.readRange("EURUSD", START_MS, clock.nowMs);
        expect({ at, quarters: days.readQuarters("EURUSD"), count: range.count, known: range.knownUntilMs }).toEqual({
          ...{ at, quarters: expected.quarters, count: expected.ticks, known: atMs },
        });
        const minutes = await spreads.readMinutes("EURUSD", [START_MS, START_MS + HOUR_MS]);
        expect(minutes).toEqual(expected.minutes.filter(({ startMs }) => startMs + MINUTE_MS <= atMs));
        const day = days.read("EURUSD");
        if (atMs % MINUTE_MS === 0) expect({ at, day }).toEqual({ at, day: expected.tradingDay });
        // Of the seconds of an open minute, only their last bids are known: up to four points lower, or three higher.
        expect((expected.tradingDay?.high ?? 0) - (day?.high ?? 0)).toBeLessThan(4.1e-5);
        expect((day?.low ?? 0) - (expected.tradingDay?.low ?? 0)).toBeLessThan(3.1e-5);
      }
    }
  });

  test("Without a log of the sources, a quote is that of the newest whole second before", async () => {
    const asOf = open(keeper);
    for (const atMs of live.keys()) {
      const second = Math.ceil(atMs / SECOND_MS / 2) * 2 - 2;
      const { bid, ask } = createRow(second);
      const view = await asOf.open(atMs + 999, ["EURUSD"]);
      const quote = (view as AsOfView).book.served("EURUSD");
      expect(quote).toMatchObject({
        bid: bid / 1e5,
        ask: ask / 1e5,
        source: "recorded",
        timeMs: second * SECOND_MS,
      });
      expect(quote?.state).toBe("live");
    }
  });

  test("While no server ran, only what was added later is known", async () => {
    const { pool } = testDatabase.db;
    const at = (offset: number) => (START_MS + 2 * HOUR_MS) / SECOND_MS + offset;
    const write = (since: number) =>
      pool.query("INSERT INTO book_log VALUES ($1, $1, true, $2)", [since, encodeBook(since, [])]);
    await write(at(-100));
    await write(at(100));
    expect(await open(keeper).open(at(0) * SECOND_MS, ["EURUSD"])).toMatchObject({ hasSources: false });
    await write(at(-1));
    const asOf = open(keeper);
    expect(await asOf.open(at(0) * SECOND_MS, ["EURUSD"])).toMatchObject({ beforeMs: at(-1) * SECOND_MS });
    expect(await asOf.open(at(100) * SECOND_MS, ["EURUSD"])).toMatchObject({ hasSources: true });
    // The log is complete up to some moments ago.
    expect(await asOf.open(at(101) * SECOND_MS, ["EURUSD"])).toEqual({
      ...{ beforeMs: at(100) * SECOND_MS, afterMs: null, isPending: true },
    });
    await pool.query("TRUNCATE book_log");
  });

  test("A symbol has the logged quotes of one that was merged into it, from sources without its own", async () => {
    const asOf = open(keeper);
    const since = START_MS / SECOND_MS - 3_600;
    const log = (symbol: string, source: string, bid: number) => ({
      ...{ symbol, source, digits: 5, second: since - 1, bid, ask: bid + 10 },
      ...{ timeMs: (since - 1) * SECOND_MS, staleAfterMs: 20_000 },
    });
    const changes = [log("EUR.OLD", "alpha", 101_000), log("EUR.OLD", "beta", 102_000), log("EURUSD", "beta", 103_000)];
    const { pool } = testDatabase.db;
    await pool.query("INSERT INTO book_log VALUES ($1, $1, true, $2)", [since, encodeBook(since, changes)]);
    const list = async () => {
      const { book } = (await asOf.open(since * SECOND_MS, ["EURUSD"])) as AsOfView;
      return book.sources("EURUSD").map(({ source, bid }) => [source, bid]);
    };
    expect(await list()).toEqual([["beta", 1.03]]);
    putInstruments([{ ...EURUSD, aliases: [...EURUSD.aliases, "EUR.OLD"] }]);
    expect(await list()).toEqual([
      ["alpha", 1.01],
      ["beta", 1.03],
    ]);
    dropInstruments(["EURUSD"]);
    await pool.query("TRUNCATE book_log");
  });

  test("Where nothing was recorded, the nearest seconds are named, and a closed market has its last price", async () => {
    const asOf = open(keeper);
    const first = START_MS + SECOND_MS;
    expect(await asOf.open(START_MS - DAY_MS, ["EURUSD"])).toEqual({ beforeMs: null, afterMs: first });
    expect(await asOf.open(START_MS - DAY_MS, ["EURUSD", "USDJPY"])).toEqual({ beforeMs: null, afterMs: first });
    expect(await asOf.open(START_MS + HOUR_MS, ["USDJPY"])).toEqual({ beforeMs: null, afterMs: null });
    expect(await asOf.open(clock.nowMs + HOUR_MS, ["EURUSD"])).toMatchObject({ afterMs: null });
    const saturdayMs = Date.parse("2026-03-07T12:00:00Z");
    clock.nowMs = saturdayMs + HOUR_MS;
    keeper.onRecorded([], clock.nowMs);
    const view = (await asOf.open(saturdayMs, ["EURUSD"])) as AsOfView;
    expect(view.book.served("EURUSD")).toMatchObject({ state: "closed", bid: 2 });
    expect(EURUSD.symbol).toBe("EURUSD");
  });
});
