import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readIndicators } from "@/features/indicators/data";
import { readBarPage } from "@/features/symbols/read-bars";
import { listShortMembers } from "@/lib/analytics/indicators/family.fixture";
import { findIndicator, indicatorFamilies, indicators } from "@/lib/analytics/indicators/registry";
import { runIndicator } from "@/lib/analytics/indicators/run";
import type { Endpoint, HandlerRequest } from "@/lib/api/engine/endpoint";
import { indicator } from "@/lib/api/indicators/indicator";
import { indicatorHistory } from "@/lib/api/indicators/indicator-history";
import { isDefinedFor } from "@/lib/api/indicators/indicator-lookup";
import { indicators as allAtOnce } from "@/lib/api/indicators/indicators";
import { roundReading } from "@/lib/api/indicators/latest-values";
import { multi } from "@/lib/api/indicators/multi";
import {
  barsOf,
  COUNT,
  instruments,
  KEPT_DAYS,
  lengths,
  NOW,
  type Tested,
  timeframes,
  valuesOf,
  WHOLE,
} from "@/lib/api/indicators/one-value.fixture";
import { screener } from "@/lib/api/indicators/screener";
import { createBook } from "@/lib/book/book";
import { forgetBars, rememberBars } from "@/lib/history/bars/bar-memory";
import { insertBars } from "@/lib/history/bars/bar-rows";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { removeExpired } from "@/lib/history/retention";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { createResolver } from "@/lib/market/resolver";
import { getBarStart } from "@/lib/market/timeframe";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { formatBarTime } from "@/lib/time/iso-time";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

/** Every answer that shows an indicator at a bar must show the one value computed from the first bar ever recorded. */

/** The bars of M5 that retention removes in these tests. */
const removed = Math.ceil((COUNT * lengths.M5 - KEPT_DAYS * DAY_MS) / lengths.M5);

