import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateBars } from "@/lib/analytics/indicators/bars.fixture";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { runIndicator } from "@/lib/analytics/indicators/run";
import { summarise } from "@/lib/analytics/summary";
import { chooseEndpoint } from "@/lib/api/engine/as-of";
import type { Call } from "@/lib/api/engine/call";
import type { Services } from "@/lib/api/engine/services";
import { ohlc } from "@/lib/api/history/ohlc";
import { spread, spreadCompare } from "@/lib/api/history/spread";
import { indicator } from "@/lib/api/indicators/indicator";
import { indicators } from "@/lib/api/indicators/indicators";
import { roundReading } from "@/lib/api/indicators/latest-values";
import { multi } from "@/lib/api/indicators/multi";
import { screener } from "@/lib/api/indicators/screener";
import { summary } from "@/lib/api/indicators/summary";
import { quote } from "@/lib/api/quotes/quote";
import { createBook } from "@/lib/book/book";
import { AsOf } from "@/lib/history/as-of/as-of";
import { encodeBook } from "@/lib/history/as-of/book-block";
import { insertBars, joinBars } from "@/lib/history/bars/bar-rows";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { Bar } from "@/lib/market/bar";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { createResolver } from "@/lib/market/resolver";
import { getOpenSessions } from "@/lib/market/sessions/sessions";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** EURUSD has the imported minutes of 40 hours, and no price of a second. GBPUSD has nothing. */

/** A Tuesday. */
const START_MS = Date.parse("2016-03-01T08:00:00Z");
const MINUTES = 40 * 60;
const END_MS = START_MS + MINUTES * MINUTE_MS;
const NOW_MS = END_MS + 90 * DAY_MS;
const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;
const listed = [EURUSD, instrumentBySymbol.get("GBPUSD") as Instrument];

