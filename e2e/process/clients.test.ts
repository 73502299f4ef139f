import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type * as Package from "@/clients/typescript/src/index";
import {
  connectOverHttp,
  connectOverPipes,
  INITIALIZE,
  sendMessage,
  type ToolAnswer,
} from "@/e2e/process/agent-client";
import { startCutter } from "@/e2e/process/connection-cutter";
import { readQuotes, startStreamServer, type StreamServer } from "@/e2e/process/stream-callers";
import { formatTime } from "@/lib/time/iso-time";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** The clients and the tools of agents against a whole server. */

let spotline: StreamServer;
let folder = "";
let client: typeof Package;

beforeAll(async () => {
  folder = mkdtempSync(join(process.cwd(), "node_modules", ".typescript-client-"));
  // What `npm run build:clients` does, in a folder of its own.
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "clients/typescript", "--outDir", folder]);
  client = (await import(pathToFileURL(join(folder, "index.js")).href)) as typeof Package;
  spotline = await startStreamServer();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await spotline.stop();
});

const open = (key: string, rest: Partial<Package.ClientOptions> = {}) =>
  new client.Spotline({ url: spotline.url, key, ...rest });

/** The last whole hour before the newest past of the test database. */
const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;

async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

describe("The TypeScript client", () => {
  test("makes typed calls, and reads what headers say", async () => {
    const prices = open((await spotline.createCaller("pro")).key);
    const { data, meta } = await prices.quote({ symbol: "EUR/USD", include_sources: true });
    expect(data).toMatchObject({ symbol: "EURUSD", bid: expect.any(Number) as number });
    expect(meta).toMatchObject({ status: 200, dataMode: "simulated", rateLimit: { limit: 600 }, ignored: [] });
    const { data: many } = await prices.quotes({ symbols: ["EURUSD", "NOPE1"] });
    expect(many).toMatchObject({ count: 1, not_found: ["NOPE1"] });
    expect((await prices.symbol("GOLD")).data.symbol).toBe("XAUUSD");
    expect((await prices.ready()).data.status).toMatch(/ok|degraded/);
    await expect(prices.quote({ symbol: "EURUSDD" })).rejects.toMatchObject({
      code: "SYMBOL_NOT_FOUND",
      status: 404,
      requestId: expect.stringMatching(/^[\da-f]{32}$/) as string,
      fields: { suggestions: expect.arrayContaining(["EURUSD"]) as string[] },
    });
    await expect(open("wrong").sessions()).rejects.toMatchObject({ code: "INVALID_API_KEY", status: 401 });
  });

  test("waits until the minute of a used-up key ends, unless that takes too long", async () => {
    const { key } = await spotline.createCaller("enterprise", { perMinute: 2 });
    const hasty = open(key, { retry: { maxRetryAfterMs: 10 } });
    await hasty.sessions();
    await hasty.sessions();
    await expect(hasty.sessions()).rejects.toMatchObject({ name: "RateLimitError", code: "RATE_LIMIT_EXCEEDED" });
    const controller = new AbortController();
    const waiting = open(key).sessions({}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("not needed")), 300);
    await expect(waiting).rejects.toThrow("not needed");
  });

  test("reads all pages of bars, ticks and symbols", async () => {
    const prices = open((await spotline.createCaller("pro")).key);
    const range = { symbol: "EURUSD", timeframe: "M1", to: formatTime(HOUR) } as const;
    const from = formatTime(HOUR - 3 * DAY_MS);
    const bars = await collect(prices.bars({ ...range, from }));
    const times = bars.map(({ time }) => Date.parse(time));
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
    // The server cuts an answer at a thousand bars.
    const { data } = await prices.ohlc({ ...range, from, limit: 1_000 });
    expect(bars.slice(0, data.count)).toEqual(data.candles);
    const last = await prices.ohlc({ ...range, limit: 10 });
    expect(bars.slice(-10)).toEqual(last.data.candles);

    const ticks = await collect(
      prices.ticksBetween({ symbol: "BTCUSD", from: HOUR - 90 * MINUTE_MS, to: new Date(HOUR) }),
    );
    const hour = await prices.ticks({ symbol: "BTCUSD", from: formatTime(HOUR - HOUR_MS), to: formatTime(HOUR) });
    expect(hour.data.count).toBeGreaterThan(0);
    expect(ticks.slice(-hour.data.count)).toEqual(hour.data.ticks);
    const symbols = await collect(prices.allSymbols());
    expect(symbols).toHaveLength((await prices.symbols()).data.total);
  });

  test("follows prices through cut connections, until the key is revoked", async () => {
    const { id, key } = await spotline.createCaller();
    const proxy = await startCutter(spotline.url);
    const symbols = ["EURUSD", "GBPUSD", "USDJPY"];
    const lost = vi.fn();
    const stream = open(key, { url: proxy.url }).stream({ symbols, onDisconnect: lost });
    const types: string[] = [];
    const reading = (async () => {
      for await (const { type } of stream) {
        types.push(type);
        // Each new connection is cut after a few updates, between or in the middle of events.
        if (types.length % 4 === 0 && lost.mock.calls.length < 3) proxy.cut();
      }
    })();
    await vi.waitFor(() => expect(lost.mock.calls.length).toBe(3), { timeout: 40_000, interval: 50 });
    await vi.waitFor(() => expect(stream.connected).toBe(true), 20_000);
    await vi.waitFor(async () => expect(new Map(stream.quotes)).toEqual(await readQuotes(spotline, key, symbols)), {
      timeout: 20_000,
      interval: 50,
    });
    // The server knows the position, so there was only one snapshot.
    expect(types.filter((type) => type === "snapshot")).toHaveLength(1);
    await spotline.revoke(id);
    await expect(reading).rejects.toMatchObject({ code: "API_KEY_DISABLED" });
    proxy.close();
  });
});

