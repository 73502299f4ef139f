import { expect, test } from "vitest";
import { expectError, keys, readData, type Reply, send } from "@/e2e/api/server";
import { indicatorNames } from "@/lib/api/indicators/indicator-lookup";

const FLAT = ["Williams_R_14", "WilliamsR_14", "Parabolic_SAR", "SAR", "CCI_14", "TEMA_20"];

interface Point {
  timestamp: string;
  value: number;
  signal: string;
  ohlc: { open: number; high: number; low: number; close: number; volume: number };
}

interface Flat extends Point {
  symbol: string;
  indicator: string;
  timeframe: string;
  metadata: { source: string; data_age_seconds: number };
  bars?: number;
  series?: Point[];
}

interface Enveloped {
  symbol: string;
  indicator: string;
  timeframe: string;
  value: number;
  bid: number;
  ask: number;
  updated_at: number;
  server_time: string;
  bar_time: string;
}

/** Expects exactly the flat error format. */
function expectFlatError(reply: Reply, status: number, error: string, more: string[] = []): void {
  expect({ status: reply.status, body: reply.json }).toMatchObject({
    status,
    body: { error, code: status, message: expect.stringMatching(/\S/) as unknown },
  });
  expect(Object.keys(reply.json as object)).toEqual(["error", "message", "code", ...more]);
}

