import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readIndicators } from "@/features/indicators/data";
import { readScreener } from "@/features/indicators/screener-data";
import { generateBars } from "@/lib/analytics/indicators/bars.fixture";
import type { Endpoint, HandlerRequest } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { indicator } from "@/lib/api/indicators/indicator";
import { indicatorHistory } from "@/lib/api/indicators/indicator-history";
import { indicators as allAtOnce } from "@/lib/api/indicators/indicators";
import { multi } from "@/lib/api/indicators/multi";
import { screener } from "@/lib/api/indicators/screener";
import { summary } from "@/lib/api/indicators/summary";
import { createBook } from "@/lib/book/book";
import { rememberBars } from "@/lib/history/bars/bar-memory";
import { insertBars } from "@/lib/history/bars/bar-rows";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { createResolver } from "@/lib/market/resolver";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

/** Bars of an import that ended 17 months before, without and with bars since, in every answer that is computed from them. */

/** A Thursday. */
const NOW = Date.UTC(2026, 10, 26, 14, 30);
const OLD_END = Date.UTC(2025, 5, 30, 21);
const OLD_COUNT = 700;
/** OLD has only the imported bars, NEW also those of three hours, and DAY those of a day and of two weeks. */
const [OLD, NEW, DAY] = ["GBPUSD", "EURUSD", "USDJPY"] as const;
const AFTER = { [OLD]: 0, [NEW]: 3, [DAY]: 60 };
const listed = [OLD, NEW, DAY].map((symbol) => instrumentBySymbol.get(symbol) as Instrument);

interface Answered<Data> {
  readonly data: Data;
  readonly headers: string;
}

