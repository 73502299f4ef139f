import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { parse } from "csv-parse/sync";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { beforeAll, expect, test } from "vitest";
import { type DataOf, expectError, keys, readData, send, url } from "@/e2e/api/server";
import type { ohlcReply, ticksReply } from "@/lib/api/history/replies";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

type Candles = DataOf<typeof ohlcReply>;

type Ticks = DataOf<typeof ticksReply>;

const hasPython = spawnSync("python3", ["-c", ""]).status === 0;
if (!hasPython) console.warn("SKIPPED: tools/verify.py is not run, because there is no python3");

const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const range = (fromMs: number, toMs: number) =>
  `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
/** A closed hour of the past that the servers of these tests have. */
const CLOSED = range(hourMs - 3 * HOUR_MS, hourMs - 2 * HOUR_MS);

const fetchBytes = async (path: string) => {
  const response = await fetch(`${url}${path}`, { headers: { "X-API-Key": keys.full } });
  expect(response.status).toBe(200);
  return { headers: response.headers, bytes: await response.arrayBuffer() };
};
let expected: Ticks["ticks"] = [];
beforeAll(async () => {
  expected = readData<Ticks>(await send(`/v1/ticks?symbol=EURUSD&${CLOSED}`)).ticks;
  expect(expected.length).toBeGreaterThan(1_000);
});

test("/v1/export answers the rows of /v1/ticks as CSV", async () => {
  const reply = await send(`/v1/export?what=ticks&symbol=eur/usd&${CLOSED}`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(reply.headers.get("content-disposition")).toMatch(/^attachment; filename="EURUSD-ticks-[\dTZ-]+\.csv"$/);
  expect(reply.headers.get("x-coverage")).toBe(`${expected.length}/3600`);
  expect(reply.headers.get("x-data-mode")).toBe("simulated");
  const rows = parse(reply.text, { columns: true }) as Record<string, string>[];
  expect(new Set(rows.map(({ mode }) => mode))).toEqual(new Set(["simulated"]));
  expect(rows.map(({ symbol, time = "", bid, ask }) => [symbol, Date.parse(time), Number(bid), Number(ask)])).toEqual(
    expected.map(({ time, bid, ask }) => ["EURUSD", Date.parse(time), bid, ask]),
  );
});

test("/v1/export answers the same rows as Parquet, with a tag by which they are not sent again", async () => {
  const path = `/v1/export?what=ticks&symbol=EURUSD&${CLOSED}&format=parquet`;
  const { headers, bytes } = await fetchBytes(path);
  expect(headers.get("content-type")).toBe("application/vnd.apache.parquet");
  const rows = (await parquetReadObjects({ file: bytes })) as { time: Date; bid: number; ask: number }[];
  expect(rows.map(({ time, bid, ask }) => [time.getTime(), bid, ask])).toEqual(
    expected.map(({ time, bid, ask }) => [Date.parse(time), bid, ask]),
  );
  const facts = parquetMetadata(bytes).key_value_metadata;
  expect(facts).toContainEqual({ key: "spotline.symbol", value: "EURUSD" });
  expect(facts).toContainEqual({ key: "spotline.mode", value: "simulated" });
  const again = await send(path, { headers: { "If-None-Match": headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
});

test("/v1/export answers closed bars, and those of /v1/ohlc", async () => {
  const reply = await send(`/v1/export?what=bars&symbol=EURUSD&timeframe=m1&${CLOSED}`);
  const { candles } = readData<Candles>(await send(`/v1/ohlc?symbol=EURUSD&timeframe=M1&limit=60&${CLOSED}`));
  const rows = parse(reply.text, { columns: true }) as Record<string, string>[];
  expect(candles).toHaveLength(60);
  expect(rows.map(({ time, open, volume }) => ({ time, open: Number(open), volume: Number(volume) }))).toEqual(
    candles.map(({ time, open, volume }) => ({ time, open, volume })),
  );
  expect(reply.headers.get("x-coverage")).toBe("60/60");
  const open = await send(
    `/v1/export?what=bars&symbol=EURUSD&timeframe=M1&${range(hourMs - HOUR_MS, hourMs + HOUR_MS)}`,
  );
  for (const { time = "" } of parse(open.text, { columns: true }) as Record<string, string>[]) {
    expect(Date.parse(time)).toBeLessThan(hourMs);
  }
  expect(open.headers.get("etag")).toBeNull();
});

test("/v1/export answers the seconds that are being recorded", async () => {
  const now = Date.now();
  const around = range(now - HOUR_MS / 2, now + HOUR_MS / 2);
  for (const deadline = now + 20_000; ;) {
    const { ticks } = readData<Ticks>(await send(`/v1/ticks?symbol=EURUSD&${around}`));
    const { text } = await send(`/v1/export?what=ticks&symbol=EURUSD&${around}`);
    const rows = parse(text, { columns: true }) as { time: string }[];
    const last = rows.at(-1);
    const known = ticks.some(({ time }) => last !== undefined && Date.parse(time) === Date.parse(last.time));
    if (known && Date.parse(last?.time ?? "") > now - 5 * SECOND_MS) return;
    if (Date.now() > deadline) throw new Error(`the newest row is ${last?.time}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
});

