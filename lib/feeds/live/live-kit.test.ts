import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPrice, readTime } from "@/lib/feeds/live/connector";
import { createFrameRecorder } from "@/lib/feeds/live/frame-recorder";
import { RetryPause } from "@/lib/feeds/live/live-feed";
import { replayFrames } from "@/lib/feeds/live/replay-frames";
import { LineSplitter } from "@/lib/feeds/live/wires";
import { kraken } from "@/lib/feeds/venues/kraken";
import { silentLog } from "@/lib/platform/log/log";

describe("the pauses between attempts to connect", () => {
  const times = { silenceMs: 1, retryMs: 1_000, maxRetryMs: 10_000 };

  test("double up to the longest, and begin again after a connection that lasted", () => {
    const pause = new RetryPause(times, () => 0);
    const pauses = [0, 0, 0, 0, 0, 59_999, 60_000, 0].map((lastedMs) => pause.next(lastedMs));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 1_000, 2_000]);
  });

  test("are spread by chance, never below the venue's limit", () => {
    const longest = new RetryPause(times, () => 0.999);
    expect(longest.next(0)).toBeCloseTo(1_500, -1);
    expect(new RetryPause(times, () => 0).next(0)).toBe(times.retryMs);
  });

  test("are at least as long as the venue demands", () => {
    expect(new RetryPause(times, () => 0).next(0, 60_000)).toBe(60_000);
  });
});

describe("lines of a stream", () => {
  const text = '{"a":"€"}\r\n\n{"b":1}\n{"unfinished';

  test("are the same wherever the chunks end, also within a character", () => {
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at++) {
      const splitter = new LineSplitter();
      const lines = [...splitter.split(bytes.subarray(0, at)), ...splitter.split(bytes.subarray(at))];
      expect(lines).toEqual(['{"a":"€"}', '{"b":1}']);
    }
  });

  test("end the connection when one never ends", () => {
    const splitter = new LineSplitter();
    const chunk = "x".repeat(9 * 1_024 * 1_024);
    splitter.split(chunk);
    expect(() => splitter.split(chunk)).toThrow("characters");
  });
});

test.each([
  ["2026-09-24T03:54:18.054886Z", Date.parse("2026-09-24T03:54:18.054Z")],
  ["2024-06-14T12:00:05.000000000Z", Date.parse("2024-06-14T12:00:05Z")],
  ["2019-07-05T15:49:15.157000+00:00", Date.parse("2019-07-05T15:49:15.157Z")],
  ["", null],
  [undefined, null],
])("The time %j is read to the millisecond", (text, expected) => {
  expect(readTime(text)).toBe(expected);
});

test.each([
  ["1.5", 1.5],
  [1.5, 1.5],
  ["", NaN],
  [null, NaN],
  ["1,5", NaN],
])("The price %j is read as %d", (value, expected) => {
  expect(readPrice(value)).toBe(expected);
});

describe("a recording of frames", () => {
  test("has no secret in any spelling, can be read by its owner only, and gives the same ticks again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "spotline-frames-"));
    try {
      const file = join(folder, "frames.jsonl");
      const recorder = createFrameRecorder({ file, secrets: ['to"ken&1', ""], log: silentLog });
      recorder.record("kraken", "sent", JSON.stringify({ key: 'to"ken&1' }), 1);
      recorder.record("kraken", "sent", `/path?key=${encodeURIComponent('to"ken&1')}`, 2);
      recorder.record("kraken", "received", Buffer.from([0xff, 0xfe, ...Buffer.from('to"ken&1')]), 3);
      const ticker = { channel: "ticker", type: "update", data: [{ symbol: "BTC/USD", bid: 1, ask: 2 }] };
      recorder.record("other", "received", JSON.stringify(ticker), 4);
      recorder.record("kraken", "received", Buffer.from(JSON.stringify(ticker)), 5);
      await recorder.close();
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const lines = readFileSync(file, "utf8").split("\n");
      const bytes = lines.map((line) => (/"bytes":"([^"]*)"/.exec(line)?.[1] ?? "") as string);
      const everything = lines.join() + bytes.map((each) => Buffer.from(each, "base64").toString("latin1")).join();
      expect(everything).not.toMatch(/to\\?"ken|to%22ken/);
      const createProtocol = (connection: Parameters<typeof kraken.createProtocol>[0]) =>
        kraken.createProtocol(connection, { symbols: ["BTC/USD"], token: "" });
      // The frame of bytes is no message of this venue.
      const frames = lines.filter((line) => !line.includes('"bytes"'));
      expect(replayFrames(frames, "kraken", createProtocol)).toEqual([
        { source: "kraken", brokerSymbol: "BTC/USD", bid: 1, ask: 2, brokerTimeMs: 5, receivedAtMs: 5 },
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