describe("old bars", () => {
  let services: unknown;

  beforeAll(async () => {
    const client = await testDatabase.db.pool.connect();
    for (const [seed, { symbol, digits }] of listed.entries()) {
      const after = AFTER[symbol as keyof typeof AFTER];
      const bars = generateBars(OLD_COUNT + after, { seed: seed + 3, digits, price: digits === 3 ? 150 : 1.1 });
      const points = (price: number) => Math.round(price * 10 ** digits);
      const rows = bars.map(({ open, high, low, close, volume }, at) => {
        const back = at < OLD_COUNT ? OLD_COUNT - at : OLD_COUNT + after - at;
        const timeMs = (at < OLD_COUNT ? OLD_END : Date.UTC(2026, 10, 26, 14)) - back * HOUR_MS;
        const prices = { open: points(open), high: points(high), low: points(low), close: points(close) };
        return { symbol, timeframe: "H1" as const, timeMs, ...prices, digits, volume };
      });
      await insertBars(client, rows, "replace");
    }
    client.release();
    open();
  });

  /** Starts with nothing in memory, as a new process does. */
  function open(): HistoryKeeper {
    const keeper = new HistoryKeeper({ pool: testDatabase.db.pool, instruments: listed, marketNow: () => NOW });
    keeper.onRecorded([], NOW);
    const book = createBook({ sources: [{ name: "alpha", mode: "live" }], now: () => NOW });
    for (const instrument of listed) {
      book.accept({ source: "alpha", instrument, bid: 1.1, ask: 1.1001, timeMs: NOW - 1_000 });
    }
    const marketNow = () => NOW;
    services = {
      ...{ history: keeper.history, instruments: listed, origins: { findMode: () => "live" }, book },
      ...{ resolver: createResolver(listed), now: marketNow, marketNow },
      keepDays: { ticks: 10, m1: 20, m5: 30, spreads: 40 },
    };
    return keeper;
  }

  async function ask<Data>(endpoint: Endpoint, query: Record<string, unknown>): Promise<Answered<Data>> {
    const parsed = (endpoint.query as unknown as { parse(query: unknown): unknown }).parse(query);
    const request = { query: parsed, key: null, call: { path: endpoint.path, search: "" }, services };
    const { body, headers = "" } = await endpoint.handle(request as unknown as HandlerRequest<never, never>);
    const reply = JSON.parse(Buffer.from(body as string).toString()) as { data?: Data };
    return { data: reply.data ?? (reply as Data), headers };
  }

  const HOLE = "2025-06-30T21:00:00Z/2026-11-2";

  test("A reading of them has their time and age, and is outdated", async () => {
    const enveloped = await ask(indicator, { symbol: OLD, indicator: "RSI_14", timeframe: "H1" });
    expect(enveloped.data).toMatchObject({ bar_time: "2025-06-30T20:00:00+00:00" });
    expect(enveloped.headers).toContain("X-Bar-State: outdated");
    const flat = await ask(indicator, { symbol: OLD, indicator: "CCI_14", timeframe: "H1" });
    expect(flat.data).toMatchObject({ metadata: { data_age_seconds: (NOW - OLD_END) / 1_000 } });
    expect(flat.headers).toContain("X-Bar-State: outdated");
    const all = await ask(allAtOnce, { symbol: OLD });
    expect(all.data).toMatchObject({ bar_time: "2025-06-30T20:00:00+00:00" });
    expect(all.headers).toContain("X-Bar-State: outdated");
    const several = await ask(multi, { symbols: `${OLD},${DAY}`, indicators: "RSI_14" });
    expect(several.data).toMatchObject({
      bar_times: { [OLD]: "2025-06-30T20:00:00+00:00", [DAY]: "2026-11-26T13:00:00+00:00" },
    });
    expect(several.headers).toContain("X-Bar-State: outdated");
  });

  test("No summary is made of them", async () => {
    const message =
      "A summary speaks of the market of now, and the latest closed bar of GBPUSD at H1 opened at 2025-06-30";
    await expect(ask(summary, { symbol: OLD })).rejects.toThrow(message);
    await expect(ask(summary, { symbol: OLD })).rejects.toThrow(ApiError);
    await expect(ask(summary, { symbol: NEW })).rejects.toThrow(
      "so far there are 3 after the hole in the bars from 2025",
    );
    const made = await ask<{ key_values: object }>(summary, { symbol: DAY });
    expect(made.data).toMatchObject({ bar_time: "2026-11-26T13:00:00+00:00", key_values: { sma_200: null } });
    expect(made.headers).not.toContain("X-Bar-State");
    expect(made.headers).toContain(`X-Bar-Holes: USDJPY=${HOLE}`);
  });

  test("The screener lists them last, marked, and the pages show the same", async () => {
    const { data, headers } = await ask<{ results: { symbol: string; bar_time: string; bar_state: string }[] }>(
      screener,
      {
        indicator: "RSI_14",
      },
    );
    expect(data.results.map(({ symbol, bar_state: state }) => [symbol, state])).toEqual([
      [DAY, "current"],
      [OLD, "outdated"],
    ]);
    expect(headers).toContain("X-Bar-State: outdated");
    const runtime = services as Parameters<typeof readIndicators>[0];
    const choice = {
      indicator: "RSI_14",
      timeframe: "H1",
      min: null,
      max: null,
      category: null,
      sort: "desc",
    } as const;
    const { rows } = await readScreener(runtime, choice);
    expect(rows.map(({ symbol, barState, closedMs }) => [symbol, barState, closedMs])).toEqual([
      [DAY, "current", Date.UTC(2026, 10, 26, 14)],
      [OLD, "outdated", OLD_END],
    ]);
    const page = await readIndicators(runtime, listed[0] as Instrument, "H1");
    expect(page).toMatchObject({ summary: null, hole: null, bar: { state: "outdated", closedMs: OLD_END } });
  });

  test("Readings of bars since start anew, or are refused with the hole", async () => {
    const refused = ask(indicator, { symbol: NEW, indicator: "EMA_20", timeframe: "H1" });
    await expect(refused).rejects.toThrow(
      "EMA_20 needs 20 closed bars of EURUSD at H1; so far there are 3 after the hole",
    );
    const all = await ask<{ indicators: Record<string, number | null> }>(allAtOnce, { symbol: NEW });
    expect(all.headers).toContain(`X-Bar-Holes: EURUSD=${HOLE}`);
    expect(all.headers).not.toContain("X-Bar-State");
    const { OBV, Volumes, SAR, ...others } = all.data.indicators;
    expect([OBV, Volumes, SAR]).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
    expect(all.data.indicators["AD"]).toEqual(expect.any(Number));
    expect(Object.entries(others).flatMap(([name, value]) => (value === null || name === "AD" ? [] : name))).toEqual(
      [],
    );
    const page = await readIndicators(services as Parameters<typeof readIndicators>[0], listed[1] as Instrument, "H1");
    expect(page).toMatchObject({ hole: { fromMs: OLD_END, barsAfter: 3 }, bar: { state: "current" } });
  });

  test("A value is the same from any part of the bars, also once they are remembered and in another process", async () => {
    const readAll = async () => {
      const latest = await ask<{ indicators: Record<string, number | null> }>(allAtOnce, { symbol: DAY });
      const read = async (range: object) => {
        const query = { symbol: DAY, indicator: "EMA_20", timeframe: "H1", ...range };
        return ask<{ series: { time: string; value: number | null }[] }>(indicatorHistory, query);
      };
      const whole = await read({ limit: "100" });
      const part = await read({ from: "2026-11-24T00:00:00Z" });
      expect(part.data.series).toEqual(whole.data.series.slice(-part.data.series.length));
      expect(whole.headers).toContain(`X-Bar-Holes: USDJPY=${HOLE}`);
      expect(whole.data.series.at(-1)?.value).toBe(latest.data.indicators["EMA_20"]);
      return { latest: latest.data.indicators, series: whole.data.series };
    };
    const before = await readAll();
    expect(before.series.filter(({ value }) => value === null)).toHaveLength(19);
    const keeper = open();
    await rememberBars(testDatabase.db.pool, listed, keeper.findGrowthStarts());
    open();
    expect(await readAll()).toEqual(before);
  });
});