test("/v1/export answers spreads by the minute", async () => {
  const reply = await send(`/v1/export?what=spreads&symbol=EURUSD&${range(hourMs - 24 * HOUR_MS, hourMs)}`);
  expect(reply.status).toBe(200);
  const [head, ...rows] = parse(reply.text) as string[][];
  expect(head).toEqual(["symbol", "time", "source", "samples", "min", "max", "mean", "deviation", "mode"]);
  for (const [symbol, , , samples, min, max, mean] of rows) {
    expect(symbol).toBe("EURUSD");
    expect([Number(samples) <= 60, Number(min) <= Number(mean), Number(mean) <= Number(max)]).toEqual([
      true,
      true,
      true,
    ]);
  }
});

test("/v1/export answers the quotes of all sources, of which /v1/quote shows the newest", async () => {
  const fields = ["symbol", "time", "source", "bid", "ask", "quoted_at", "stale_after_ms", "mode"];
  for (const deadline = Date.now() + 20_000; ;) {
    const shown = await send("/v1/quote?symbol=EURUSD&include_sources=true");
    const { sources } = readData<{ sources: { broker: string }[] }>(shown);
    const now = Date.now();
    const { text } = await send(`/v1/export?what=quotes&symbol=EURUSD&${range(now - HOUR_MS / 2, now + HOUR_MS / 2)}`);
    const [head, ...rows] = parse(text) as string[][];
    expect(head).toEqual(fields);
    const found = new Set(rows.map(([, , source]) => source));
    // A source without a connection was recorded before, and is not shown.
    if (found.size > 1 && sources.every(({ broker }) => found.has(broker))) {
      for (const [symbol, time = "", , bid, ask, quotedAt = "", staleAfterMs] of rows) {
        expect([symbol, Number(bid) < Number(ask), Number(staleAfterMs) > 0]).toEqual(["EURUSD", true, true]);
        expect(Math.abs(Date.parse(time) - Date.parse(quotedAt))).toBeLessThan(5 * SECOND_MS);
      }
      return;
    }
    if (Date.now() > deadline) throw new Error(`quotes of ${[...found].join(", ")} only`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
});

test("/v1/export answers the calendar and its changes, without released figures where the plan has none", async () => {
  // What is over changes no more: a figure could be released between two calls.
  const month = range(hourMs - 30 * 24 * HOUR_MS, hourMs - 24 * HOUR_MS);
  const reply = await send(`/v1/export?what=calendar&${month}`);
  expect([reply.status, reply.headers.get("x-data-mode")]).toEqual([200, "simulated"]);
  const events = parse(reply.text, { columns: true }) as Record<string, string>[];
  expect(events.some(({ actual }) => actual !== "")).toBe(true);
  const headers = { "If-None-Match": reply.headers.get("etag") ?? "" };
  expect((await send(`/v1/export?what=calendar&${month}`, { headers })).status).toBe(304);
  const changes = await send(`/v1/export?what=calendar_revisions&${month}`);
  expect(changes.text).toMatch(/^event_id,event_time,at,field,before,after,origin\r\n/);
  const payg = await send(`/v1/export?what=calendar&${month}`, { key: keys.payg });
  const hidden = parse(payg.text, { columns: true }) as Record<string, string>[];
  expect(hidden.map(({ id, actual }) => [id, actual])).toEqual(events.map(({ id }) => [id, ""]));
  const withFigures = await send(`/v1/export?what=calendar_revisions&${month}`, { key: keys.payg });
  expect(
    (parse(withFigures.text, { columns: true }) as { field: string }[]).filter(({ field }) => field === "actual"),
  ).toEqual([]);
  expectError(await send(`/v1/export?what=calendar&${month}`, { key: keys.free }), 403, "PLAN_UPGRADE_REQUIRED");
});

test("A range without rows that ends before the stored ones is refused with their beginning", async () => {
  const reply = await send("/v1/export?what=ticks&symbol=EURUSD&from=2001-01-01&to=2001-01-02");
  expectError(reply, 400, "DATA_OUTSIDE_RETENTION");
  expect(reply.json).toMatchObject({
    error: { earliest_available: expect.any(String), retention_period: "90 days" },
  });
});

test.each([
  ["what=ticks&symbol=EURUSD&from=2026-11-01&to=2026-11-02T00:00:01", "1d", "1d 1s"],
  ["what=spreads&symbol=EURUSD&from=2026-11-01&to=2026-11-09", "7d", "8d"],
  ["what=quotes&symbol=EURUSD&from=2026-11-01&to=2026-11-02", "1h", "1d"],
  ["what=calendar&from=2026-01-01&to=2026-11-02", "92d", "305d"],
])("A longer range is refused with the call that exports it: %s", async (query, longest, requested) => {
  const reply = await send(`/v1/export?${query}`);
  expectError(reply, 400, "RANGE_TOO_LARGE");
  expect(reply.json).toMatchObject({
    error: { requested_range: requested, max_range: longest, message: expect.stringContaining("POST /v1/export") },
  });
});

test.runIf(hasPython)("tools/verify.py finds nothing different in what a server answers", async () => {
  const words = ["tools/verify.py", "--server", url, "--symbol", "EURUSD", "--symbol", "XAUUSD", "--hours", "3"];
  const child = spawn("python3", words, { env: { ...process.env, SPOTLINE_API_KEY: keys.full } });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (text += String(bytes)));
  const [status] = (await once(child, "close")) as [number];
  // A new server may have too few bars for the strengths.
  expect(text).toMatch(
    /^Compared: \d+ bars, [56] hours, 24 indicators, \d+ links, \d+ spreads(, 8 strengths)?\. Differences: 0\.\n/,
  );
  expect(status).toBe(0);
});