describe("indicators", () => {
  let services: unknown;
  let keeper: HistoryKeeper;

  beforeAll(async () => {
    const { pool } = testDatabase.db;
    const client = await pool.connect();
    for (const { symbol, digits } of instruments) {
      for (const timeframe of timeframes) {
        const points = (price: number) => Math.round(price * 10 ** digits);
        const rows = barsOf(symbol, timeframe).map(({ timeMs, open, high, low, close, volume }) => {
          const prices = { open: points(open), high: points(high), low: points(low), close: points(close) };
          return { symbol, timeframe, timeMs, digits, ...prices, volume };
        });
        await insertBars(client, rows, "replace");
      }
    }
    client.release();
    open();
  });

  /** Starts with nothing in memory, as a new process does. */
  function open(): void {
    const { pool } = testDatabase.db;
    keeper = new HistoryKeeper({ pool, instruments, marketNow: () => NOW });
    keeper.onRecorded([], NOW);
    const book = createBook({ sources: [{ name: "alpha", mode: "live" }], now: () => NOW });
    for (const instrument of instruments) {
      book.accept({ source: "alpha", instrument, bid: 1, ask: 1, timeMs: NOW });
    }
    const marketNow = () => NOW;
    services = {
      history: keeper.history,
      instruments,
      origins: { findMode: () => "live" },
      resolver: createResolver(instruments),
      book,
      now: marketNow,
      marketNow,
      keepDays: { ticks: 10, m1: 20, m5: 30, spreads: 40 },
    };
  }

  async function ask<Data>(endpoint: Endpoint, query: Record<string, unknown>): Promise<Data> {
    const parsed = (endpoint.query as unknown as { parse(query: unknown): unknown }).parse(query);
    const request = { query: parsed, key: null, call: { path: endpoint.path, search: "" }, services };
    const { body } = await endpoint.handle(request as unknown as HandlerRequest<never, never>);
    const reply = JSON.parse(Buffer.from(body as string).toString()) as { data?: Data };
    return reply.data ?? (reply as Data);
  }

  async function expectLatest(symbol: string, timeframe: Tested): Promise<void> {
    const all = await ask<{ indicators: Record<string, number> }>(allAtOnce, { symbol, timeframe });
    const several = await ask<{ data: Record<string, Record<string, number>> }>(multi, {
      symbols: symbol,
      indicators: indicators.map(({ name }) => name).join(),
      timeframe,
    });
    const runtime = services as Parameters<typeof readIndicators>[0];
    const page = await readIndicators(runtime, instrumentBySymbol.get(symbol) as Instrument, timeframe);
    const lines = new Map(page.groups.flatMap((group) => group.lines).map((line) => [line.name, line.value]));
    for (const definition of indicators) {
      const { name } = definition;
      const value = valuesOf(symbol, timeframe, name).at(-1) ?? null;
      const one = await ask<{ value: number }>(indicator, { symbol, indicator: name, timeframe });
      const screened = await ask<{ results: { symbol: string; value: number }[] }>(screener, {
        indicator: name,
        timeframe,
      });
      const found = screened.results.find((row) => row.symbol === symbol)?.value;
      expect([one.value, all.indicators[name], several.data[symbol]?.[name], found], name).toEqual(
        Array.from({ length: 4 }, () => value),
      );
      const shown = Number(lines.get(name)?.replace(/[,\s]/g, ""));
      expect(Math.abs(shown - (value ?? 0)), name).toBeLessThanOrEqual(definition.decimals === "volume" ? 0.5 : 0);
    }
  }

  async function expectRange(
    symbol: string,
    timeframe: Tested,
    at: number,
    count: number,
    name: string,
  ): Promise<void> {
    const bars = barsOf(symbol, timeframe);
    const from = formatBarTime(bars[at]?.timeMs ?? 0);
    const to = formatBarTime((bars[at]?.timeMs ?? 0) + count * lengths[timeframe]);
    const wanted = bars.slice(at, at + count).map(({ timeMs }, offset) => {
      return { time: formatBarTime(timeMs), value: valuesOf(symbol, timeframe, name)[at + offset] };
    });
    const query = { symbol, indicator: name, timeframe };
    const ranges = [
      { from, to },
      { from, limit: `${count}` },
      { to, limit: `${count}` },
    ];
    for (const range of ranges) {
      expect((await ask<{ series: unknown }>(indicatorHistory, { ...query, ...range })).series, name).toEqual(wanted);
    }
    const past = await ask<{ data: Record<string, Record<string, unknown>[]> }>(multi, {
      symbols: symbol,
      indicators: name,
      timeframe,
      from,
      to,
    });
    const rows = wanted.map(({ time, value }) => ({ time, [name]: value }));
    expect(past.data[symbol], name).toEqual(rows);
  }

  const anyRange = fc.record({
    instrument: fc.constantFrom(...instruments),
    at: fc.nat(COUNT - 1),
    count: fc.integer({ min: 1, max: 40 }),
    shift: fc.nat(indicators.length - 1),
  });

  async function expectAnyRanges(timeframe: Tested, firstAt: number, runs: number): Promise<void> {
    await fc.assert(
      fc.asyncProperty(anyRange, async ({ instrument: { symbol }, at, count, shift }) => {
        const start = Math.max(firstAt, at);
        const name = indicators[shift]?.name ?? "";
        await expectRange(symbol, timeframe, start, Math.min(count, COUNT - start), name);
      }),
      { numRuns: runs },
    );
  }

  test("The values at the latest bar are the same in every answer and on the page", async () => {
    for (const timeframe of WHOLE) for (const { symbol } of instruments) await expectLatest(symbol, timeframe);
  });

  test("The values at a past bar do not depend on the range that is read", async () => {
    for (const timeframe of WHOLE)
      for (const name of ["OBV", "AD", "EMA_50", "SAR"]) await expectRange("EURUSD", timeframe, 700, 25, name);
    await expectAnyRanges("H1", 0, 10);
  });

  test("A series of a flat reading has the same values", async () => {
    for (const name of ["Williams_R_14", "SAR", "CCI_14", "TEMA_20"]) {
      const { series } = await ask<{ series: { value: number }[] }>(indicator, {
        symbol: "EURUSD",
        indicator: name,
        timeframe: "H1",
        bars: "500",
      });
      const canonical = name === "Williams_R_14" ? "WilliamsR_14" : name;
      expect(series.map(({ value }) => value)).toEqual(valuesOf("EURUSD", "H1", canonical).slice(-500));
    }
  });

  test("Each of the 42 has one value at a bar, also once bars are remembered, and in another process", async () => {
    await rememberBars(testDatabase.db.pool, instruments, keeper.findGrowthStarts());
    const memories = await testDatabase.db.pool.query("SELECT DISTINCT time FROM bar_memory WHERE timeframe = 60");
    expect(memories.rowCount).toBe(Math.floor(COUNT / 500));
    open();
    for (const { symbol } of instruments) await expectLatest(symbol, "H1");
    for (const [at, { name }] of indicators.entries()) await expectRange("EURUSD", "H1", 50 * at, 25, name);
    await expectAnyRanges("H1", 0, 20);
  });

  test("The values stay when old bars are removed, again and again", async () => {
    const { pool } = testDatabase.db;
    const keepDays = { ticks: 90, m1: 90, m5: KEPT_DAYS, spreads: 90 };
    for (const nowMs of [NOW - 12 * HOUR_MS, NOW - HOUR_MS, NOW]) {
      await removeExpired({ pool, instruments, keepDays, nowMs });
    }
    open();
    const { rows } = await pool.query(
      "SELECT count(*)::int AS left FROM bar WHERE timeframe = 5 AND symbol = 'EURUSD'",
    );
    expect(rows).toEqual([{ left: COUNT - removed }]);
    for (const { symbol } of instruments) await expectLatest(symbol, "M5");
    const slowest = Math.max(...indicators.filter(({ isEndless }) => !isEndless).map(({ warmUp }) => warmUp));
    await expectAnyRanges("M5", removed + slowest, 20);
    for (const { name, isEndless } of indicators) if (isEndless) await expectRange("EURUSD", "M5", removed, 20, name);
  });

  test("A member of a family has one value at a bar in every answer and on the chart, however long its periods are", async () => {
    open();
    const long = ["EMA_200", "EMA_34", "RSI_100", "SMA_333", "MACD_50_200_9_hist"];
    const names = [...long, ...indicatorFamilies.flatMap((each) => listShortMembers(each).slice(0, 1))].filter(
      (name) => {
        const definition = findIndicator(name);
        return definition?.isEndless !== true && isDefinedFor(definition!, "H1");
      },
    );
    const [symbol, timeframe] = ["EURUSD", "H1"] as const;
    const several: Record<string, number> = {};
    for (let at = 0; at < names.length; at += 50) {
      const query = { symbols: symbol, indicators: names.slice(at, at + 50).join(), timeframe };
      const { data } = await ask<{ data: Record<string, Record<string, number>> }>(multi, query);
      Object.assign(several, data[symbol]);
    }
    for (const [at, name] of names.entries()) {
      const value = valuesOf(symbol, timeframe, name).at(-1) ?? null;
      const { results } = await ask<{ results: { symbol: string; value: number }[] }>(screener, {
        indicator: name,
        timeframe,
      });
      const screened = results.find((row) => row.symbol === symbol)?.value ?? null;
      const one =
        value === null ? null : await ask<{ value: number }>(indicator, { symbol, indicator: name, timeframe });
      expect([one?.value ?? null, several[name], screened], name).toEqual([value, value, value]);
      const { bars, values } = await readBarPage(keeper.history, instruments[0] as Instrument, {
        timeframe,
        price: "bid",
        indicators: [name],
        beforeMs: null,
        fromMs: null,
        limit: 5,
      });
      expect(values[name], name).toEqual(valuesOf(symbol, timeframe, name).slice(-bars.length));
      await expectRange(symbol, timeframe, (97 * at) % (COUNT - 25), 25, name);
    }
  });

  test("A change of a bar reaches every later value", async () => {
    const hour = barsOf("EURUSD", "H1")[1_200]?.timeMs ?? 0;
    const { pool } = testDatabase.db;
    const changed = barsOf("EURUSD", "H1").map((bar) =>
      bar.timeMs === hour ? { ...bar, volume: bar.volume + 7 } : bar,
    );
    await pool.query("UPDATE bar SET volume = volume + 7 WHERE symbol = 'EURUSD' AND timeframe = 60 AND time = $1", [
      hour / 1000,
    ]);
    const client = await pool.connect();
    await forgetBars(client, ["EURUSD"], [{ timeframe: "H1", sinceMs: getBarStart("H1", hour) }]);
    client.release();
    open();
    for (const name of ["OBV", "AD"]) {
      const definition = indicators.find((each) => each.name === name)!;
      const value = runIndicator(definition, changed).at(-1) ?? 0;
      const { series } = await ask<{ series: { value: number }[] }>(indicatorHistory, {
        symbol: "EURUSD",
        indicator: name,
        timeframe: "H1",
        limit: "1",
      });
      expect(series[0]?.value).toBe(roundReading(value, definition, 5));
    }
  });
});
