import { expect, test } from "vitest";
import { expectError, readData, send } from "@/e2e/api/server";
import { CURRENCIES } from "@/lib/analytics/strength/strength";
import { HOUR_MS } from "@/lib/time/units";

interface Heatmap {
  type: string;
  timeframe: string;
  currencies: Record<string, { strength: number; trend: string; change: number; pairs_analyzed: number }>;
  strongest: string | null;
  weakest: string | null;
  range: number;
  timestamp: string;
}

interface CorrelationData {
  correlation_matrix: Record<string, Record<string, number | null>>;
  bars: number;
  timestamp: string;
}

/** Pearson's coefficient of the latest `count` returns between common bars, as n sums of products. */
function correlate(one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>, count: number): number {
  const times = [...one.keys()].filter((time) => other.has(time)).slice(-count - 1);
  const toReturns = (closes: ReadonlyMap<number, number>) =>
    times.slice(1).map((time, index) => Math.log((closes.get(time) ?? NaN) / (closes.get(times[index] ?? 0) ?? NaN)));
  const [x, y] = [toReturns(one), toReturns(other)];
  const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0);
  const products = sum(x.map((value, index) => value * (y[index] ?? NaN)));
  const spreadOf = (list: readonly number[]) => count * sum(list.map((value) => value * value)) - sum(list) ** 2;
  return (count * products - sum(x) * sum(y)) / Math.sqrt(spreadOf(x) * spreadOf(y));
}

test.each(["", "?timeframe=H1", "?timeframe=D1&type=strength", "?timeframe=W1"])(
  "/v1/heatmap%s ranks the eight currencies",
  async (search) => {
    const reply = await send(`/v1/heatmap${search}`);
    const data = readData<Heatmap>(reply);
    expect(data).toMatchObject({
      type: "strength",
      timeframe: new URLSearchParams(search).get("timeframe") ?? "H4",
    });
    expect(Object.keys(data.currencies)).toEqual([...CURRENCIES]);
    const strengths = CURRENCIES.map((name) => data.currencies[name]?.strength as number);
    expect(data.currencies[data.strongest ?? "USD"]?.strength).toBe(Math.max(...strengths));
    expect(data.currencies[data.weakest ?? "USD"]?.strength).toBe(Math.min(...strengths));
    expect(data.range).toBeCloseTo(Math.max(...strengths) - Math.min(...strengths), 2);
    expect(reply.headers.get("x-data-mode")).toBe("simulated");
    expect(Date.parse(data.timestamp)).toBeLessThanOrEqual(Date.now());
    expect(reply.text).not.toMatch(/\d\.\d{3,}(?!\d*Z)|-0[,}]/);
  },
);

test("The correlation of symbols is that of the closes of /v1/ohlc", async () => {
  const reply = await send("/v1/heatmap?type=correlation&timeframe=H1&bars=40&symbols=eurusd,GBP/USD,USDJPY,EURUSD");
  const { correlation_matrix: matrix, ...rest } = readData<CorrelationData>(reply);
  expect(rest).toMatchObject({ type: "correlation", timeframe: "H1", available: true, bars: 40 });
  const names = ["EURUSD", "GBPUSD", "USDJPY"];
  expect(Object.keys(matrix)).toEqual(names);
  const closes = await Promise.all(names.map((name) => readCloses(name, rest.timestamp)));
  for (const [row, one] of names.entries()) {
    for (const [column, other] of names.entries()) {
      const expected = correlate(closes[row] ?? new Map(), closes[column] ?? new Map(), 40);
      expect(matrix[one]?.[other]).toBeCloseTo(expected, 3);
    }
  }
});

test("The correlation of the currencies is symmetrical, with 1 on its diagonal", async () => {
  const reply = await send("/v1/heatmap?type=correlation&timeframe=H1");
  const { correlation_matrix: matrix, bars } = readData<CorrelationData>(reply);
  expect(bars).toBeLessThanOrEqual(120);
  expect(Object.keys(matrix)).toEqual([...CURRENCIES]);
  for (const one of CURRENCIES) {
    // A currency with fewer than 20 bars has none.
    expect([1, null]).toContain(matrix[one]?.[one]);
    for (const other of CURRENCIES) expect(matrix[one]?.[other]).toBe(matrix[other]?.[one]);
  }
});

/** The closes of a symbol by the time of their bar, of bars that ended by `until`. */
async function readCloses(symbol: string, until: string): Promise<Map<number, number>> {
  const data = readData<{ candles: { time: string; close: number }[] }>(
    await send(`/v1/ohlc?symbol=${symbol}&timeframe=H1&limit=300`),
  );
  const closed = data.candles.filter(({ time }) => Date.parse(time) + HOUR_MS <= Date.parse(until));
  return new Map(closed.map(({ time, close }) => [Date.parse(time), close]));
}

test("A correlation of unknown symbols is refused with their names", async () => {
  const error = "/v1/heatmap?type=correlation&symbols=EURUSD,";
  expectError(await send(`${error}NOPE1`), 404, "SYMBOL_NOT_FOUND");
  const reply = await send(`${error}NOPE1,NOPE2`);
  expectError(reply, 404, "SYMBOL_NOT_FOUND");
  expect(reply.text).toContain("NOPE1, NOPE2");
});