/** The first Python that has httpx; null if none has. */
const PYTHON =
  ["python3", "/usr/bin/python3"].find((each) => spawnSync(each, ["-c", "import httpx"]).status === 0) ?? null;

describe("The Python client", () => {
  test("passes its own tests against the server", async ({ skip }) => {
    if (PYTHON === null) {
      process.stderr.write("SKIPPED: the Python client, because no python3 has httpx (Debian: python3-httpx).\n");
      return skip();
    }
    const { key } = await spotline.createCaller("pro");
    const env = { ...process.env, SPOTLINE_URL: spotline.url, SPOTLINE_KEY: key, PYTHONPATH: "clients/python/src" };
    const words = ["-B", "-W", "error", "-m", "unittest", "discover", "-s", "clients/python/tests"];
    const { stderr } = await promisify(execFile)(PYTHON, words, { env }).catch((error: { stderr: string }) => error);
    expect(stderr).toMatch(/\nOK( \(skipped=1\))?\n$/);
  });
});

describe("Agents over HTTP", () => {
  test("use every tool with the data of the API, which says that it is simulated", async () => {
    const { key } = await spotline.createCaller("enterprise");
    const { agent, run } = await connectOverHttp(spotline.url, { Authorization: `Bearer ${key}` });
    const { tools } = await agent.listTools();
    const given: Record<string, unknown> = { symbol: "EURUSD", symbols: ["EURUSD"], indicator: "RSI_14" };
    for (const { name, inputSchema } of tools) {
      const needed = Object.fromEntries((inputSchema.required ?? []).map((each) => [each, given[each]]));
      const { isError, content, structuredContent } = await run(name, needed);
      // Only some pairs have a past here, and strength needs all.
      if (name === "get_currency_strength" && isError) expect(content[0]?.text).toMatch(/^DATA_NOT_FOUND/);
      else expect([name, isError, typeof structuredContent.data]).toEqual([name, undefined, "object"]);
    }
    const { structuredContent, content } = await run("get_quote", { symbol: "EUR/USD" });
    expect(structuredContent).toMatchObject({
      data: { symbol: "EURUSD" },
      data_mode: "simulated",
      quote_state: expect.any(String) as string,
    });
    expect(content[0]?.text).toMatch(/NOTE: this data is simulated/);
    expect(await run("get_quote", { symbol: "EURUSDD" })).toMatchObject({
      isError: true,
      structuredContent: {
        error: { code: "SYMBOL_NOT_FOUND", suggestions: expect.arrayContaining(["EURUSD"]) as string[] },
      },
    });
    await expect(run("no_such_tool")).rejects.toThrow(/no tool/);
    await agent.close();
  });

  test("are admitted like any call: by scope, symbol, plan and minute, and each call of a tool counts once", async () => {
    const limited = await spotline.createCaller("free", { scopes: ["quotes"], symbols: ["EURUSD"], perMinute: 4 });
    const { run } = await connectOverHttp(spotline.url, { "X-API-Key": limited.key });
    const readCode = async (name: string, given: Record<string, unknown> = {}) =>
      ((await run(name, given)).structuredContent.error as { code: string } | undefined)?.code;
    const account = (await run("get_account")).structuredContent.data as { daily_used: number };
    expect(await readCode("get_bars", { symbol: "EURUSD" })).toBe("PERMISSION_DENIED");
    expect(await readCode("get_quote", { symbol: "GBPUSD" })).toBe("PERMISSION_DENIED");
    expect(await readCode("get_quote", { symbol: "EURUSD" })).toBeUndefined();
    expect(await readCode("get_quote", { symbol: "EURUSD" })).toBe("RATE_LIMIT_EXCEEDED");
    const used = await spotline.createCaller("free");
    const other = await connectOverHttp(spotline.url, { "X-API-Key": used.key });
    expect(await (await other.run("get_calendar")).structuredContent.error).toMatchObject({
      code: "PLAN_UPGRADE_REQUIRED",
    });
    await other.run("get_sessions");
    const after = (await other.run("get_account")).structuredContent.data as { daily_used: number };
    // The call that reads the number counts, too; refused ones do not.
    expect([account.daily_used, after.daily_used]).toEqual([1, 2]);
  });

  test("are refused without a valid key, from other sites, and with anything but one small message", async () => {
    const { id, key } = await spotline.createCaller();
    const blocked = await spotline.createCaller("pro", { addresses: ["203.0.113.0/24"] });
    const refusals: [Response, number, string][] = [
      [await sendMessage(spotline.url, {}), 401, "MISSING_API_KEY"],
      [await sendMessage(spotline.url, { "X-API-Key": "wrong" }), 401, "INVALID_API_KEY"],
      [await sendMessage(spotline.url, { "X-API-Key": blocked.key }), 403, "IP_NOT_ALLOWED"],
      [await sendMessage(spotline.url, { "X-API-Key": key, Origin: "https://evil.example" }), 403, "PERMISSION_DENIED"],
      [await sendMessage(spotline.url, { "X-API-Key": key }, "{"), 400, "VALIDATION_ERROR"],
      [
        await sendMessage(spotline.url, { "X-API-Key": key }, `[${JSON.stringify(INITIALIZE)}]`),
        400,
        "VALIDATION_ERROR",
      ],
      [await sendMessage(spotline.url, { "X-API-Key": key }, `"${"x".repeat(70_000)}"`), 413, "PAYLOAD_TOO_LARGE"],
      [await sendMessage(spotline.url, { "X-API-Key": key }, "", "GET"), 405, "METHOD_NOT_ALLOWED"],
      [await sendMessage(spotline.url, { "X-API-Key": key }, "", "DELETE"), 405, "METHOD_NOT_ALLOWED"],
    ];
    for (const [response, status, code] of refusals)
      expect([response.status, await response.json()]).toMatchObject([status, { success: false, error: { code } }]);
    expect((await sendMessage(spotline.url, { "X-API-Key": key, Accept: "text/html" })).status).toBe(406);
    expect((await sendMessage(spotline.url, { "X-API-Key": key }, '{"jsonrpc":"2.0"}')).status).toBe(400);
    expect((await fetch(`${spotline.url}/%6Dcp`, { method: "POST" })).status).toBe(404);
    const initialized = await sendMessage(spotline.url, { "X-API-Key": key });
    expect(initialized.headers.get("mcp-session-id")).toBeNull();
    expect(await initialized.json()).toMatchObject({ result: { serverInfo: { name: "spotline" } } });
    await spotline.revoke(id);
    await vi.waitFor(
      async () => expect((await sendMessage(spotline.url, { "X-API-Key": key })).status).toBe(401),
      5_000,
    );
  });
});

