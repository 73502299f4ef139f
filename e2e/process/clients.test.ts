import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type * as Package from "@/clients/typescript/src/index";
import type * as NodePackage from "@/clients/typescript/src/node";
import { testAgents } from "@/e2e/process/agents";
import { startCutter } from "@/e2e/process/connection-cutter";
import { joinSharedServer, type SharedServer } from "@/e2e/process/shared-server";
import { readQuotes } from "@/e2e/process/stream-callers";
import { ORIGIN_MARK } from "@/features/docs/document";
import { CLIENTS } from "@/features/docs/guides/clients";
import { formatTime } from "@/lib/time/iso-time";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** The clients and the tools of agents against a whole server. */

let spotline: SharedServer;
let folder = "";
let client: typeof Package;
let onDisk: typeof NodePackage;

beforeAll(async () => {
  folder = mkdtempSync(join(process.cwd(), "node_modules", ".typescript-client-"));
  // What `npm run build:clients` does, in a folder of its own.
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "clients/typescript", "--outDir", folder]);
  client = (await import(pathToFileURL(join(folder, "index.js")).href)) as typeof Package;
  onDisk = (await import(pathToFileURL(join(folder, "node.js")).href)) as typeof NodePackage;
  spotline = await joinSharedServer();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await spotline.leave();
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

    const lastHour = { symbol: "BTCUSD", from: formatTime(HOUR - HOUR_MS), to: formatTime(HOUR) };
    // A server that starts after the turn of an hour computes the simulated past of that hour first.
    const hour = await vi.waitFor(
      async () => {
        const answer = await prices.ticks(lastHour);
        expect(answer.data.count).toBeGreaterThan(0);
        return answer;
      },
      { timeout: 60_000, interval: 500 },
    );
    const ticks = await collect(
      prices.ticksBetween({ symbol: "BTCUSD", from: HOUR - 90 * MINUTE_MS, to: new Date(HOUR) }),
    );
    expect(ticks.slice(-hour.data.count)).toEqual(hour.data.ticks);
    const symbols = await collect(prices.allSymbols());
    expect(symbols).toHaveLength((await prices.symbols()).data.total);
  });

  test("exports into files, continues a lost download, and downloads nothing twice", async () => {
    const prices = open((await spotline.createCaller("pro")).key);
    const target = mkdtempSync(join(folder, "export-"));
    const ranges: (string | null)[] = [];
    const request = globalThis.fetch;
    // The first answer of a file ends after a hundred bytes, as a lost connection does.
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const answer = await request(input, init);
      if (!String(input).includes("/v1/export/files/")) return answer;
      const headers = new Headers(init?.headers);
      expect(headers.has("x-api-key")).toBe(false);
      ranges.push(headers.get("range"));
      if (ranges.length > 1) return answer;
      const some = new Uint8Array(await answer.arrayBuffer()).subarray(0, 100);
      const body = new ReadableStream<Uint8Array>(
        {
          start: (controller) => controller.enqueue(some),
          pull: () => Promise.reject(new TypeError("terminated")),
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { status: answer.status, headers: answer.headers });
    });
    try {
      const states: string[] = [];
      const day = { from: formatTime(HOUR - DAY_MS), to: formatTime(HOUR) };
      const first = await onDisk.downloadExport(
        prices,
        { what: "bars", symbols: ["EURUSD", "BTCUSD"], timeframe: "M1", ...day, format: "csv" },
        { folder: target, onProgress: ({ state }, file) => states.push(file === null ? state : file.name) },
      );
      expect(first.files.length).toBeGreaterThan(0);
      expect(states.slice(-first.files.length)).toEqual(first.files.map(({ name }) => name));
      expect(ranges.slice(0, 2)).toEqual([null, "bytes=100-"]);
      const contents = first.files.map(({ path }) => readFileSync(path));
      expect(contents.map(({ length }) => length)).toEqual(first.files.map(({ bytes }) => bytes));
      expect(readdirSync(target).sort()).toEqual(first.files.map(({ name }) => name).sort());

      // An interrupted program has a part. A file of another content is downloaded again.
      const { path, sha256, bytes, name } = first.files[0] as (typeof first.files)[number];
      ranges.length = 0;
      renameSync(path, `${path}.${sha256.slice(0, 12)}.part`);
      truncateSync(`${path}.${sha256.slice(0, 12)}.part`, bytes - 10);
      await onDisk.downloadExport(prices, first.export.id, { folder: target });
      expect(ranges).toEqual([`bytes=${bytes - 10}-`]);
      await onDisk.downloadExport(prices, first.export.id, { folder: target });
      expect(ranges).toHaveLength(1);
      writeFileSync(path, Buffer.alloc(bytes));
      await onDisk.downloadExport(prices, first.export.id, { folder: target });
      expect(ranges).toEqual([`bytes=${bytes - 10}-`, null]);
      expect(first.files.map((file) => readFileSync(file.path))).toEqual(contents);

      // A part with another beginning is found by its SHA-256, and removed.
      rmSync(path);
      writeFileSync(`${path}.${sha256.slice(0, 12)}.part`, Buffer.alloc(50));
      await expect(onDisk.downloadExport(prices, first.export.id, { folder: target })).rejects.toMatchObject({
        name: "ExportError",
        message: `${name} did not arrive as the export lists it.`,
      });
      expect(readdirSync(target)).not.toContain(`${name}.${sha256.slice(0, 12)}.part`);

      const { data } = await prices.exports({ include: "files" });
      expect(data).toMatchObject({ total: 1, exports: [{ id: first.export.id, state: "done" }] });
      expect(data.exports[0]?.files?.map((file) => file.name)).toEqual(first.files.map((file) => file.name));
      await prices.deleteExport(first.export.id);
      await expect(onDisk.downloadExport(prices, first.export.id, { folder: target })).rejects.toMatchObject({
        code: "EXPORT_NOT_FOUND",
      });
    } finally {
      spy.mockRestore();
    }
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

describe("The guide to the clients", () => {
  test("has code that runs as it stands", async ({ skip }) => {
    const { key } = await spotline.createCaller("enterprise");
    const env = { ...process.env, SPOTLINE_KEY: key, PYTHONPATH: "clients/python/src", PYTHONDONTWRITEBYTECODE: "1" };
    const blocks = [...CLIENTS.replaceAll(ORIGIN_MARK, spotline.url).matchAll(/^```(\w+)\n([^]*?)^```$/gm)];
    expect(blocks.map(([, language]) => language)).toEqual(["ts", "ts", "ts", "ts", "python", "python", "python"]);
    for (const [, language, code = ""] of blocks) {
      if (language === "python" && PYTHON === null) return skip();
      const { stdout } = await promisify(execFile)(...(await formatCommand(language, code)), { env });
      expect(stdout, code).toMatch(/\d\.\d|404 SYMBOL_NOT_FOUND [\da-f]{32} \[/);
    }
  });
});

async function formatCommand(language: string | undefined, code: string): Promise<[string, string[]]> {
  if (language === "python") return [PYTHON ?? "python3", ["-c", code]];
  const program = await transform(code, { loader: "ts", format: "esm" });
  const built = pathToFileURL(join(folder, "index.js")).href;
  return [process.execPath, ["--input-type=module", "-e", program.code.replace("@spotline/client", built)]];
}

testAgents(() => spotline);
