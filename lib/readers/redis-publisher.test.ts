import { expect, test } from "vitest";
import { silentLog } from "@/lib/platform/log/log";
import { Publisher } from "@/lib/readers/publisher";
import { CHANGES_STREAM, type PublishedMessage, type ReaderRequest } from "@/lib/readers/redis-messages";
import { RedisPublisher } from "@/lib/readers/redis-publisher";

/** A publisher without prices, and what it adds to the stream of changes. */
function open() {
  let saves = 0;
  const publisher = new Publisher({
    ...{ book: { sources: () => [], findGapMs: () => undefined }, listSources: () => [], instruments: [] },
    ...{ isInPast: false, marketNow: Date.now, lagMs: () => 0, everyMs: 10, log: silentLog },
    async saveHistory() {
      saves++;
      await new Promise((resolve) => setTimeout(resolve, 20));
    },
  });
  const types: string[] = [];
  let pass: (text: string) => void = () => {};
  const streams = {
    add(stream: string, text: string) {
      expect(stream).toBe(CHANGES_STREAM);
      types.push((JSON.parse(text) as PublishedMessage).message.type);
    },
    follow: async (_: string, onEntry: (text: string, atMs: number) => void) =>
      void (pass = (text) => onEntry(text, Date.now())),
  };
  new RedisPublisher({ streams, publisher, readFence: () => 1 }).start();
  return {
    request: (body: ReaderRequest) => pass(JSON.stringify(body)),
    countSnapshots: () => types.filter((type) => type === "snapshot").length,
    countSaves: () => saves,
    stop: () => publisher.stop(),
  };
}

test("A hundred readers that lack changes at the same time get one snapshot, and a later one another", async () => {
  const redis = open();
  const requestAll = () => Array.from({ length: 100 }, () => redis.request({ wantsSnapshot: true }));
  requestAll();
  await expect.poll(redis.countSnapshots).toBe(1);
  const sentAtMs = performance.now();
  requestAll();
  await expect.poll(redis.countSnapshots).toBe(2);
  expect(performance.now() - sentAtMs).toBeGreaterThan(100);
  redis.request({ wantsSnapshot: false });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([redis.countSnapshots(), redis.countSaves()]).toEqual([2, 2]);
  redis.stop();
});
