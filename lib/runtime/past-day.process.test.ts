import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Heatmaps } from "@/lib/analytics/strength/heatmaps";
import { chooseEndpoint } from "@/lib/api/engine/as-of";
import type { Call } from "@/lib/api/engine/call";
import { findEndpoint } from "@/lib/api/engine/exchange";
import type { Services } from "@/lib/api/engine/services";
import { matchPath } from "@/lib/api/registry";
import { createBook } from "@/lib/book/book";
import { createIntake } from "@/lib/feeds/intake";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { readRecordedTicks } from "@/lib/feeds/replay/recording";
import { AsOf } from "@/lib/history/as-of/as-of";
import { BookLog } from "@/lib/history/as-of/book-log";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { appendSeconds, openJournalHour } from "@/lib/history/journal";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { Recorder } from "@/lib/history/recording/recorder";
import { instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { USUAL_SESSION_HOURS } from "@/lib/market/sessions/session-hours";
import { CITY_HOLIDAYS, createSessions } from "@/lib/market/sessions/sessions";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/**
 * The US payrolls of 2 May 2014, with the ticks of two brokers. A market clock passes every second of three hours and a
 * half. At a thousand of them all calls are answered as they are live, and once everything is stored again with `at`.
 */

const START_MS = Date.parse("2014-05-02T11:00:00Z");
const END_MS = START_MS + 3.5 * HOUR_MS;
const SECONDS = 1_000;
/** A reading of closed bars changes each minute. */
const LEAST_ANSWERS = 60;
const SOURCES = [
  { name: "oanda", mode: "live" },
  { name: "fxcm", mode: "live" },
] as const;
const CALLS = [
  "GET /v1/quote?symbol=EURUSD&include_sources=true",
  "GET /v1/quote?symbol=NZDUSD",
  "POST /v1/quotes",
  "GET /v1/symbols?search=USD&limit=200",
  "GET /v1/indicator?symbol=EURUSD&indicator=RSI_14&timeframe=M1",
  "GET /v1/indicators?symbol=EURUSD&timeframe=M1",
  "GET /v1/multi?symbols=EURUSD,NZDUSD&indicators=EMA_20,OBV,MACD_main,CCI_14&timeframe=M1",
  "GET /v1/screener?indicator=RSI_14&timeframe=M5&limit=200",
  "GET /v1/summary?symbol=NZDUSD&timeframe=M1",
  "GET /v1/spread?symbol=EURUSD&period=1h&include=percentiles&series=15m",
  "GET /v1/spread/compare?symbols=EURUSD,NZDUSD&period=24h",
];
const BODY = { symbols: ["EURUSD", "NZDUSD", "gold"], include_sources: true };

const realData = findRealData();

/** A thousand seconds, the same ones each time. */
function chooseSeconds(): ReadonlySet<number> {
  const chosen = new Set<number>();
  let state = 20_140_502;
  while (chosen.size < SECONDS) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    chosen.add(START_MS + Math.ceil((state / 2 ** 31) * ((END_MS - START_MS) / SECOND_MS)) * SECOND_MS);
  }
  return chosen;
}

/** What a call answers: its status, or the code of its error, with the headers that tell of the price and its body. */
async function answer(services: Services, call: string, at?: number): Promise<string> {
  const [method = "", address = ""] = call.split(" ");
  const { pathname, searchParams } = new URL(address, "http://localhost");
  if (at !== undefined) searchParams.set("at", String(at));
  const search = searchParams.toString();
  const match = matchPath(pathname);
  const found = match === null ? null : findEndpoint(match, method);
  if (found === null) throw new Error(`${call} has no endpoint`);
  const endpoint = chooseEndpoint(found, { search });
  const query = endpoint.query.parse(Object.fromEntries(searchParams));
  const body = endpoint.body?.parse(BODY) ?? null;
  const request = { query, body, segment: "", key: null, isTable: false, call: {} as Call, services };
  try {
    const handled = await endpoint.handle(request);
    const headers = (handled.headers ?? "")
      .split("\r\n")
      .filter((line) => /^X-Quote/i.test(line))
      .sort();
    return [handled.status ?? 200, ...headers, Buffer.from(handled.body).toString()].join("\n");
  } catch (error) {
    return `${(error as { code?: string }).code ?? String(error)}`;
  }
}

