import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { silentLog } from "@/lib/platform/log/log";
import { RedisStreams } from "@/lib/platform/redis-stream";
import { canRunRedis, startTestRedis, type TestRedis } from "@/lib/platform/testing/redis";

describe.runIf(canRunRedis)("A reader of a stream", () => {
  let redis: TestRedis;
  let streams: RedisStreams;
  const read: string[] = [];
  beforeAll(async () => {
    redis = await startTestRedis();
    streams = new RedisStreams({ url: redis.url, log: silentLog });
    streams.start();
    void streams.follow("changes", (text) => read.push(text));
    await waitForReader();
  });
  afterAll(async () => {
    streams.stop();
    await redis.remove();
  });

  const add = (text: string) => redis.command("xadd", "changes", "*", "m", text);

  /** Adds entries until one is read, since a reader begins with those that are added after its start. */
  async function waitForReader(): Promise<void> {
    const before = read.length;
    await vi.waitFor(
      () => {
        add("probe");
        expect(read.length).toBeGreaterThan(before);
      },
      { timeout: 10_000, interval: 50 },
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    read.length = 0;
  }

  test("gets what was added while its connection was lost", async () => {
    const expected = Array.from({ length: 20 }, (_, at) => String(at));
    for (const text of expected) {
      if (text === "5") redis.command("client", "kill", "type", "normal");
      add(text);
    }
    await expect.poll(() => read.length, { timeout: 10_000 }).toBe(expected.length);
    expect(read).toEqual(expected);
  });

  test("continues with a Redis that was started again, empty", async () => {
    await redis.restart();
    await waitForReader();
    add("after");
    await expect.poll(() => read).toEqual(["after"]);
  });
});
