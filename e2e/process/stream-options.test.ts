import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { joinSharedServer, type SharedServer } from "@/e2e/process/shared-server";
import { readQuotes, readSome } from "@/e2e/process/stream-callers";
import { type EventStream, openEvents, type Quote } from "@/e2e/support/event-client";

/** The options and the documentation of streams, over sockets of a whole server. */

let spotline: SharedServer;
const opened: EventStream[] = [];

beforeAll(async () => {
  spotline = await joinSharedServer();
});
afterAll(() => spotline.leave());
afterEach(() => opened.splice(0).forEach((stream) => stream.close()));

async function open(key: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
  const stream = await openEvents(spotline.url + path, { "X-API-Key": key, ...headers });
  opened.push(stream);
  return stream;
}

const countEvents = ({ events }: EventStream, name: string) => events.filter((event) => event.name === name).length;
const readError = (stream: EventStream) =>
  (JSON.parse(stream.text()) as { error: Readonly<Record<string, unknown>> }).error;

describe("The options of a stream", () => {
  test("choose fields, sources and bars, and continue after a kill at any byte", async () => {
    const { key } = await spotline.createCaller();
    const path = "/v1/stream?symbols=EURUSD,GBPUSD&fields=bid,ask&sources=all&bars=1s";
    const first = await open(key, path);
    expect(first.status).toBe(200);
    const countSources = () =>
      new Set(first.events.map(({ data }) => (data as { source?: string }).source).filter(Boolean)).size;
    // Sources quote less often when New York closes.
    await vi.waitFor(() => {
      expect(countEvents(first, "bar")).toBeGreaterThan(1);
      expect(countSources()).toBeGreaterThan(1);
    }, 15_000);
    const quote = first.events.find(({ name }) => name === "quote")?.data as object;
    expect(Object.keys(quote)).toEqual(["symbol", "source", "bid", "ask"]);
    const { parser } = first;
    first.close();
    const bars = new Map<string, unknown>();
    const note = ({ name, data }: (typeof first.events)[number]) => {
      const { symbol, time } = data as { symbol: string; time: string };
      if (name === "bar") bars.set(`${symbol} ${time}`, data);
    };
    first.events.forEach(note);
    for (let cut = 0; cut < 4; cut++) {
      for (const event of parser.push(await readSome(spotline.url, path, key, parser.lastId, 90 + cut * 613)))
        note(event);
      parser.dropRest();
    }
    const last = await open(key, path, { "Last-Event-ID": parser.lastId ?? "" });
    await vi.waitFor(() => expect(countEvents(last, "bar")).toBeGreaterThan(1), 15_000);
    expect(countEvents(last, "snapshot")).toBe(0);
    last.events.forEach(note);
    for (const symbol of ["EURUSD", "GBPUSD"]) {
      const times = [...bars.keys()].filter((each) => each.startsWith(symbol));
      expect(new Set(times).size).toBe(times.length);
    }
  });

  test.each([
    ["fields=colour", 400, "VALIDATION_ERROR"],
    ["sources=", 400, "VALIDATION_ERROR"],
    ["sources=nobody", 404, "SOURCE_NOT_FOUND"],
    ["bars=5s", 400, "VALIDATION_ERROR"],
    ["events=huge", 400, "VALIDATION_ERROR"],
    ["resolution=tick", 400, "VALIDATION_ERROR"],
    ["from=2026-01-01&resolution=2s", 400, "VALIDATION_ERROR"],
  ])("refuse %s", async (search, status, code) => {
    const { key } = await spotline.createCaller();
    const stream = await open(key, `/v1/stream?symbols=EURUSD&${search}`);
    await stream.ended;
    expect([stream.status, readError(stream)]).toMatchObject([status, { code }]);
  });

  test("refuse a replay of ticks where none are kept, and say which setting keeps them", async () => {
    const { key } = await spotline.createCaller();
    await vi.waitFor(async () => {
      const from = new Date(Date.now() - 3_000).toISOString();
      const stream = await open(key, `/v1/stream?symbols=EURUSD&resolution=tick&from=${from}`);
      await stream.ended;
      expect([stream.status, readError(stream)]).toMatchObject([404, { code: "DATA_NOT_FOUND" }]);
      expect(readError(stream).message).toContain("SPOTLINE_KEEP_TICKS");
    }, 15_000);
  });

  test.each([
    ["free", {}, "PLAN_UPGRADE_REQUIRED"],
    ["payg", {}, "PLAN_UPGRADE_REQUIRED"],
    ["pro", { endpoints: ["/v1/stream"] }, "PERMISSION_DENIED"],
  ] as const)("refuse releases to a key of the plan %s with %j", async (plan, rest, code) => {
    const stream = await open((await spotline.createCaller(plan, rest)).key, "/v1/stream?symbols=EURUSD&events=all");
    await stream.ended;
    expect([stream.status, readError(stream)]).toMatchObject([403, { code }]);
    expect((await open((await spotline.createCaller("pro")).key, "/v1/stream?symbols=EURUSD&events=all")).status).toBe(
      200,
    );
  });
});

describe("The documentation of streams", () => {
  const documentation = readFileSync("docs/streaming.md", "utf8");
  const findCode = (language: string) => documentation.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";

  test("has a command that prints quotes", async () => {
    const { key } = await spotline.createCaller("free");
    const command = findCode("sh").replace("http://localhost:3000", spotline.url).replace("curl", "curl -s -m 3");
    const options = { env: { ...process.env, SPOTLINE_KEY: key } };
    const { stdout } = await promisify(execFile)("sh", ["-c", command], options).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toMatch(/^event: snapshot\ndata: \{"quotes":\[\{"symbol":"EURUSD"/m);
  });

  test("has a program that follows quotes until its key ends", async () => {
    const { id, key } = await spotline.createCaller();
    const { code } = await transform(findCode("ts"), { loader: "ts", format: "esm" });
    const { follow } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      follow(url: string, key: string, quotes: Map<string, Quote>): Promise<string>;
    };
    const held = new Map<string, Quote>();
    const ended = follow(`${spotline.url}/v1/stream?symbols=EURUSD,GBPUSD,USDJPY`, key, held);
    await vi.waitFor(
      async () => expect(held).toEqual(await readQuotes(spotline, key, ["EURUSD", "GBPUSD", "USDJPY"])),
      {
        timeout: 20_000,
        interval: 200,
      },
    );
    await spotline.revoke(id);
    expect(await ended).toBe("The API key has been revoked.");
  });
});