describe.skipIf(realData === undefined)("a recorded day of two brokers", () => {
  let testDatabase: TestDatabase;
  let services: Services;
  const live = new Map<number, readonly string[]>();

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    const { pool } = testDatabase.db;
    let nowMs = START_MS;
    const marketNow = () => nowMs;
    const book = createBook({ sources: SOURCES, now: marketNow });
    const sessions = createSessions({ hours: USUAL_SESSION_HOURS, holidays: CITY_HOLIDAYS });
    const keeper = new HistoryKeeper({ pool, instruments, sources: SOURCES, sessions, marketNow });
    const recorder = new Recorder({
      openHours: keeper.openHours,
      closedHours: [],
      marketNow,
      append: (rows) => appendSeconds(pool, FIRST_FENCE, rows),
      servedSource: book.servedSource,
      onRecorded: (rows, completeUntilMs) => keeper.onRecorded(rows, completeUntilMs),
    });
    const bookLog = new BookLog({ pool, findGapMs: book.findGapMs, marketNow, log: silentLog });
    const intake = createIntake({
      resolver: catalogResolver,
      sources: SOURCES,
      now: marketNow,
      onQuote(quote) {
        book.accept(quote);
        recorder.onQuote(quote);
        keeper.onQuote(quote);
        bookLog.onQuote(quote);
      },
    });
    const origins = { findMode: () => "live" as const };
    const asOf = new AsOf({
      ...{ pool, read: (work) => work(pool), history: keeper.history, origins, sessions },
      ...{ listSources: () => SOURCES, marketNow },
    });
    services = {
      ...{ book, sessions, origins, asOf, marketNow, now: marketNow, history: keeper.history, instruments },
      ...{ resolver: catalogResolver, database: testDatabase.db, heatmaps: new Heatmaps(keeper.history.bars) },
      ...{ gaps: { find: () => [] }, keepDays: { ticks: 9_999, m1: 9_999, m5: 9_999, spreads: 9_999 } },
    } as unknown as Services;

    const chosen = chooseSeconds();
    const dir = join(realData ?? "", "ticks/lean/Data");
    const ticks = readRecordedTicks({ dir, zones: { fxcm: "Etc/GMT+5" }, fromMs: START_MS });
    let next = ticks.next();
    await bookLog.flush(FIRST_FENCE);
    for (let atMs = START_MS + SECOND_MS; atMs <= END_MS; atMs += SECOND_MS) {
      if ((atMs - SECOND_MS) % HOUR_MS === 0) await openJournalHour(pool, atMs - SECOND_MS);
      for (; !next.done && next.value.timeMs < atMs; next = ticks.next()) {
        const { source, brokerSymbol, bid, ask, timeMs } = next.value;
        if (brokerSymbol === "xauusd") continue;
        nowMs = timeMs;
        intake.tick({ source, brokerSymbol, bid, ask, brokerTimeMs: timeMs, receivedAtMs: timeMs });
      }
      nowMs = atMs;
      await recorder.flush();
      // Once more, as without a quote in between the clock decides what is complete.
      await recorder.flush();
      if (chosen.has(atMs) || atMs % (10 * SECOND_MS) === 0) await bookLog.flush(FIRST_FENCE);
      if (!chosen.has(atMs)) continue;
      const answers = [];
      for (const call of CALLS) answers.push(await answer(services, call));
      live.set(atMs, answers);
      if (atMs % HOUR_MS === 0) await keeper.close(atMs - HOUR_MS, FIRST_FENCE);
    }
    await bookLog.flush(FIRST_FENCE);
    bookLog.end();
  }, 240_000);
  afterAll(() => testDatabase?.cleanup());

  test("All answers at a thousand seconds are those that were given live", async () => {
    const differences: string[] = [];
    const answered = CALLS.map(() => new Set<string>());
    for (const [atMs, answers] of live) {
      for (const [index, call] of CALLS.entries()) {
        const then = answers[index] ?? "";
        const past = await answer(services, call, atMs);
        if (past !== then) differences.push(`${call} at ${new Date(atMs).toISOString()}: ${then} became ${past}`);
        if (then.startsWith("200")) answered[index]?.add(then);
      }
    }
    expect(differences).toEqual([]);
    expect(live.size).toBe(SECONDS);
    // The answers change, most of them with each price.
    expect(answered.map(({ size }) => size > LEAST_ANSWERS)).toEqual(CALLS.map((call) => !call.includes("/symbols?")));
  });
});
