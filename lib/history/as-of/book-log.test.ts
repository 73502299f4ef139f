import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createBook } from "@/lib/book/book";
import { toUsualPause } from "@/lib/book/freshness";
import { BookLog, BookLogReader } from "@/lib/history/as-of/book-log";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { toPrice } from "@/lib/market/price";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;
const BTCUSD = instrumentBySymbol.get("BTCUSD") as Instrument;
const START = Date.parse("2026-03-04T10:00:00Z") / 1000;
const SOURCES = [
  { name: "alpha", mode: "live" },
  { name: "beta", mode: "live" },
] as const;

describe("the log of the book", () => {
  beforeEach(() => testDatabase.db.pool.query("TRUNCATE book_log"));
  const getPool = () => testDatabase.db.pool;
  const openReader = () => new BookLogReader((work) => work(getPool()));
  const countRows = async () => (await getPool().query("SELECT FROM book_log")).rowCount;

  function open(fence = FIRST_FENCE, maxWaiting?: number) {
    const state = { nowMs: START * 1000 };
    const book = createBook({ sources: SOURCES, now: () => state.nowMs });
    const options = { pool: getPool(), findGapMs: book.findGapMs, marketNow: () => state.nowMs, log: silentLog };
    const log = new BookLog({ ...options, ...(maxWaiting === undefined ? {} : { maxWaiting }) });
    return {
      state,
      book,
      log,
      quote(source: string, atMs: number, price: number, instrument = EURUSD, lagMs = 40) {
        state.nowMs = atMs;
        const bid = Math.round(price * 1e5) / 1e5;
        const ask = instrument === EURUSD ? Math.round((bid + 0.0001) * 1e5) / 1e5 : bid + 10;
        const quote = { source, instrument, bid, ask, timeMs: atMs - lagMs, receivedAtMs: atMs };
        book.accept(quote);
        log.onQuote(quote);
      },
      async flushAt(second: number) {
        state.nowMs = second * 1000 + 5;
        await log.flush(fence);
      },
    };
  }

  test("A second has the quotes that were in the book at its beginning, of every source, with their states at all ages.", async () => {
    const { book, quote, flushAt, state } = open();
    const expected = new Map<number, string>();
    await flushAt(START);
    for (let second = START; second < START + 75; second++) {
      state.nowMs = second * 1000;
      const quotes = [...book.sources("EURUSD"), ...book.sources("BTCUSD")];
      expected.set(second, JSON.stringify(quotes.map(({ source, json, state: age }) => [source, json, age])));
      if (second > START) await flushAt(second);
      if (second % 3 !== 0) quote("alpha", second * 1000 + 100, 1.1 + (second % 50) / 1e5);
      if (second % 3 === 1) quote("alpha", second * 1000 + 900, 1.2 + (second % 50) / 1e5);
      if (second % 20 === 7) quote("beta", second * 1000 + 999, 1.1 + (second % 30) / 1e5, EURUSD, 1_700);
      if (second === START + 30) quote("beta", second * 1000, 60_000.5, BTCUSD);
    }
    await flushAt(START + 75);
    for (const reader of [openReader(), openReader()]) {
      for (const [second, quotes] of [...expected].reverse()) {
        const past = createBook({ sources: SOURCES, now: () => second * 1000 });
        for (const { source, symbol, digits, bid, ask, timeMs, staleAfterMs } of (await reader.read(second)) ?? []) {
          const instrument = symbol === "EURUSD" ? EURUSD : BTCUSD;
          const prices = { bid: toPrice(bid, digits), ask: toPrice(ask, digits) };
          past.accept({ source, instrument, ...prices, timeMs }, toUsualPause(staleAfterMs));
        }
        const found = [...past.sources("EURUSD"), ...past.sources("BTCUSD")];
        expect(JSON.stringify(found.map(({ source, json, state: age }) => [source, json, age]))).toBe(quotes);
      }
    }
    // A whole minute, and the seconds of the next one.
    expect(await countRows()).toBeLessThan(20);
  });

  test("What is received in a second or later is not in the book at its beginning, also when it arrives late.", async () => {
    const { quote, flushAt, log, state } = open();
    quote("alpha", START * 1000 - 500, 1.1);
    await flushAt(START);
    quote("alpha", (START + 1) * 1000, 1.2);
    await flushAt(START + 3);
    // Its feed dates it to a second that is stored already.
    log.onQuote({
      source: "beta",
      instrument: EURUSD,
      bid: 1.3,
      ask: 1.4,
      timeMs: START * 1000,
      receivedAtMs: START * 1000,
    });
    state.nowMs = (START + 4) * 1000;
    await log.flush(FIRST_FENCE);
    const reader = openReader();
    const list = async (second: number) => (await reader.read(second))?.map(({ source, bid }) => [source, bid]);
    expect(await list(START)).toEqual([["alpha", 110_000]]);
    expect(await list(START + 1)).toEqual([["alpha", 110_000]]);
    expect(await list(START + 2)).toEqual([["alpha", 120_000]]);
    expect(await list(START + 3)).toEqual([["alpha", 120_000]]);
    expect(await list(START + 4)).toEqual([
      ["alpha", 120_000],
      ["beta", 130_000],
    ]);
    expect(await list(START + 5)).toBeUndefined();
    expect(await list(START - 1)).toBeUndefined();
  });

  test("Time between two runs was not recorded, and its neighbours are named.", async () => {
    const first = open();
    first.quote("alpha", START * 1000 - 500, 1.1);
    await first.flushAt(START);
    await first.flushAt(START + 10);
    const second = open();
    await second.flushAt(START + 100);
    await second.flushAt(START + 101);
    const reader = openReader();
    expect(await reader.read(START + 10)).toHaveLength(1);
    expect(await reader.read(START + 11)).toBeNull();
    expect(await reader.findNearest(START + 50)).toEqual({ before: START + 10, after: START + 100 });
    // The book of a new run is empty.
    expect(await reader.read(START + 100)).toEqual([]);
  });

  test("A clock that was ahead leaves what it dated apart, and the log goes on where it comes back", async () => {
    const { quote, flushAt } = open();
    quote("alpha", START * 1000 - 500, 1.1);
    await flushAt(START);
    quote("alpha", (START + 2) * 1000, 1.2);
    await flushAt(START + 5);
    quote("alpha", (START + 3_600) * 1000, 1.5);
    await flushAt(START + 3_605);
    quote("beta", (START + 3_640) * 1000, 1.6);
    await flushAt(START + 3_700);
    quote("alpha", (START + 80) * 1000, 1.3);
    await flushAt(START + 81);
    quote("alpha", (START + 82) * 1000, 1.4);
    await flushAt(START + 84);
    const reader = openReader();
    const list = async (second: number) => (await reader.read(second))?.map(({ source, bid }) => [source, bid]);
    expect(await list(START + 3)).toEqual([["alpha", 120_000]]);
    expect(await reader.findNearest(START + 50)).toEqual({ before: START + 3, after: START + 81 });
    expect(await list(START + 84)).toEqual(expect.arrayContaining([["alpha", 140_000]]));
    expect(await reader.read(START + 3_602)).toBeNull();
    expect((await getPool().query("SELECT FROM ahead_book")).rowCount).toBeGreaterThan(0);
  });

  test("A dropped source is in the book until it is dropped.", async () => {
    const { quote, flushAt, log, state } = open();
    quote("alpha", START * 1000 - 500, 1.1);
    quote("beta", START * 1000 - 400, 1.2);
    await flushAt(START);
    state.nowMs = (START + 1) * 1000;
    log.onSources([SOURCES[0]], new Set());
    await flushAt(START + 3);
    const reader = openReader();
    expect(await reader.read(START + 1)).toHaveLength(2);
    expect(await reader.read(START + 2)).toMatchObject([{ source: "alpha" }]);
  });

  test("Changes wait for an unavailable database; more than may wait are a gap, not a false book.", async () => {
    const { quote, flushAt } = open(FIRST_FENCE, 5);
    await flushAt(START);
    await getPool().query("ALTER TABLE book_log RENAME TO book_log_away");
    for (let second = 0; second < 4; second++) {
      quote("alpha", (START + second) * 1000, 1.1 + second / 100);
      await expect(flushAt(START + second + 1)).rejects.toThrow("book_log");
    }
    await getPool().query("ALTER TABLE book_log_away RENAME TO book_log");
    await flushAt(START + 5);
    expect(await openReader().read(START + 2)).toMatchObject([{ bid: 111_000 }]);
    for (let second = 5; second < 20; second++) quote("alpha", (START + second) * 1000, 1.2 + second / 100);
    await flushAt(START + 20);
    expect(await openReader().read(START + 18)).toBeNull();
    await flushAt(START + 21);
    await flushAt(START + 22);
    expect(await openReader().read(START + 22)).toMatchObject([{ bid: 139_000 }]);
  });

  test("A row of many changes ends before its minute, and those of a write that takes long are stored.", async () => {
    const { log, flushAt } = open();
    const quoteAll = (second: number) => {
      const fields = { instrument: EURUSD, bid: 1 + second / 1e5, ask: 1.1, timeMs: (START + second) * 1000 };
      for (let at = 0; at < 20_000; at++) {
        log.onQuote({ ...fields, source: `source-${at}`, receivedAtMs: fields.timeMs });
      }
    };
    await flushAt(START);
    for (let second = 0; second < 10; second++) quoteAll(second);
    await flushAt(START + 10);
    for (let second = 10; second < 13; second++) {
      quoteAll(second);
      await flushAt(START + second + 1);
    }
    const { rows } = await getPool().query<{ since: number; until: number; whole: boolean }>(
      "SELECT since, until, whole FROM book_log ORDER BY since",
    );
    expect(rows.map(({ since, until, whole }) => [since - START, until - START, whole])).toEqual([
      [0, 10, true],
      [10, 12, true],
      [12, 13, false],
    ]);
    const reader = openReader();
    for (const second of [5, 11, 13]) {
      const quotes = (await reader.read(START + second)) ?? [];
      expect(quotes).toHaveLength(20_000);
      expect(new Set(quotes.map(({ bid }) => bid))).toEqual(new Set([100_000 + second - 1]));
    }
  });

  test("A server that does not record writes nothing.", async () => {
    const { flushAt } = open(FIRST_FENCE + 1);
    await expect(flushAt(START)).rejects.toThrow(LeaseLost);
    expect(await countRows()).toBe(0);
  });
});