const readFlat = async (search: string) => {
  const reply = await send(`/v1/indicator?symbol=EURUSD&${search}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json as Flat;
};

test("Every indicator is answered in its shape, with its name", async () => {
  for (const name of indicatorNames) {
    const reply = await send(`/v1/indicator?symbol=EURUSD&indicator=${name}&timeframe=H1`);
    const body = FLAT.includes(name) ? (reply.json as Flat) : readData<Enveloped>(reply);
    expect(body).toMatchObject({ symbol: "EURUSD", indicator: name, timeframe: "H1" });
    expect(reply.headers.get("x-data-mode")).toBe("simulated");
    expect(reply.headers.get("x-quote-state")).toMatch(/^(live|delayed|stale|closed)$/);
  }
});

test("An alias answers the same reading", async () => {
  const [one, other] = [
    await readFlat("indicator=WilliamsR_14&timeframe=H1"),
    await readFlat("indicator=Williams%5FR%5F14&timeframe=H1"),
  ];
  expect({ ...one, indicator: "", metadata: {} }).toEqual({ ...other, indicator: "", metadata: {} });
});

test("bars above 1 adds a series that ends with the reading", async () => {
  const one = await readFlat("indicator=CCI_14&timeframe=H1&bars=1");
  expect(one).not.toHaveProperty("bars");
  const many = await readFlat("indicator=CCI_14&timeframe=H1&bars=500");
  const series = many.series ?? [];
  expect(many.bars).toBe(series.length);
  expect(series.length).toBeGreaterThan(1);
  const { timestamp, value, signal, ohlc } = many;
  expect(series.at(-1)).toEqual({ timestamp, value, signal, ohlc });
  const times = series.map((point) => point.timestamp);
  expect(times).toEqual([...times].sort());
  expect(new Set(times).size).toBe(times.length);
});

test("source selects the source of price and age", async () => {
  const quoted = readData<{ sources: { broker: string }[] }>(
    await send("/v1/quote?symbol=EURUSD&include_sources=true"),
  );
  for (const { broker } of quoted.sources) {
    expect((await readFlat(`indicator=CCI_14&timeframe=H1&source=${broker}`)).metadata.source).toBe(broker);
    const reply = await send(`/v1/indicator?symbol=EURUSD&indicator=RSI_14&source=${broker}`);
    expect(readData<Enveloped>(reply).ask).toBeGreaterThan(0);
  }
  expectFlatError(
    await send("/v1/indicator?symbol=EURUSD&indicator=CCI_14&timeframe=H1&source=nobody"),
    404,
    "Not Found",
  );
  expectError(await send("/v1/indicator?symbol=EURUSD&indicator=RSI_14&source=nobody"), 404, "SOURCE_NOT_FOUND");
});

test.each(FLAT)("Errors of %s are flat", async (name) => {
  const path = `/v1/indicator?indicator=${name}&timeframe=H1`;
  expectFlatError(await send(path), 400, "Bad Request");
  expectFlatError(await send(`/v1/indicator?indicator=${name}&symbol=EURUSD`), 400, "Bad Request");
  for (const bars of ["501", "2&bars=2"]) {
    expectFlatError(await send(`${path}&symbol=EURUSD&bars=${bars}`), 400, "Bad Request");
  }
  expectFlatError(await send(`/v1/indicator?indicator=${name}&symbol=EURUSD&timeframe=H25`), 400, "Bad Request");
  expectFlatError(await send(`${path}&symbol=%zz`), 400, "Bad Request");
  expectFlatError(await send(`${path}&symbol=EURUSX`), 404, "Not Found");
  expectFlatError(await send(`${path}&symbol=EURUSD`, { key: null }), 401, "Unauthorized");
  expectFlatError(await send(path, { key: "nonsense" }), 401, "Unauthorized");
  expectFlatError(await send(path, { key: keys.revoked }), 401, "Unauthorized");
  expectFlatError(await send(path, { key: keys.elsewhereOnly }), 403, "Forbidden");
});

test("A flat rate-limit error has retry_after", async () => {
  const path = "/v1/indicator?symbol=EURUSD&indicator=TEMA_20&timeframe=H1";
  const replies = await Promise.all(Array.from({ length: 80 }, () => send(path, { key: keys.crowded })));
  const refused = replies.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThanOrEqual(20);
  for (const reply of refused) {
    expectFlatError(reply, 429, "Rate Limited", ["retry_after"]);
    expect(reply.headers.get("retry-after")).toBe(String((reply.json as { retry_after: number }).retry_after));
  }
  const enveloped = await send("/v1/indicator?symbol=EURUSD&indicator=RSI_14", { key: keys.crowded });
  expectError(enveloped, 429, "RATE_LIMIT_EXCEEDED");
});

test("A wrong method is refused in the envelope for every indicator", async () => {
  expectError(await send("/v1/indicator?indicator=CCI_14", { method: "POST" }), 405, "METHOD_NOT_ALLOWED");
});

test("A member of a family has one value in every answer, also in its table", async () => {
  const name = "BBands_10_2.5_upper";
  const own = readData<Enveloped>(await send(`/v1/indicator?symbol=EURUSD&indicator=${name}&timeframe=M1`));
  expect(own).toMatchObject({ indicator: name, timeframe: "M1" });
  const query = `symbol=EURUSD&indicator=${name}&timeframe=M1`;
  const history = readData<{ series: { time: string; value: number }[] }>(await send(`/v1/indicator/history?${query}`));
  const at = history.series.find(({ time }) => Date.parse(time) === Date.parse(own.bar_time));
  expect(at?.value).toBe(own.value);
  const table = await send(`/v1/indicator/history?${query}&format=csv`);
  expect(table.text).toContain(`,${own.value}`);
  const several = await send(`/v1/multi?symbols=EURUSD&indicators=${name},RSI_5&timeframe=M1&format=csv`);
  expect(several.text).toContain(`,${name},RSI_5`);
  const screened = readData<{ indicator: string; results: { symbol: string }[] }>(
    await send(`/v1/screener?indicator=${name}&timeframe=M1&limit=200`),
  );
  expect(screened.indicator).toBe(name);
  expect(screened.results.map(({ symbol }) => symbol)).toContain("EURUSD");
});

test.each([
  ["RSI_0", "period must be from 2 to 250"],
  ["RSI_99999", "period must be from 2 to 250"],
  ["rsi_21", "Near names: RSI_21."],
  ["RSI_021", "Near names: RSI_21."],
  ["EMA_34_1", "The indicator is not known."],
  ["RSI_%D9%A2%D9%A1", "The indicator is not known."],
  ["BBands_20_1e3_upper", "The indicator is not known."],
  ["constructor", "The indicator is not known."],
])("%s is no member of a family: %s", async (name, text) => {
  for (const path of [
    `/v1/indicator?symbol=EURUSD&indicator=${name}`,
    `/v1/indicator/history?symbol=EURUSD&indicator=${name}`,
    `/v1/multi?symbols=EURUSD&indicators=${name}`,
    `/v1/screener?indicator=${name}`,
  ]) {
    const reply = await send(path);
    expectError(reply, 404, "INDICATOR_NOT_FOUND");
    expect(reply.text).toContain(text);
  }
});

test("Pivot points of days are refused at a timeframe of weeks", async () => {
  const reply = await send("/v1/indicator?symbol=EURUSD&indicator=Pivot_classic_day_P&timeframe=W1");
  expectError(reply, 400, "VALIDATION_ERROR");
  expect(reply.text).toContain("is computed from bars of D1 or shorter");
});

test("An unknown indicator is refused with suggestions and with all names", async () => {
  const reply = await send("/v1/indicator?symbol=EURUSD&indicator=EMA");
  expect(reply.json).toMatchObject({
    error: { suggestions: ["EMA_10", "EMA_20", "EMA_50"], available_indicators: indicatorNames },
  });
});

test("OpenAPI describes both shapes and both error formats", async () => {
  const { json } = await send("/v1/openapi.json", { key: null });
  const operation = (json as { paths: Record<string, { get: { responses: Record<string, object> } }> }).paths[
    "/v1/indicator"
  ]?.get;
  expect(JSON.stringify(operation?.responses["200"])).toMatch(
    /schemas\/IndicatorReading".*schemas\/FlatIndicatorReading"/,
  );
  expect(JSON.stringify(operation?.responses["401"])).toMatch(/schemas\/Error".*schemas\/FlatError"/);
});
