import { beforeAll, expect, test } from "vitest";
import { expectError, onEveryServer, readData } from "@/e2e/api/servers";
import { ohlcReply } from "@/lib/api/history/history-replies";
import { DAY_MS } from "@/lib/time/units";

interface Ohlc {
  symbol: string;
  timeframe: string;
  candles: { time: string; open: number; high: number; low: number; close: number; volume: number }[];
  count: number;
}

onEveryServer(({ keys }, send) => {
  beforeAll(async () => {
    for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
      if (readData<Ohlc>(await send("/v1/ohlc?symbol=EURUSD&timeframe=M1")).count > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error("nothing was recorded");
  });

  test.each(["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"])("/v1/ohlc answers candles of %s", async (timeframe) => {
    const reply = await send(`/v1/ohlc?symbol=eur/usd&timeframe=${timeframe}&limit=50`);
    const { symbol, candles, count } = ohlcReply.parse(reply.json).data;
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

  test("The default timeframe is H1, and the last candle may still be open", async () => {
    const { timeframe, candles } = readData<Ohlc>(await send("/v1/ohlc?symbol=EURUSD&limit=1"));
    expect(timeframe).toBe("H1");
    expect(candles).toHaveLength(1);
    expect(Date.now() - Date.parse(candles[0]?.time ?? "")).toBeLessThan(7_200_000);
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
    expect(await get(Date.UTC(1990, 0), Date.UTC(1990, 1))).toEqual([]);
  });

  test("A range that begins before the retention has the field retention", async () => {
    const old = await send("/v1/ohlc?symbol=EURUSD&timeframe=M1&from=1990-01-01&limit=1");
    const { retention } = ohlcReply.parse(old.json).data;
    expect(Date.parse(retention?.from ?? "")).toBeLessThan(Date.now() - 80 * DAY_MS);
    const daily = await send("/v1/ohlc?symbol=EURUSD&timeframe=D1&from=1990-01-01&limit=1");
    expect(ohlcReply.parse(daily.json).data.retention).toBeUndefined();
  });

  test("The answer is CSV by parameter or by header", async () => {
    for (const reply of [
      await send("/v1/ohlc?symbol=EURUSD&timeframe=M1&format=csv"),
      await send("/v1/ohlc?symbol=EURUSD&timeframe=M1", { headers: { Accept: "text/csv" } }),
    ]) {
      expect(reply.headers.get("content-type")).toMatch(/^text\/csv/);
      expect(reply.headers.get("content-disposition")).toBe('attachment; filename="EURUSD-M1.csv"');
      expect(reply.text).toMatch(/^time,open,high,low,close,volume\r\n(\S+(,[\d.]+){4},\d+\r\n)+$/);
    }
  });

  test.each([
    ["", "VALIDATION_ERROR"],
    ["symbol=EURUSD&limit=0", "VALIDATION_ERROR"],
    ["symbol=EURUSD&limit=1001", "VALIDATION_ERROR"],
    ["symbol=EURUSD&limit=1e2", "VALIDATION_ERROR"],
    ["symbol=EURUSD&timeframe=H2", "INVALID_TIMEFRAME"],
    ["symbol=EURUSD&timeframe=", "INVALID_TIMEFRAME"],
    ["symbol=EURUSD&from=2026-13-01", "INVALID_DATETIME"],
    ["symbol=EURUSD&to=soon", "INVALID_DATETIME"],
    ["symbol=EURUSD&from=2026-11-20&to=2026-11-20", "INVALID_RANGE"],
  ])("/v1/ohlc?%s is refused with 400 %s", async (query, code) =>
    expectError(await send(`/v1/ohlc?${query}`), 400, code),
  );

  test("/v1/ohlc needs the scope historical and no paid plan", async () => {
    expectError(await send("/v1/ohlc?symbol=EURUSD", { key: keys.indicatorsOnly }), 403, "PERMISSION_DENIED");
    expect((await send("/v1/ohlc?symbol=EURUSD", { key: keys.free })).status).toBe(200);
    expectError(await send("/v1/ohlc?symbol=NOPE"), 404, "SYMBOL_NOT_FOUND");
  });
});
