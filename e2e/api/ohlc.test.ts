import { beforeAll, expect, test } from "vitest";
import { type DataOf, expectError, readData, type Reply, send } from "@/e2e/api/server";
import type { ohlcReply } from "@/lib/api/history/replies";
import { DAY_MS } from "@/lib/time/units";

type Ohlc = DataOf<typeof ohlcReply>;

beforeAll(async () => {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
    if (readData<Ohlc>(await send("/v1/ohlc?symbol=EURUSD&timeframe=M1")).count > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("nothing was recorded");
});

test.each(["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"])("/v1/ohlc answers candles of %s", async (timeframe) => {
  const reply = await send(`/v1/ohlc?symbol=eur/usd&timeframe=${timeframe}&limit=50`);
  const { symbol, candles, count } = readData<Ohlc>(reply);
  expect(symbol).toBe("EURUSD");
  expect(count).toBe(candles.length);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(50);
  const times = candles.map(({ time }) => Date.parse(time));
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  for (const { open, high, low, close, volume } of candles) {
    expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
    expect(low).toBeLessThanOrEqual(Math.min(open, close));
    expect(volume).toBeGreaterThan(0);
  }
  expect(reply.headers.get("x-coverage")).toMatch(new RegExp(`^${count}/\\d+$`));
});

test.each([
  ["M2", "M1"],
  ["2h", "H1"],
  ["M45", "M15"],
  ["H12", "H4"],
  ["MN1", "D1"],
  ["S15", "S1"],
])("/v1/ohlc joins candles of %s from those of %s", async (timeframe, parts) => {
  // The newest bar may change between two calls.
  const [, , older] = readData<Ohlc>(
    await send(`/v1/ohlc?symbol=EURUSD&timeframe=${timeframe}&limit=3`),
  ).candles.reverse();
  if (older === undefined) return expect(timeframe).toBe("MN1");
  const range = `from=${encodeURIComponent(older.time)}&limit=1000`;
  const [joined] = readData<Ohlc>(await send(`/v1/ohlc?symbol=EURUSD&timeframe=${timeframe}&${range}`)).candles;
  const end = readData<Ohlc>(await send(`/v1/ohlc?symbol=EURUSD&timeframe=${timeframe}&${range}`)).candles[1]?.time;
  const { candles } = readData<Ohlc>(await send(`/v1/ohlc?symbol=EURUSD&timeframe=${parts}&${range}&to=${end}`));
  const [first, last] = [candles[0], candles.at(-1)];
  expect(joined).toEqual({
    time: older.time,
    open: first?.open,
    high: Math.max(...candles.map(({ high }) => high)),
    low: Math.min(...candles.map(({ low }) => low)),
    close: last?.close,
    volume: candles.reduce((sum, { volume }) => sum + volume, 0),
  });
});

test("Bars of seconds are refused in a range of more than a week, and sums on joined bars with the stored timeframes", async () => {
  const far = await send("/v1/ohlc?symbol=EURUSD&timeframe=S5&from=2026-01-01&to=2026-01-09");
  expectError(far, 400, "INVALID_RANGE");
  const sum = await send("/v1/indicator?symbol=EURUSD&indicator=OBV&timeframe=H2");
  expectError(sum, 400, "INVALID_TIMEFRAME");
  const { value } = readData<{ value: number }>(
    await send("/v1/indicator?symbol=EURUSD&indicator=EMA_20&timeframe=H2"),
  );
  const path = "/v1/indicator/history?symbol=EURUSD&indicator=EMA_20&timeframe=H2&limit=1";
  expect(readData<{ series: { value: number }[] }>(await send(path)).series[0]?.value).toBe(value);
});

test("Bars of the ask and the mid are those of the ticks, and are refused where they are longer than 15 minutes", async () => {
  const found = await send("/v1/ohlc?symbol=EURUSD&timeframe=S5&price=ask&limit=3");
  const { price, candles } = readData<Ohlc>(found);
  expect(price).toBe("ask");
  // The newest bar may change between two calls.
  const [older, newer] = candles;
  const range = `symbol=EURUSD&from=${older?.time}&to=${newer?.time}`;
  const { ticks } = readData<{ ticks: { bid: number; ask: number }[] }>(await send(`/v1/ticks?${range}`));
  const asks = ticks.map(({ ask }) => ask);
  expect(older).toEqual({
    ...{ time: older?.time, open: asks[0], high: Math.max(...asks), low: Math.min(...asks), close: asks.at(-1) },
    volume: asks.length,
  });
  const mid = readData<Ohlc>(await send(`/v1/ohlc?${range}&timeframe=S5&price=mid`)).candles[0];
  const last = ticks.at(-1) as { bid: number; ask: number };
  expect(mid?.close).toBeCloseTo((last.bid + last.ask) / 2, 9);
  expectError(await send("/v1/ohlc?symbol=EURUSD&timeframe=H1&price=mid"), 400, "INVALID_TIMEFRAME");
});

test("A range of more bars than limit has the next call in the answer and in the header Link", async () => {
  const { candles } = readData<Ohlc>(await send("/v1/ohlc?symbol=EURUSD&timeframe=M1&limit=11"));
  const [first, last] = [candles[0]?.time ?? "", candles.at(-1)?.time ?? ""];
  const seen: string[] = [];
  const range = `from=${encodeURIComponent(first)}&to=${encodeURIComponent(last)}`;
  let path: string | null = `/v1/ohlc?symbol=eur/usd&timeframe=1m&limit=4&${range}`;
  for (let page = 1; path !== null; page++) {
    const reply: Reply = await send(path);
    const data = readData<Ohlc>(reply);
    seen.push(...data.candles.map(({ time }) => time));
    const link = reply.headers.get("link");
    const next: string | null = /^<([^>]+)>; rel="next"$/.exec(link ?? "")?.[1] ?? null;
    expect([page, next === null, data.next_from === undefined]).toEqual([page, page === 3, page === 3]);
    if (next !== null) {
      expect(new URLSearchParams(next.split("?")[1]).get("from")).toBe(data.next_from);
      expect(reply.headers.get("etag")).not.toBeNull();
    }
    path = next;
  }
  expect(seen).toEqual(candles.slice(0, 10).map(({ time }) => time));
  const csv = await send(`/v1/ohlc?symbol=EURUSD&timeframe=M1&limit=4&format=csv&${range}`);
  expect(csv.headers.get("link")).toMatch(/format=csv/);
});

test("Times may be Unix seconds or milliseconds, and the timeframe is answered in its usual spelling", async () => {
  const { candles } = readData<Ohlc>(await send("/v1/ohlc?symbol=EURUSD&timeframe=M1&limit=3"));
  const [fromMs, toMs] = [Date.parse(candles[0]?.time ?? ""), Date.parse(candles[2]?.time ?? "")];
  for (const [from, to] of [
    [fromMs / 1000, toMs / 1000],
    [fromMs, toMs],
  ]) {
    const reply = await send(`/v1/ohlc?symbol=EURUSD&timeframe=m1&from=${from}&to=${to}`);
    const { timeframe, candles: found } = readData<Ohlc>(reply);
    expect(timeframe).toBe("M1");
    expect(found.map(({ time }) => time)).toEqual(candles.slice(0, 2).map(({ time }) => time));
  }
  for (const spelling of ["h1", "1h", "1H"])
    expect(readData<Ohlc>(await send(`/v1/ohlc?symbol=EURUSD&timeframe=${spelling}`)).timeframe).toBe("H1");
});

test("A range answers the candles that opened in it, or none", async () => {
  const { candles } = readData<Ohlc>(await send("/v1/ohlc?symbol=EURUSD&timeframe=M1&limit=1"));
  const openMs = Date.parse(candles[0]?.time ?? "");
  const get = async (fromMs: number, toMs: number) => {
    const range = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
    return readData<Ohlc>(await send(`/v1/ohlc?symbol=EURUSD&timeframe=M1&${range}`)).candles;
  };
  expect((await get(openMs, openMs + 60_000)).map(({ time }) => time)).toEqual([candles[0]?.time]);
  expect(await get(openMs + 1, openMs + 60_000)).toEqual([]);
});

test("The answer always has the retention, and says where a range that begins earlier is cut", async () => {
  const read = async (search: string) => {
    const reply = await send(`/v1/ohlc?symbol=EURUSD&limit=1&${search}`);
    return readData<Ohlc>(reply);
  };
  const { retention, from } = await read("timeframe=M1&from=1990-01-01");
  expect(retention).toBe("90 days");
  expect(Math.floor((Date.now() - Date.parse(from ?? "")) / DAY_MS)).toBe(90);
  expect(await read("timeframe=M1")).toMatchObject({ retention: "90 days" });
  expect(await read("timeframe=M1")).not.toHaveProperty("from");
  const daily = await read("timeframe=D1&from=1990-01-01");
  expect(daily.retention).toBeNull();
  expect(daily).not.toHaveProperty("from");
});

test.each(["M1", "H1", "W1"])("A range that ends before the stored bars of %s is refused", async (timeframe) => {
  const reply = await send(`/v1/ohlc?symbol=EURUSD&timeframe=${timeframe}&from=2001-01-01&to=2001-01-02`);
  expectError(reply, 400, "DATA_OUTSIDE_RETENTION");
  const { error } = reply.json as { error: { earliest_available: string } };
  const first = readData<Ohlc>(await send(`/v1/ohlc?symbol=EURUSD&timeframe=${timeframe}&from=1990-01-01&limit=1`));
  expect(error).toMatchObject({
    earliest_available: first.candles[0]?.time,
    retention_period: timeframe === "M1" ? "90 days" : null,
  });
});
