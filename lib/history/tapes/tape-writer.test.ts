import type { Pool } from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { readFence } from "@/lib/history/recording/lease.fixture";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import { readKeptTicks } from "@/lib/history/tapes/kept-ticks";
import { listTicks, readTapes, type TapeRange } from "@/lib/history/tapes/tape-history";
import { TapeWriter } from "@/lib/history/tapes/tape-writer";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { toPrice } from "@/lib/market/price";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;
const BTCUSD = instrumentBySymbol.get("BTCUSD") as Instrument;
const START = Date.parse("2026-03-04T10:00:00Z");

/** Ticks as text: milliseconds after the start, source, and pips of the bid above 1.1. */
function format({ tapes }: TapeRange, isServedOnly = false): string {
  const rows = Array.from(listTicks(tapes, isServedOnly), ({ source, tape, at }) => {
    const pips = Math.round((toPrice(tape.bids[at] as number, tape.digits) - 1.1) * 1e4);
    return `${(tape.timesMs[at] as number) - START} ${source} ${pips}`;
  });
  return rows.join(", ");
}

describe("ticks", () => {
  let fence = 0;
  const state = { nowMs: START, served: "alpha" };
  beforeEach(async () => {
    await testDatabase.db.pool.query("TRUNCATE tape_second, tape_hour, tape_run");
    fence = await readFence(testDatabase.db.pool);
    Object.assign(state, { nowMs: START, served: "alpha" });
  });

  function open(options: { names?: string[]; maxWaitingBytes?: number; pool?: Pool } = {}) {
    const writer = new TapeWriter({
      pool: options.pool ?? testDatabase.db.pool,
      kept: readKeptTicks(options.names ?? ["EURUSD"], catalogResolver),
      servedSource: () => state.served,
      marketNow: () => state.nowMs,
      log: silentLog,
      maxWaitingBytes: options.maxWaitingBytes,
    });
    return {
      writer,
      quote(atMs: number, pips: number, source = "alpha", instrument = EURUSD, lagMs = 20) {
        state.nowMs = START + atMs + lagMs;
        const bid = 1.1 + pips / 1e4;
        const quote = { source, instrument, bid, ask: bid + 0.0001, timeMs: START + atMs };
        writer.onQuote({ ...quote, receivedAtMs: state.nowMs });
      },
      async flushAt(atMs: number) {
        state.nowMs = START + atMs;
        await writer.flush(fence);
      },
    };
  }

  const read = (options: { source?: string; fromMs?: number; toMs?: number; instrument?: Instrument } = {}) =>
    readTapes((work) => work(testDatabase.db.pool), options.instrument ?? EURUSD, {
      fromMs: START + (options.fromMs ?? 0),
      toMs: START + (options.toMs ?? HOUR_MS),
      source: options.source,
      nowMs: state.nowMs,
    });
  const countRows = async (table: string) => (await testDatabase.db.pool.query(`SELECT FROM ${table}`)).rowCount;

  test("Every tick of every source is read as it came: in order, one source alone, and those that were served.", async () => {
    const { quote, flushAt } = open();
    await flushAt(0);
    quote(100, 1);
    quote(100, 2);
    quote(90, 7, "beta", EURUSD, 40);
    quote(900, 3);
    await flushAt(1_000);
    state.served = "beta";
    quote(1_500, 8, "beta");
    quote(1_600, 4);
    await flushAt(2_000);
    const all = "90 beta 7, 100 alpha 1, 100 alpha 2, 900 alpha 3, 1500 beta 8, 1600 alpha 4";
    expect(format(await read())).toBe(all);
    expect(format(await read(), true)).toBe("100 alpha 1, 100 alpha 2, 900 alpha 3, 1500 beta 8");
    expect(format(await read({ source: "beta" }))).toBe("90 beta 7, 1500 beta 8");
    expect(format(await read({ fromMs: 100, toMs: 1_500 }))).toBe("100 alpha 1, 100 alpha 2, 900 alpha 3");
    const beta = (await read({ source: "beta" })).tapes.get("beta");
    expect(Array.from(beta?.receivedMs ?? [], (ms) => ms - START)).toEqual([130, 1_520]);
  });

  test("Ticks stay the same when they are joined each minute, and when their hour is over; late ones are added.", async () => {
    const { quote, flushAt, writer } = open();
    await flushAt(0);
    for (let second = 0; second < 130; second++) {
      quote(second * 1_000 + 7, second);
      if (second % 2 === 0) quote(second * 1_000 + 9, -second, "beta");
      await flushAt((second + 1) * 1_000);
      if (second % 60 === 59) await writer.join(fence);
    }
    const before = format(await read());
    expect(before.split(", ")).toHaveLength(195);
    expect([await countRows("tape_second"), await countRows("tape_hour")]).toEqual([10, 4]);
    await writer.join(fence);
    expect([await countRows("tape_second"), await countRows("tape_hour")]).toEqual([0, 6]);
    expect(format(await read())).toBe(before);
    state.nowMs = START + HOUR_MS + 2 * MINUTE_MS;
    await writer.join(fence);
    expect(await countRows("tape_hour")).toBe(2);
    expect(format(await read())).toBe(before);
    quote(129_500, 1_000, "alpha", EURUSD, HOUR_MS);
    await flushAt(HOUR_MS + 3 * MINUTE_MS);
    await writer.join(fence);
    expect(await countRows("tape_hour")).toBe(2);
    expect(format(await read())).toBe(`${before}, 129500 alpha 1000`);
  });

  test("A server that is killed loses what it has not written, and the next one says when nothing was stored.", async () => {
    const killed = open();
    await killed.flushAt(0);
    killed.quote(500, 1);
    await killed.flushAt(1_000);
    killed.quote(1_500, 2);
    state.nowMs = START + 60_000;
    const next = open();
    next.quote(500, 1, "alpha", EURUSD, 60_000);
    next.quote(61_000, 3);
    await next.flushAt(62_000);
    await next.writer.join(fence);
    const range = await read();
    expect(format(range)).toBe("500 alpha 1, 61000 alpha 3");
    expect(range.notKept).toEqual([{ fromMs: START + 1_000, toMs: START + 60_000 }]);
    expect(range.kept).toEqual({ fromMs: START, toMs: START + 62_000 });
  });

  test("A standby that takes over continues the ticks without a gap, and stores none twice.", async () => {
    const [first, standby] = [open(), open()];
    const both = (atMs: number, pips: number, lagMs = 20) => {
      for (const each of [first, standby]) each.quote(atMs, pips, "alpha", EURUSD, lagMs);
    };
    for (let second = 0; second < 60; second++) {
      both(second * 1_000 + 500, second);
      // A source without times of its own.
      for (const each of [first, standby]) each.quote(second * 1_000 + 600, second, "beta", EURUSD, 0);
      await first.flushAt((second + 1) * 1_000);
    }
    both(60_400, 60);
    both(61_400, 61);
    await testDatabase.db.pool.query("UPDATE recorder_lease SET fence = fence + 1");
    await expect(first.flushAt(62_000)).rejects.toThrow(LeaseLost);
    fence = await readFence(testDatabase.db.pool);
    await standby.flushAt(63_000);
    await standby.writer.join(fence);
    const range = await read({ toMs: 63_000 });
    const expected = Array.from({ length: 60 }, (_, second) => [
      `${second * 1_000 + 500} alpha ${second}`,
      `${second * 1_000 + 600} beta ${second}`,
    ]);
    expect(format(range)).toBe([...expected.flat(), "60400 alpha 60", "61400 alpha 61"].join(", "));
    expect(range.notKept).toEqual([]);
  });

  test("Ticks wait while the database is unavailable; beyond a bound they are lost, and that is a time without ticks.", async () => {
    let isDown = false;
    const query = (...args: [string]) => {
      if (isDown) throw new Error("no database");
      return testDatabase.db.pool.query(...args);
    };
    const { quote, flushAt, writer } = open({ pool: { query } as unknown as Pool, maxWaitingBytes: 300 });
    await flushAt(0);
    quote(500, 1);
    await flushAt(1_000);
    isDown = true;
    quote(1_500, 2);
    await expect(flushAt(2_000)).rejects.toThrow("no database");
    isDown = false;
    await flushAt(3_000);
    expect(format(await read())).toBe("500 alpha 1, 1500 alpha 2");
    isDown = true;
    for (let second = 3; second < 20; second++) {
      quote(second * 1_000 + 500, second);
      await flushAt((second + 1) * 1_000).catch(() => {});
    }
    isDown = false;
    await flushAt(21_000);
    const range = await read();
    const [gap] = range.notKept;
    expect(range.notKept).toHaveLength(1);
    expect(gap?.fromMs).toBe(START + 3_000);
    expect(writer.counts.lost).toBeGreaterThan(3);
    expect(writer.counts).toEqual({
      stored: range.tapes.get("alpha")?.timesMs.length,
      lost: 19 - writer.counts.stored,
    });
    for (const tick of listTicks(range.tapes, false)) {
      const timeMs = tick.tape.timesMs[tick.at] as number;
      expect(timeMs < (gap?.fromMs ?? 0) || timeMs + 20 >= (gap?.toMs ?? 0)).toBe(true);
    }
  });

  test("Only ticks of the wanted symbols and categories are stored, and of the others it is said that none are.", async () => {
    const { quote, flushAt } = open({ names: ["crypto"] });
    await flushAt(0);
    quote(500, 1);
    quote(600, 0, "alpha", BTCUSD);
    await flushAt(1_000);
    expect(format(await read({ instrument: BTCUSD }))).toBe("600 alpha 0");
    expect(await read()).toMatchObject({ kept: null, notKept: [{ fromMs: START, toMs: START + 1_000 }] });
    const none = open({ names: [] });
    none.quote(1_500, 3, "alpha", BTCUSD);
    await none.flushAt(2_000);
    expect(await countRows("tape_run")).toBe(1);
  });

  test("A server without the lease stores nothing.", async () => {
    const { quote, writer } = open();
    quote(500, 1);
    await expect(writer.flush(fence - 1)).rejects.toThrow(LeaseLost);
    await expect(writer.flush(fence - 1)).rejects.toThrow(LeaseLost);
    expect([await countRows("tape_second"), await countRows("tape_run")]).toEqual([0, 0]);
  });
});

describe("the setting of wanted ticks", () => {
  test("Symbols in any spelling, categories and all are understood.", () => {
    const kept = readKeptTicks(["eur/usd", "Crypto"], catalogResolver);
    expect(kept.names).toEqual(["EURUSD", "crypto"]);
    expect([EURUSD, BTCUSD].map((each) => kept.has(each))).toEqual([true, true]);
    expect(kept.has(instrumentBySymbol.get("GBPUSD") as Instrument)).toBe(false);
    expect(readKeptTicks(["EURUSD", "ALL"], catalogResolver)).toMatchObject({ names: ["all"] });
    expect(readKeptTicks([], catalogResolver).has(EURUSD)).toBe(false);
  });

  test("Each other name is refused, with names near to it.", () => {
    expect(() => readKeptTicks(["EURUSDD", "metal", "EURUSD"], catalogResolver)).toThrow(
      /SPOTLINE_KEEP_TICKS: "EURUSDD" is neither[^\n]*EURUSD.*\n.*SPOTLINE_KEEP_TICKS: "metal" is neither.*did you mean metals/,
    );
  });
});
