import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Logger, silentLog } from "@/lib/platform/log/log";
import { RedisStreams } from "@/lib/platform/redis-stream";
import { canRunRedis, startTestRedis, type TestRedis } from "@/lib/platform/testing/redis";

const TIME = { timeout: 20_000, interval: 50 };

describe.runIf(canRunRedis)("A reader of a stream", () => {
  let redis: TestRedis;
  let streams: RedisStreams;
  let probes = 0;
  const read: string[] = [];
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (...line: unknown[]) => errors.push(line) } as unknown as Logger;
  beforeAll(async () => {
    redis = await startTestRedis();
    streams = new RedisStreams({ url: redis.url, log });
    streams.start();
    streams.follow("changes", (text) => read.push(text));
    await waitForReader();
  }, 30_000);
  afterAll(async () => {
    streams.stop();
    await redis.remove();
  });

  const add = (text: string) => redis.command("xadd", "changes", "*", "m", text);

  /** Adds entries until one is read, since a reader begins with those that are added after its start; then reads the rest. */
  async function waitForReader(): Promise<void> {
    const before = read.length;
    await vi.waitFor(() => {
      add(`probe${++probes}`);
      expect(read.length).toBeGreaterThan(before);
    }, TIME);
    await vi.waitFor(() => expect(read.at(-1)).toBe(`probe${probes}`), TIME);
    read.length = 0;
  }

  const cutConnections = () => redis.command("client", "kill", "type", "normal");

  test("that begins with a Redis that answers logs no error", () => expect(errors).toEqual([]));

  test("gets what was added while its connection was lost, once and in order", async () => {
    const expected = Array.from({ length: 20 }, (_, at) => String(at));
    for (const text of expected) {
      if (text === "5") cutConnections();
      add(text);
    }
    await vi.waitFor(() => expect(read).toHaveLength(expected.length), TIME);
    expect(read).toEqual(expected);
    read.length = 0;
  });

  test("continues with the oldest entry that is left when those that it lacks were removed", async () => {
    cutConnections();
    for (const text of ["lost", "left", "newest"]) add(text);
    redis.command("xtrim", "changes", "MAXLEN", "2");
    await vi.waitFor(() => expect(read.at(-1)).toBe("newest"), TIME);
    expect(read.slice(-2)).toEqual(["left", "newest"]);
    read.length = 0;
  });

  test("continues with a Redis that was started again, empty", async () => {
    await redis.restart();
    await waitForReader();
    add("after");
    await vi.waitFor(() => expect(read).toEqual(["after"]), TIME);
  });
});
