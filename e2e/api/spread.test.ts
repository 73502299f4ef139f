import { beforeAll, expect, test, vi } from "vitest";
import { type DataOf, readData, send } from "@/e2e/api/server";
import type { spreadCompareReply, spreadReply } from "@/lib/api/history/replies";

type Spread = DataOf<typeof spreadReply>;

type Comparison = DataOf<typeof spreadCompareReply>;

/** A number with a floating-point error, such as 0.30000000000000004. */
const NOISE = /\d\.\d{7,}/;

/** Waits for the first recorded spreads of a symbol after the start of the server. */
async function waitForSpreads(symbol: string): Promise<void> {
  const isRecorded = async () => expect((await send(`/v1/spread?symbol=${symbol}`)).status).toBe(200);
  await vi.waitFor(isRecorded, { timeout: 20_000, interval: 250 });
}

beforeAll(() => Promise.all(["EURUSD", "USDJPY", "XAUUSD"].map((symbol) => waitForSpreads(symbol))));

test("/v1/spread answers the current spread and its statistics in exactly the specified fields", async () => {
  const reply = await send("/v1/spread?symbol=EURUSD");
  const data = readData<Spread>(reply);
  expect(Object.keys(data)).toEqual(["symbol", "current", "statistics", "by_session"]);
  expect(data.symbol).toBe("EURUSD");
  expect(data.current.spread_points).toBe(Math.round(data.current.spread_pips * 10));
  const { period, min_spread, avg_spread, max_spread, std_deviation } = data.statistics;
  expect(period).toBe("24h");
  expect(min_spread).toBeLessThanOrEqual(avg_spread);
  expect(avg_spread).toBeLessThanOrEqual(max_spread);
  expect(std_deviation).toBeLessThanOrEqual(max_spread - min_spread);
  expect(reply.text).not.toMatch(NOISE);
});

test("Percentiles and a series are added on request only", async () => {
  const reply = await send("/v1/spread?symbol=EURUSD&include=percentiles&series=15m");
  const { percentiles, series, statistics } = readData<Spread>(reply);
  const ascending = Object.values(percentiles ?? {});
  expect(ascending).toHaveLength(5);
  expect(ascending).toEqual([...ascending].sort((one, other) => one - other));
  expect(percentiles?.p95).toBeLessThanOrEqual(statistics.max_spread);
  expect(series?.length).toBeGreaterThan(0);
  expect(series?.every(({ time }) => /T\d\d:(00|15|30|45):00/.test(time))).toBe(true);
  expect(reply.text).not.toMatch(NOISE);
  const only = readData<Spread>(await send("/v1/spread?symbol=EURUSD&series=15m"));
  expect(only.percentiles).toBeUndefined();
});

test("/v1/spread/compare answers symbols in exactly the specified fields, tightest first", async () => {
  const reply = await send("/v1/spread/compare?symbols=XAUUSD,%20EURUSD%20,USDJPY&period=7d");
  const { period, symbols, count } = readData<Comparison>(reply);
  expect({ period, count }).toEqual({ period: "7d", count: 3 });
  for (const entry of symbols) {
    expect(Object.keys(entry)).toEqual(["symbol", "current_pips", "avg_pips", "min_pips", "max_pips", "has_live_data"]);
    expect(entry.current_pips === null).toBe(!entry.has_live_data);
  }
  const means = symbols.map(({ avg_pips }) => avg_pips ?? Infinity);
  expect(means).toEqual([...means].sort((one, other) => one - other));
  expect(reply.text).not.toMatch(NOISE);
  expect(reply.headers.get("x-data-mode")).toBe("simulated");
});

test("A symbol in several spellings is answered once, and unknown symbols come last with nulls", async () => {
  const reply = await send("/v1/spread/compare?symbols=NONSENSE,EURUSD,EURUSDm,eur/usd,NONSENSE,%C3%A9");
  const { symbols, count } = readData<Comparison>(reply);
  const unknown = { current_pips: null, avg_pips: null, min_pips: null, max_pips: null, has_live_data: false };
  expect(count).toBe(3);
  expect(symbols.map(({ symbol }) => symbol)).toEqual(["EURUSD", "NONSENSE", "é"]);
  expect(symbols.slice(1)).toEqual([
    { symbol: "NONSENSE", ...unknown },
    { symbol: "é", ...unknown },
  ]);
});

test("by=source compares the sources of each symbol", async () => {
  const path = "/v1/spread/compare?symbols=EURUSD,NONSENSE&by=source";
  const readSources = async () => readData<Comparison>(await send(path)).symbols[0]?.sources ?? [];
  const isSampled = ({ avg_pips }: { readonly avg_pips: number | null }) => avg_pips !== null;
  await expect.poll(async () => (await readSources()).filter(isSampled).length, { timeout: 20_000 }).toBeGreaterThan(1);
  const reply = await send(path);
  const means = (await readSources()).map(({ avg_pips }) => avg_pips ?? Infinity);
  expect(means).toEqual([...means].sort((one, other) => one - other));
  expect(readData<Comparison>(reply).symbols[1]).toMatchObject({ symbol: "NONSENSE", sources: [] });
});
