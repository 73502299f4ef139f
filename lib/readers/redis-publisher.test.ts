import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { silentLog } from "@/lib/platform/log/log";
import { Publisher } from "@/lib/readers/publisher";
import {
  CHANGES_STREAM,
  type PublishedMessage,
  type ReaderRequest,
  RedisPublisher,
} from "@/lib/readers/redis-publisher";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SAVE_MS = 20;

/** A publisher without prices, and what it adds to the stream of changes. */
function open() {
  let fence: number | null = 1;
  let saves = 0;
  const publisher = new Publisher({
    ...{ book: { sources: () => [], findGapMs: () => undefined }, listSources: () => [], instruments: [] },
    ...{ isInPast: false, marketNow: Date.now, lagMs: () => 0, everyMs: 10, log: silentLog },
    async saveHistory() {
      saves++;
      await new Promise((resolve) => setTimeout(resolve, SAVE_MS));
    },
  });
  const published: PublishedMessage[] = [];
  let pass: (text: string) => void = () => {};
  const streams = {
    add(stream: string, text: string) {
      expect(stream).toBe(CHANGES_STREAM);
      published.push(JSON.parse(text) as PublishedMessage);
    },
    follow: async (_: string, onEntry: (text: string, atMs: number) => void) =>
      void (pass = (text) => onEntry(text, Date.now())),
  };
  const redisPublisher = new RedisPublisher({ streams, publisher, readFence: () => fence });
  redisPublisher.start();
  return {
    request: (body: ReaderRequest) => pass(JSON.stringify(body)),
    /** Begins to record, or becomes the standby of another server. */
    setFence(to: number | null) {
      fence = to;
      if (to !== null) redisPublisher.onRecording();
    },
    countPublished: () => published.length,
    countSnapshots: () => published.filter(({ message }) => message.type === "snapshot").length,
    listFences: () => [...new Set(published.map((each) => each.fence))],
    countSaves: () => saves,
    stop: () => publisher.stop(),
  };
}

const WANTED = { wantsSnapshot: true };
const CURRENT = { wantsSnapshot: false };

describe("A publisher over Redis", () => {
  test("sends one snapshot to a hundred readers that lack changes at the same time, and another one to later ones", async () => {
    const redis = open();
    const requestAll = () => Array.from({ length: 100 }, () => redis.request(WANTED));
    requestAll();
    await vi.advanceTimersByTimeAsync(SAVE_MS);
    expect(redis.countSnapshots()).toBe(1);
    requestAll();
    await vi.advanceTimersByTimeAsync(200);
    requestAll();
    expect(redis.countSnapshots()).toBe(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(redis.countSnapshots()).toBe(2);
    redis.request(CURRENT);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([redis.countSnapshots(), redis.countSaves()]).toEqual([2, 2]);
    redis.stop();
  });

  test("takes a snapshot after every request that it answers", async () => {
    const redis = open();
    redis.request(WANTED);
    await vi.advanceTimersByTimeAsync(SAVE_MS);
    expect(redis.countSnapshots()).toBe(1);
    redis.request(WANTED);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(redis.countSnapshots()).toBe(2);
    redis.stop();
  });

  test("publishes nothing as a standby, and a snapshot for the readers at once when it takes over", async () => {
    const redis = open();
    redis.setFence(null);
    redis.request(WANTED);
    await vi.advanceTimersByTimeAsync(1_000);
    redis.request(CURRENT);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(redis.countPublished()).toBe(0);
    redis.setFence(2);
    await vi.advanceTimersByTimeAsync(SAVE_MS);
    expect([redis.countSnapshots(), redis.listFences()]).toEqual([1, [2]]);
    redis.setFence(null);
    await vi.advanceTimersByTimeAsync(1_000);
    const before = redis.countPublished();
    redis.setFence(4);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([redis.countSnapshots(), redis.listFences()]).toEqual([2, [2, 4]]);
    expect(redis.countPublished()).toBeGreaterThan(before + 10);
    redis.stop();
  });

  test("publishes nothing when it takes over without readers", async () => {
    const redis = open();
    redis.setFence(null);
    redis.request(WANTED);
    await vi.advanceTimersByTimeAsync(11_000);
    redis.setFence(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(redis.countPublished()).toBe(0);
    redis.stop();
  });
});
