import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import {
  checkClock,
  checkDatabase,
  checkFeeds,
  checkPaces,
  checkRecording,
  checkRepeated,
} from "@/lib/api/service/component-checks";
import { HEALTHY } from "@/lib/api/service/health-check";
import { createBook } from "@/lib/book/book";
import type { RecordingStatus } from "@/lib/history/recording/recording";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { MINUTE_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const WEDNESDAY = Date.UTC(2026, 6, 15, 12);
const SATURDAY = Date.UTC(2026, 6, 18, 12);
const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;

describe("the database's check", () => {
  test("is ok while the database can be written to, and down while it is read-only", async () => {
    const { pool } = testDatabase.db;
    expect(await checkDatabase(pool)()).toEqual(HEALTHY);
    const readOnly = new pg.Pool({ ...pool.options, max: 1 });
    await readOnly.query("SET default_transaction_read_only = on");
    expect(await checkDatabase(readOnly)()).toEqual({ status: "down", detail: "it is read-only" });
    await readOnly.query("RESET default_transaction_read_only");
    await readOnly.end();
  });
});

describe("the recording's check", () => {
  function setUp() {
    const status = {
      recorded: 0,
      merged: 0,
      repeated: 0,
      tooLate: 3,
      dropped: 0,
      setAside: 0,
      standbyFor: null,
      silenceMs: 0,
    };
    const state: { nowMs: number; status: RecordingStatus } = { nowMs: 0, status };
    const check = checkRecording(
      () => state.status,
      () => state.nowMs,
    );
    return {
      state,
      check,
      change: (change: Partial<RecordingStatus>) => (state.status = { ...state.status, ...change }),
    };
  }

  test("is down when nothing could be written for a while", async () => {
    const { check, change } = setUp();
    change({ silenceMs: 14_999 });
    expect(await check()).toEqual(HEALTHY);
    change({ silenceMs: 20_500 });
    expect(await check()).toEqual({ status: "down", detail: "nothing was written for 20 s" });
  });

  test("is ok on a standby that follows its recorder, and down on one that cannot", async () => {
    const { check, change } = setUp();
    change({ standbyFor: "another server" });
    expect(await check()).toEqual(HEALTHY);
    change({ silenceMs: 15_000 });
    expect(await check()).toEqual({ status: "down", detail: "the journal was not read for 15 s" });
  });

  test.each(["tooLate", "dropped"] as const)("is degraded for a minute after `%s` has grown", async (count) => {
    const { state, check, change } = setUp();
    expect(await check()).toEqual(HEALTHY);
    change({ [count]: 5_048 });
    expect((await check()).status).toBe("degraded");
    state.nowMs = MINUTE_MS - 1;
    expect((await check()).status).toBe("degraded");
    state.nowMs = MINUTE_MS;
    expect(await check()).toEqual(HEALTHY);
  });
});

describe("the feeds' check", () => {
  function setUp(startMs: number) {
    const state = { nowMs: startMs, silenceMs: 0 };
    const book = createBook({ sources: [{ name: "a", mode: "live" }], now: () => state.nowMs });
    const quote = () => book.accept({ source: "a", instrument: EURUSD, bid: 1.1, ask: 1.2, timeMs: state.nowMs });
    return { state, quote, check: checkFeeds({ book, instruments, getSilenceMs: () => state.silenceMs }) };
  }
  const wait = ({ state }: ReturnType<typeof setUp>, ms: number) => {
    state.nowMs += ms;
    state.silenceMs += ms;
  };

  test("is down without a price, degraded without a live one, and down after minutes without any", async () => {
    const feeds = setUp(WEDNESDAY);
    expect((await feeds.check()).status).toBe("down");
    feeds.quote();
    expect(await feeds.check()).toEqual(HEALTHY);
    wait(feeds, MINUTE_MS);
    expect((await feeds.check()).status).toBe("degraded");
    wait(feeds, 4 * MINUTE_MS);
    expect(await feeds.check()).toEqual({
      status: "down",
      detail: "no price has come from any source for 300 s",
    });
  });

  test("is ok while all markets are closed", async () => {
    const feeds = setUp(SATURDAY);
    feeds.quote();
    wait(feeds, 60 * MINUTE_MS);
    expect(await feeds.check()).toEqual(HEALTHY);
  });
});

test("Sources are degraded while one with an expected rate is slow or down", async () => {
  const check = (health: string, expectedPerMinute: number | null) =>
    checkPaces(() => [{ source: "kraken", health, lastMinute: 3, expectedPerMinute }])();
  expect(await check("slow", 60)).toEqual({
    status: "degraded",
    detail: "kraken sent 3 prices in the last minute; 60 are usual",
  });
  expect((await check("down", 60)).status).toBe("degraded");
  for (const health of ["ok", "closed", "paused"]) expect(await check(health, 60)).toEqual(HEALTHY);
  expect(await check("down", null)).toEqual(HEALTHY);
});

test("Repeated work is down after fifteen seconds without success", async () => {
  const check = (silenceMs: number) => checkRepeated({ getSilenceMs: () => silenceMs }, "keys were not read")();
  expect(await check(14_999)).toEqual(HEALTHY);
  expect(await check(15_000)).toEqual({ status: "down", detail: "keys were not read for 15 s" });
});

test("The clock is degraded while the system clock is not followed", async () => {
  expect(await checkClock(() => false)()).toEqual(HEALTHY);
  expect((await checkClock(() => true)()).status).toBe("degraded");
});