describe("a second of which only bars are stored", () => {
  let testDatabase: TestDatabase;
  let services: Services;

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    const { pool } = testDatabase.db;
    const points = (price: number) => Math.round(price * 1e5);
    const minutes = generateBars(MINUTES, { seed: 4, digits: 5, price: 1.1 }).map((bar, at) => ({
      ...{ timeMs: START_MS + at * MINUTE_MS, digits: 5, volume: bar.volume },
      ...{ open: points(bar.open), high: points(bar.high), low: points(bar.low), close: points(bar.close) },
    }));
    const client = await pool.connect();
    for (const timeframe of ["M1", "M5", "M15", "M30", "H1", "D1"] as const) {
      const bars = timeframe === "M1" ? minutes : joinBars(minutes, timeframe);
      await insertBars(
        client,
        bars.map((bar) => ({ ...bar, symbol: "EURUSD", timeframe })),
        "replace",
      );
    }
    client.release();
    const marketNow = () => NOW_MS;
    const keeper = new HistoryKeeper({ pool, instruments: listed, marketNow });
    keeper.onRecorded([], NOW_MS);
    const origins: Services["origins"] = { findMode: (_, fromMs = 0) => (fromMs > START_MS ? "live" : "simulated") };
    const asOf = new AsOf({
      ...{ pool, read: (work) => work(pool), history: keeper.history, origins, marketNow },
      ...{ sessions: { openAt: getOpenSessions }, listSources: () => [{ name: "alpha", mode: "live" }] },
    });
    const partial: Partial<Services> = {
      ...{ asOf, origins, marketNow, now: marketNow, history: keeper.history, instruments: listed },
      ...{ resolver: createResolver(listed), keepDays: { ticks: 10, m1: 20, m5: 30, spreads: 40 } as never },
      book: createBook({ sources: [], now: marketNow }),
    };
    services = partial as Services;
  });
  afterAll(() => testDatabase?.cleanup());

  async function read<Data>(endpoint: typeof quote, query: Record<string, unknown>) {
    const past = chooseEndpoint(endpoint, { search: "at=1" });
    const parsed = past.query.parse(query);
    const handled = await past.handle({
      ...{ query: parsed, body: null, segment: "", key: null, isTable: false, services },
      call: { path: endpoint.path, search: "", header: () => undefined } as unknown as Call,
    });
    const reply = JSON.parse(Buffer.from(handled.body as string).toString()) as { data?: Data };
    return { data: (reply.data ?? reply) as Data, headers: handled.headers ?? "" };
  }

  const at = new Date(START_MS + 15.5 * HOUR_MS + 61 * SECOND_MS).toISOString();

  async function readCandles(timeframe: string): Promise<{ bars: Bar[]; lastClose: number }> {
    const { data } = await read<{ candles: (Bar & { time: string })[] }>(ohlc, {
      ...{ symbol: "EURUSD", timeframe, limit: "1000", at },
    });
    const all = data.candles.map(({ time, ...bar }) => ({ ...bar, timeMs: Date.parse(time) }));
    const bars = all.filter(({ timeMs }) => timeMs + (timeframe === "H1" ? HOUR_MS : MINUTE_MS) <= Date.parse(at));
    return { bars, lastClose: all.at(-1)?.close ?? 0 };
  }

  test("Every reading is that of the bars which /v1/ohlc answers, without a price", async () => {
    for (const [timeframe, name, flat] of [
      ["M1", "RSI_14", "CCI_14"],
      ["H1", "SMA_10", "WilliamsR_14"],
    ] as const) {
      const { bars, lastClose } = await readCandles(timeframe);
      expect(bars).toHaveLength(timeframe === "M1" ? 931 : 15);
      const compute = (wanted: string) => {
        const definition = findIndicator(wanted)!;
        return roundReading(runIndicator(definition, bars).at(-1) as number, definition, 5);
      };
      const value = compute(name);
      const one = await read(indicator, { symbol: "EURUSD", indicator: name, timeframe, at });
      expect(one.data).toMatchObject({ value, bid: null, ask: null, updated_at: 0 });
      expect(one.data).toMatchObject({
        bar_time: new Date(bars.at(-1)!.timeMs).toISOString().replace(".000Z", "+00:00"),
      });
      expect(one.headers).toContain("X-Data-Mode: as-of\r\n");
      expect(one.headers).toContain("X-As-Of-Resolution: closed bars; simulated\r\n");
      expect(one.headers).not.toContain("X-Quote");
      const shape = await read(indicator, { symbol: "EURUSD", indicator: flat, timeframe, at });
      const ageSeconds = (Date.parse(at) - (bars.at(-1)!.timeMs + (timeframe === "H1" ? HOUR_MS : MINUTE_MS))) / 1000;
      expect(shape.data).toMatchObject({
        ...{ value: compute(flat), metadata: { source: "bars", data_age_seconds: ageSeconds } },
      });
      const all = await read(indicators, { symbol: "EURUSD", timeframe, at });
      expect(all.data).toMatchObject({
        bid: null,
        updated_at: 0,
        indicators: { [name]: value, [flat]: compute(flat) },
      });
      expect(all.headers).toContain("closed bars; simulated");
      const several = await read(multi, { symbols: "EURUSD,GBPUSD", indicators: name, timeframe, at });
      expect(several.data).toMatchObject({ data: { EURUSD: { [name]: value }, GBPUSD: { [name]: null } } });
      const screened = await read<{ results: object[] }>(screener, { indicator: name, timeframe, at });
      expect(screened.data.results).toMatchObject([{ symbol: "EURUSD", value, bid: null }]);
      if (timeframe === "H1") continue;
      const summed = await read(summary, { symbol: "EURUSD", timeframe, at });
      const expected = summarise(
        { closed: bars, past: null },
        { symbol: "EURUSD", timeframe, bid: lastClose, digits: 5 },
      );
      expect(summed.data).toMatchObject({
        ...{ summary: expected?.summary, recommendations: expected?.recommendations, updated_at: 0 },
        key_values: { bid: null, ask: null, rsi_14: value },
      });
    }
  });

  test("A reading says how far its bars are behind, and of how few it is made", async () => {
    const query = { symbol: "EURUSD", indicator: "EMA_20", timeframe: "H1" };
    const early = await read(indicator, { ...query, at: new Date(START_MS + 30.2 * HOUR_MS).toISOString() });
    expect(early.headers).toContain("X-Bar-State: short");
    expect(early.headers).toContain("X-Bars-Used: 30");
    const late = await read(indicator, { ...query, at: new Date(END_MS + 9.2 * HOUR_MS).toISOString() });
    expect(late.headers).toContain("X-Bar-State: behind");
    await expect(
      read(summary, { symbol: "EURUSD", timeframe: "M1", at: new Date(END_MS + DAY_MS).toISOString() }),
    ).rejects.toThrow("A summary speaks of the market of now");
  });

  test("What needs a price is refused, with what answers instead", async () => {
    const later = new Date(END_MS).toISOString();
    for (const refused of [
      () => read(quote, { symbol: "EURUSD", at: later }),
      () => read(spread, { symbol: "EURUSD", at: later }),
      () => read(spreadCompare, { symbols: "EURUSD,GBPUSD", at: later }),
      () => read(indicator, { symbol: "EURUSD", indicator: "RSI_14", source: "alpha", at: later }),
    ]) {
      await expect(refused()).rejects.toMatchObject({
        code: "DATA_NOT_FOUND",
        message: expect.stringMatching(
          /^No price was recorded at .* Bars from before it are stored: \/v1\/ohlc, /,
        ) as string,
        extra: { nearest_recorded: { before: null, after: null } },
      });
    }
  });

  test("Without bars too, nothing answers", async () => {
    const none = { code: "DATA_NOT_FOUND", message: "No price was recorded at 2016-03-01T08:00:30+00:00." };
    const first = { at: "2016-03-01T08:00:30Z", timeframe: "M1" };
    await expect(read(indicators, { symbol: "EURUSD", ...first })).rejects.toMatchObject(none);
    await expect(read(screener, { indicator: "RSI_14", ...first })).rejects.toMatchObject(none);
    await expect(read(multi, { symbols: "GBPUSD", indicators: "RSI_14", at })).rejects.toMatchObject({
      code: "DATA_NOT_FOUND",
    });
    // A second that the recorder has not stored yet.
    services = { ...services, marketNow: () => NOW_MS + 5_000 };
    await expect(
      read(indicator, { symbol: "EURUSD", indicator: "RSI_14", at: String(NOW_MS + 3_000) }),
    ).rejects.toMatchObject({ message: expect.stringContaining("No price was recorded") as string });
  });

  test("A recorded second without a price of the symbol is one of its bars too", async () => {
    const second = END_MS / SECOND_MS;
    const { pool } = testDatabase.db;
    await pool.query("INSERT INTO book_log VALUES ($1, $1, true, $2)", [second, encodeBook(second, [])]);
    const recorded = { symbol: "EURUSD", at: String(END_MS) };
    expect((await read(indicator, { ...recorded, indicator: "RSI_14" })).data).toMatchObject({ bid: null });
    await expect(read(quote, recorded)).rejects.toThrow("/v1/heatmap answer with at from bars alone");
    await pool.query("TRUNCATE book_log");
  });
});
