import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FeedSource, FetchPast } from "@/lib/feeds/feed";
import { readBars } from "@/lib/history/bars/bar-rows";
import { type SeenSource, UnfilledGaps } from "@/lib/history/gaps/gap-rows";
import { GapTracker, type GapWatch, openGapWatch } from "@/lib/history/gaps/gap-watch";
import { createPast, EURUSD, GAP, row, START } from "@/lib/history/gaps/recorded-hour.fixture";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { FIRST_FENCE, journalRows } from "@/lib/history/recording/lease.fixture";
import { acquireLease, LeaseLost } from "@/lib/history/recording/recorder-lease";
import { readHour } from "@/lib/history/ticks/tick-history";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import type { StoredTimeframe } from "@/lib/market/timeframe";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

describe("the gaps of a recorded source", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => void (testDatabase = await openTestDatabase()));
  afterAll(() => testDatabase.cleanup());

  const state = { nowMs: 0, fence: FIRST_FENCE as number | null };
  let past: FetchPast | undefined;
  const requests: [symbol: string, fromMs: number, toMs: number][] = [];
  const fetchPast: FetchPast = async function* (symbol, fromMs, toMs) {
    requests.push([symbol, fromMs, toMs]);
    if (symbol === "EURUSD") yield* createPast(START, START + HOUR_MS);
  };
  const getPool = () => testDatabase.db.pool;
  const openWatch = (monotonic = () => 0) =>
    openGapWatch({
      ...{ pool: getPool(), sources: [{ name: "oanda", mode: "live" }], log: silentLog },
      readFence() {
        if (state.fence === null) throw new LeaseLost();
        return state.fence;
      },
      ...{ findPast: () => past, listPriority: () => ["oanda"], now: () => state.nowMs },
      ...{ monotonic, spreadsFromMs: () => 0, keptFromMs: () => START - 90 * 24 * HOUR_MS },
    });
  const quote = (watch: GapWatch, atMs: number, instrument = EURUSD) =>
    watch.onQuote({ source: "oanda", instrument, bid: 1, ask: 2, timeMs: atMs, receivedAtMs: atMs });
  const readUnfilled = async () => {
    const gaps = new UnfilledGaps({ pool: getPool(), log: silentLog });
    await gaps.load();
    return gaps;
  };
  const readSeconds = async () => [...((await readHour(getPool(), "EURUSD", START))?.seconds ?? [])];
  const readTimeframe = async (timeframe: StoredTimeframe) =>
    (await readBars(getPool(), { symbols: ["EURUSD"], timeframe, limit: 1e3, pick: "first" })).get("EURUSD") ?? [];

  /** Rises with every change that processes must read again. */
  const readImports = async () => {
    const { rows } = await getPool().query<{ imports: number }>("SELECT imports FROM history_revision");
    return rows[0]?.imports ?? 0;
  };

  /** Loses the connection for the gap, and stores that. */
  async function lose(symbols: readonly Instrument[] = [EURUSD]): Promise<GapWatch> {
    const watch = await openWatch();
    for (const instrument of symbols) quote(watch, GAP.fromMs, instrument);
    watch.onLoss("oanda", "disconnected");
    quote(watch, GAP.toMs);
    await watch.store();
    return watch;
  }

  /** Records the hour around the gap. The rows at its ends are the last one before and the first one after. */
  async function record(rows = [row(60, 108_000), row(90, 108_001, 4), row(270, 108_002, 5), row(275, 108_003)]) {
    const keeper = new HistoryKeeper({ pool: getPool(), instruments, marketNow: () => START + HOUR_MS });
    await journalRows(getPool(), rows);
    keeper.onRecorded(rows, START + HOUR_MS);
    return { close: () => keeper.close(START, FIRST_FENCE) };
  }

  beforeEach(async () => {
    const tables = [
      "source_gap",
      "source_seen",
      "import_hour",
      "tick_hour",
      "spread_hour",
      "bar",
      "bar_memory",
      "closed_hour",
    ];
    for (const table of tables) await getPool().query(`DELETE FROM ${table}`);
    await getPool().query("UPDATE recorder_lease SET fence = $1", [FIRST_FENCE]);
    Object.assign(state, { nowMs: START + 2 * HOUR_MS, fence: FIRST_FENCE });
    past = fetchPast;
    requests.length = 0;
  });

  test("are filled within a recorded hour to the second, and no recorded second is changed", async () => {
    await (await record()).close();
    const before = await readHour(getPool(), "EURUSD", START);
    const imports = await readImports();
    const watch = await lose();
    expect((await readUnfilled()).find("EURUSD", START, START + HOUR_MS)).toEqual([
      { source: "oanda", reason: "disconnected", ...GAP },
    ]);
    await watch.fill();
    expect(requests).toEqual([["EURUSD", GAP.fromMs, GAP.toMs]]);
    const missed = Array.from({ length: 35 }, (_, at) => 95 + 5 * at);
    expect(await readSeconds()).toEqual([60, 90, ...missed, 270, 275]);
    const after = await readHour(getPool(), "EURUSD", START);
    const recorded = [60, 90, 270, 275].map((second) => after?.bid[after.seconds.indexOf(second)]);
    expect(recorded).toEqual([...(before?.bid ?? [])]);
    const m1 = await readTimeframe("M1");
    const volumes = m1.map(({ timeMs, volume }) => [(timeMs - START) / MINUTE_MS, volume]);
    const [venueRows, eachVolume] = [12, 3];
    expect(volumes).toEqual([
      [1, 1 + 4 + 5 * eachVolume],
      [2, venueRows * eachVolume],
      [3, venueRows * eachVolume],
      [4, 6 * eachVolume + 5 + 1],
    ]);
    expect(m1[0]).toMatchObject({ open: 108_000, close: 108_115 });
    expect(m1.at(-1)).toMatchObject({ open: 108_240, close: 108_003 });
    expect(await readTimeframe("H1")).toMatchObject([{ open: 108_000, close: 108_003 }]);
    expect(await readTimeframe("D1")).toHaveLength(1);
    expect(await readImports()).toBe(imports + 1);
    const unfilled = await readUnfilled();
    expect(unfilled.find("EURUSD", START, START + HOUR_MS)).toEqual([]);
    expect(unfilled.summarise("oanda")).toEqual({ count: 0, latest: [] });
    await watch.fill();
    expect(requests).toHaveLength(1);
  });

  test("wait until their hour is closed", async () => {
    state.nowMs = START + 30 * MINUTE_MS;
    const hour = await record();
    const watch = await lose();
    await watch.fill();
    state.nowMs = START + HOUR_MS + 90 * SECOND_MS;
    await watch.fill();
    expect(requests).toEqual([]);
    state.nowMs = START + HOUR_MS + 3 * MINUTE_MS;
    await watch.fill();
    expect((await readUnfilled()).summarise("oanda").count).toBe(1);
    await hour.close();
    state.nowMs += 3 * MINUTE_MS;
    await watch.fill();
    expect((await readUnfilled()).summarise("oanda").count).toBe(0);
    expect(await readSeconds()).toHaveLength(39);
  });

  test("are not filled between the seconds of another source that was served meanwhile", async () => {
    await (
      await record([row(60, 108_000), row(90, 108_001), row(120, 107_000), row(200, 107_001), row(270, 108_002)])
    ).close();
    const watch = await lose();
    await watch.fill();
    const seconds = await readSeconds();
    expect(seconds.filter((second) => second > 120 && second < 200)).toEqual([]);
    expect(seconds).toEqual(expect.arrayContaining([95, 115, 120, 200, 205, 265]));
  });

  test("are marked where the source has no history, or none of that symbol", async () => {
    await (await record()).close();
    const gold = instrumentBySymbol.get("XAUUSD") as Instrument;
    const watch = await lose([EURUSD, gold]);
    await watch.fill();
    const unfilled = await readUnfilled();
    expect(unfilled.find("EURUSD", START, START + HOUR_MS)).toEqual([]);
    expect(unfilled.find("XAUUSD", GAP.fromMs + 1_000, GAP.fromMs + 2_000)).toEqual([
      { source: "oanda", reason: "disconnected", fromMs: GAP.fromMs + 1_000, toMs: GAP.fromMs + 2_000 },
    ]);
    expect(unfilled.find("XAUUSD", GAP.toMs, GAP.toMs + 2_000)).toEqual([]);
    await getPool().query("DELETE FROM source_gap");
    past = undefined;
    await (await lose()).fill();
    expect((await readUnfilled()).summarise("oanda")).toEqual({
      count: 1,
      latest: [{ source: "oanda", reason: "disconnected", ...GAP }],
    });
  });

  test("are tried again with longer and longer pauses, and continued by the next start", async () => {
    await (await record()).close();
    const gold = instrumentBySymbol.get("XAUUSD") as Instrument;
    let fails = true;
    past = async function* (symbol, ...more) {
      if (fails && symbol === "XAUUSD") throw new Error("the venue is busy");
      yield* fetchPast(symbol, ...more);
    };
    await (await lose([EURUSD, gold])).fill();
    expect(requests).toHaveLength(1);
    const next = await openWatch();
    await next.fill();
    state.nowMs += 9 * SECOND_MS;
    await next.fill();
    state.nowMs += SECOND_MS;
    await next.fill();
    fails = false;
    state.nowMs += 19 * SECOND_MS;
    await next.fill();
    expect(requests).toHaveLength(1);
    state.nowMs += SECOND_MS;
    await next.fill();
    expect(requests.map(([symbol]) => symbol)).toEqual(["EURUSD", "XAUUSD"]);
    expect(await readSeconds()).toHaveLength(39);
  });

  test("include the pauses of a process, which a watch finds at its next price", async () => {
    let elapsedMs = 0;
    const watch = await openWatch(() => elapsedMs);
    quote(watch, START);
    for (let at = 0; at < 9; at++) quote(watch, START + (elapsedMs += 400));
    elapsedMs += 14_000;
    quote(watch, START + elapsedMs);
    await watch.store();
    expect((await readUnfilled()).summarise("oanda").latest).toEqual([
      { source: "oanda", reason: "stopped", fromMs: START + 3_600, toMs: START + 17_600 },
    ]);
  });

  test("include the time between two runs of the server", async () => {
    const first = await openWatch();
    quote(first, START);
    await first.stop();
    const second = await openWatch();
    quote(second, START + 10 * MINUTE_MS);
    await second.store();
    expect((await readUnfilled()).summarise("oanda").latest).toEqual([
      { source: "oanda", reason: "stopped", fromMs: START, toMs: START + 10 * MINUTE_MS },
    ]);
  });

  test("are left to the recorder by a standby", async () => {
    state.fence = null;
    const standby = await lose();
    await standby.fill();
    state.fence = FIRST_FENCE + 1;
    const loser = await lose();
    state.fence = FIRST_FENCE;
    await standby.store();
    expect((await readUnfilled()).summarise("oanda").count).toBe(0);
    await loser.store();
    expect((await readUnfilled()).summarise("oanda").count).toBe(0);
  });

  test("keep what the next recorder noted when the one before it was paused while it fetched", async () => {
    await (await record()).close();
    let onFetch = async () => {};
    past = async function* () {
      await onFetch();
      yield* [];
    };
    const paused = await lose();
    onFetch = async () => {
      onFetch = async () => {};
      past = fetchPast;
      state.fence = await acquireLease(getPool(), "another server", true);
      await (await openWatch()).fill();
      expect((await readUnfilled()).summarise("oanda").count).toBe(0);
    };
    await paused.fill();
    expect((await readUnfilled()).summarise("oanda").count).toBe(0);
  });
});

