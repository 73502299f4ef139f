import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocketServer } from "ws";
import { createFrameRecorder } from "@/lib/feeds/live/frame-recorder";
import { replayFrames } from "@/lib/feeds/live/replay-frames";
import { Inlets } from "@/lib/feeds/mt5/inlets";
import type { FeedSetting } from "@/lib/feeds/settings/feed-setting";
import { listSecrets } from "@/lib/feeds/settings/secrets";
import { traderMade } from "@/lib/feeds/venues/tradermade";
import type { Logger } from "@/lib/platform/log/log";
import { openPrices } from "@/lib/runtime/prices";
import { readArguments } from "@/lib/runtime/run-server";

const TOKENS = { one: 'first/"token"?&é', two: "second/token+later==" };
const FROM_MS = Date.UTC(2026, 0, 14, 14);
const BIDS = [1.1, 1.1001, 1.1002];

/** A venue that repeats the key in several spellings, sends a price, and closes each connection but the last. */
async function openVenue() {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  let sent = 0;
  server.on("connection", (socket) =>
    socket.on("message", (data: Buffer) => {
      const { action, key } = JSON.parse(data.toString()) as { action: string; key: string };
      if (action === "login") {
        for (const echo of [key, encodeURIComponent(key), Buffer.from(`user:${key}`).toString("base64")]) {
          socket.send(JSON.stringify({ type: "echo", echo }));
        }
        socket.send(JSON.stringify({ type: "login_ok", symbol_limit: 10 }));
        return;
      }
      socket.send(JSON.stringify({ type: "sub_ack" }));
      const bid = BIDS[sent % BIDS.length] as number;
      socket.send(
        JSON.stringify({ t: "QUOTE", s: "EURUSD", b: bid, a: bid + 0.0001, ts: `20260114-14:00:0${sent++}.000` }),
      );
    }),
  );
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "spotline-frames-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function openLog() {
  const errors: unknown[] = [];
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (line: unknown) => void errors.push(line),
  } as unknown as Logger;
  return { log, errors };
}

function setting(name: keyof typeof TOKENS, url: string): FeedSetting {
  const shared = { priority: 0, symbols: ["EURUSD"], aliases: {}, hours: null, expectedRate: null };
  return { name, kind: "tradermade", ...shared, settings: { url }, secrets: { token: TOKENS[name] } };
}

async function run(url: string, file: string) {
  const { log, errors } = openLog();
  const toSettings = (feeds: FeedSetting[]) => ({ feeds, sourcePriority: [], file: null });
  const settings = toSettings([setting("one", url)]);
  const recorder = createFrameRecorder({ file, secrets: listSecrets(settings.feeds), log });
  const prices = openPrices({
    ...{ settings, log, recorder, storedUntilMs: null, inlets: new Inlets(), dataDir: "/nowhere" },
    instruments: { name: () => Promise.resolve() },
    summariseGaps: () => ({ count: 0, latest: [] }),
    ...{ system: () => FROM_MS, monotonic: () => 0 },
  });
  const quotes: [string, number][] = [];
  prices.onQuote(({ source, bid }) => void quotes.push([source, bid]));
  await prices.start(async () => {});
  await vi.waitFor(() => expect(quotes).toHaveLength(1), { timeout: 20_000 });
  await prices.apply(toSettings([setting("one", url), setting("two", url)]));
  await vi.waitFor(() => expect(quotes).toHaveLength(2), { timeout: 20_000 });
  await prices.stop();
  return { quotes, errors };
}

test("What venues send and are sent is recorded without any secret, and gives the same ticks again", async () => {
  const file = join(openFolder(), "frames.jsonl");
  writeFileSync(file, '{"atMs":1,"source":"one","direct');
  chmodSync(file, 0o644);
  const { quotes } = await run(await openVenue(), file);
  expect(quotes).toEqual([
    ["one", 1.1],
    ["two", 1.1001],
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, "utf8").split("\n");
  const everything = lines.join();
  expect(everything).toContain('"direction":"sent"');
  expect(everything).toContain('"direction":"received"');
  expect(everything).toContain('\\"key\\":\\"***\\"');
  for (const token of Object.values(TOKENS)) {
    const middle = Buffer.from(token).toString("base64").slice(4, 12);
    const json = JSON.stringify(token).slice(1, -1);
    for (const spelling of [token, json, encodeURIComponent(token), middle]) expect(everything).not.toContain(spelling);
  }
  expect(everything).not.toMatch(/first|second/);
  const request = { symbols: ["EURUSD"], token: "" };
  for (const [source, bid] of quotes) {
    const ticks = replayFrames(lines, source, (connection) => traderMade.createProtocol(connection, request));
    expect(ticks.map((tick) => [tick.source, tick.bid, tick.receivedAtMs])).toEqual([[source, bid, FROM_MS]]);
  }
});

test.each(["/no/such/folder/frames.jsonl", "/dev/full"])(
  "A recording in %s, which cannot be written, is one line of the log and ends nothing",
  async (file) => {
    const { quotes, errors } = await run(await openVenue(), file);
    expect(quotes).toHaveLength(2);
    expect(errors).toEqual([expect.objectContaining({ file })]);
  },
);

test("A recording continues in the file of an earlier one, and each connection is replayed by itself", async () => {
  const file = join(openFolder(), "frames.jsonl");
  const { log } = openLog();
  for (const atMs of [1, 2]) {
    const recorder = createFrameRecorder({ file, secrets: [], log });
    recorder.record("one", "opened", "", atMs);
    recorder.record("one", "received", "a price", atMs);
    await recorder.close();
  }
  let connections = 0;
  const ticks = replayFrames(readFileSync(file, "utf8").split("\n"), "one", (connection) => {
    const connected = ++connections;
    return { opened: () => {}, received: () => connection.price("EURUSD", connected, connected + 1, null) };
  });
  expect(ticks.map(({ bid, receivedAtMs }) => [bid, receivedAtMs])).toEqual([
    [2, 1],
    [3, 2],
  ]);
});

test("The argument --record names the file, and any other argument is refused", () => {
  expect(readArguments([])).toEqual({});
  expect(readArguments(["--record", "a.jsonl"])).toEqual({ SPOTLINE_RECORD_FRAMES: "a.jsonl" });
  expect(readArguments(["--record=a.jsonl"])).toEqual({ SPOTLINE_RECORD_FRAMES: "a.jsonl" });
  for (const args of [["--record"], ["--record="], ["--recrod", "x"], ["x"]]) {
    expect(() => readArguments(args)).toThrow(/--record/);
  }
});