describe("Agents over standard input and output", () => {
  test("use the same tools over the API", async () => {
    const { agent, run } = await connectOverPipes(spotline.url, (await spotline.createCaller("pro")).key);
    expect((await agent.listTools()).tools.length).toBeGreaterThan(10);
    expect(await run("get_quotes", { symbols: ["EURUSD", "NOPE1"] })).toMatchObject({
      structuredContent: { data: { count: 1, not_found: ["NOPE1"] }, data_mode: "simulated" },
    });
    expect((await run("get_quote", { symbol: "NOPE1" })).content[0]?.text).toMatch(/^SYMBOL_NOT_FOUND/);
    await agent.close();
  });

  test("are told when no server answers, and get every answer when the input ends", async () => {
    const lines = [
      INITIALIZE,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "get_sessions" } },
    ];
    const env = { PATH: process.env.PATH, SPOTLINE_URL: "http://127.0.0.1:9", SPOTLINE_KEY: "x" };
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const run = (settings: NodeJS.ProcessEnv) =>
      spawnSync(process.execPath, ["cli/launch.mjs", "mcp"], { input, env: settings, encoding: "utf8" });
    const { stdout, status } = run(env as NodeJS.ProcessEnv);
    expect(status).toBe(0);
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number; result: ToolAnswer });
    expect(answers.find(({ id }) => id === 2)?.result.content[0]?.text).toMatch(
      /^SERVICE_UNAVAILABLE: No server answers/,
    );
    expect(run({ PATH: process.env.PATH } as NodeJS.ProcessEnv)).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("SPOTLINE_KEY is missing") as string,
    });
  });
});