const WEDNESDAY = Date.UTC(2026, 0, 14, 14);
/** 17:00 in New York. */
const FRIDAY_CLOSE = Date.UTC(2026, 0, 16, 22);
const SUNDAY_OPENING = Date.UTC(2026, 0, 18, 22);
const SOURCES: readonly FeedSource[] = [
  { name: "oanda", mode: "live" },
  { name: "alpha", mode: "simulated" },
];

function open(seen: readonly SeenSource[] = []) {
  const tracker = new GapTracker(SOURCES, seen);
  const quote = (atMs: number, symbol = "EURUSD", source = "oanda") => {
    const instrument = instrumentBySymbol.get(symbol) as Instrument;
    tracker.onQuote({ source, instrument, bid: 1, ask: 2, timeMs: atMs, receivedAtMs: atMs });
  };
  const take = () => tracker.take().map(({ fromMs, toMs, reason }) => [reason, fromMs, toMs]);
  return { tracker, quote, take };
}

describe("the gaps of a source", () => {
  test("begin at its last price before a loss and end at its first one after, and have the first reason", () => {
    const { tracker, quote } = open();
    for (let at = 0; at <= 10; at++) quote(WEDNESDAY + at * 100, at % 2 === 0 ? "EURUSD" : "USDJPY");
    tracker.onLoss("oanda", "disconnected");
    tracker.onLoss("oanda", "paused");
    quote(WEDNESDAY + MINUTE_MS);
    expect(tracker.take()).toEqual([
      {
        ...{ source: "oanda", reason: "disconnected", symbols: ["EURUSD", "USDJPY"] },
        ...{ fromMs: WEDNESDAY + 1_000, toMs: WEDNESDAY + MINUTE_MS, lostUntilMs: Infinity },
      },
    ]);
    quote(WEDNESDAY + HOUR_MS);
    expect(tracker.take()).toEqual([]);
  });

  test("are none if they are shorter than five seconds, or than ten usual pauses", () => {
    const { tracker, quote, take } = open();
    quote(WEDNESDAY);
    quote(WEDNESDAY + 100);
    tracker.onLoss("oanda", "disconnected");
    quote(WEDNESDAY + 5_000);
    expect(take()).toEqual([]);
    let atMs = WEDNESDAY + 5_000;
    for (let count = 0; count < 20; count++) quote((atMs += 10 * SECOND_MS));
    tracker.onLoss("oanda", "disconnected");
    quote((atMs += 90 * SECOND_MS));
    expect(take()).toEqual([]);
    for (let count = 0; count < 20; count++) quote((atMs += 10 * SECOND_MS));
    tracker.onLoss("oanda", "disconnected");
    quote(atMs + 2 * MINUTE_MS);
    expect(take()).toEqual([["disconnected", atMs, atMs + 2 * MINUTE_MS]]);
  });

  test("are only in the hours of an open market: a weekend is none", () => {
    const { tracker, quote, take } = open();
    quote(FRIDAY_CLOSE - 10 * SECOND_MS);
    tracker.onLoss("oanda", "disconnected");
    const opening = [0, 5, 10].map((minutes) => SUNDAY_OPENING + minutes * MINUTE_MS);
    quote((opening[0] as number) + 20 * SECOND_MS);
    expect(take()).toEqual([]);
    tracker.onLoss("oanda", "paused");
    quote(WEDNESDAY + 7 * 24 * HOUR_MS, "EURUSD");
    expect(take().length).toBeGreaterThan(0);
  });

  test("of a source that also quotes coins go through the weekend", () => {
    const { tracker, quote, take } = open();
    const saturday = FRIDAY_CLOSE + 10 * HOUR_MS;
    quote(saturday, "BTCUSD");
    tracker.onLoss("oanda", "disconnected");
    quote(saturday + HOUR_MS, "BTCUSD");
    expect(take()).toEqual([["disconnected", saturday, saturday + HOUR_MS]]);
  });

  test("of a simulated source are lost until the back-fill begins: in a start's hour, and in whole hours before", () => {
    const start = (seenMs: number, toMs: number, reason: SeenSource["reason"] = null) => {
      const { tracker, quote } = open([{ source: "alpha", symbols: ["EURUSD"], seenMs, reason }]);
      quote(toMs, "EURUSD", "alpha");
      return tracker.take().map(({ fromMs, lostUntilMs }) => (lostUntilMs - fromMs) / MINUTE_MS);
    };
    expect(start(WEDNESDAY, WEDNESDAY + 20 * MINUTE_MS)).toEqual([0]);
    expect(start(WEDNESDAY + 50 * MINUTE_MS, WEDNESDAY + 190 * MINUTE_MS)).toEqual([10]);
    expect(start(WEDNESDAY, WEDNESDAY + 20 * MINUTE_MS, "paused")).toEqual([20]);
  });

  test("include the time in which the process was paused", () => {
    const { tracker, quote, take } = open();
    for (const source of ["oanda", "alpha"]) quote(WEDNESDAY, "EURUSD", source);
    tracker.onPause();
    for (const source of ["oanda", "alpha"]) quote(WEDNESDAY + 14_000, "EURUSD", source);
    expect(take()).toEqual(Array.from({ length: 2 }, () => ["stopped", WEDNESDAY, WEDNESDAY + 14_000]));
  });

  test("include the time in which no server ran, for a source that is still set up", () => {
    const seen = { seenMs: WEDNESDAY, symbols: ["EURUSD"], reason: null };
    const before = [
      { ...seen, source: "oanda" },
      { ...seen, source: "removed" },
    ];
    const { tracker, quote, take } = open(before);
    quote(WEDNESDAY + HOUR_MS);
    quote(WEDNESDAY + HOUR_MS, "EURUSD", "alpha");
    quote(WEDNESDAY + HOUR_MS, "EURUSD", "removed");
    expect(take()).toEqual([["stopped", WEDNESDAY, WEDNESDAY + HOUR_MS]]);
    expect(tracker.listSeen()[0]).toEqual({ ...seen, source: "oanda", seenMs: WEDNESDAY + HOUR_MS });
  });

  test("are not reported while the clock is set back, or for a source that was removed", () => {
    const { tracker, quote, take } = open();
    quote(WEDNESDAY);
    tracker.onLoss("oanda", "disconnected");
    quote(WEDNESDAY - HOUR_MS);
    tracker.onLoss("oanda", "disconnected");
    tracker.setSources([]);
    quote(WEDNESDAY + HOUR_MS);
    expect(take()).toEqual([]);
  });
});
