import { afterEach, describe, expect, test } from "vitest";
import type { RedisStreams } from "@/lib/platform/redis-stream";
import { linkByRedis, type RedisLink } from "@/lib/readers/redis-link";
import type { PublishedMessage } from "@/lib/readers/redis-publisher";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

type OnEntry = Parameters<RedisStreams["follow"]>[1];

const MESSAGE_EVERY_MS = 500;
const START_MS = Date.UTC(2026, 6, 15, 12);
const links: RedisLink[] = [];
afterEach(() => links.splice(0).forEach((link) => link.stop()));

/** A writer, Redis and a follower on three machines, each with a clock that the test sets. */
function setUp() {
  let passedMs = 0;
  /** How long messages are under way from Redis to the follower. */
  let delayMs = 0;
  /** How far each clock is ahead of the time that has passed. */
  const aheadMs = { writer: 700_000, redis: START_MS, follower: 5_000 };
  const underWay: { text: string; receivedAtMs: number; arrivesAtMs: number }[] = [];
  let latestId = 0;
  let onEntry: OnEntry = () => {};
  const streams = {
    add: () => {},
    follow: async (_stream: string, then: OnEntry) => void (onEntry = then),
  };
  const link = linkByRedis(streams, () => passedMs + aheadMs.follower);
  links.push(link);

  function publish(rest: { type: "changes"; changes: [] } | { type: "snapshot" }): void {
    const stamp = { epoch: "a", at: 0, sentAtMs: passedMs + aheadMs.writer, marketNowMs: START_MS + passedMs };
    const message = { ...rest, ...stamp, sources: [], isInPast: false, quotes: [] };
    const published = { fence: 1, message } as PublishedMessage;
    // Redis gives no entry an earlier time than the one before.
    latestId = Math.max(latestId, passedMs + aheadMs.redis);
    underWay.push({ text: JSON.stringify(published), receivedAtMs: latestId, arrivesAtMs: passedMs + delayMs });
  }

  function pass(ms: number): void {
    for (const untilMs = passedMs + ms; passedMs < untilMs;) {
      passedMs += MESSAGE_EVERY_MS;
      publish({ type: "changes", changes: [] });
      while ((underWay[0]?.arrivesAtMs ?? Infinity) <= passedMs) {
        const { text, receivedAtMs } = underWay.shift() as (typeof underWay)[number];
        onEntry(text, receivedAtMs);
      }
    }
  }

  publish({ type: "snapshot" });
  pass(MINUTE_MS);
  return {
    aheadMs,
    pass,
    delay: (ms: number) => void (delayMs = ms),
    /** Whether the follower is stale, and how far its market clock is from the writer's, in whole seconds. */
    read: () => ({
      isStale: link.follower.isStale,
      marketSeconds: Math.round((link.follower.marketNow() - START_MS - passedMs) / SECOND_MS) + 0,
    }),
  };
}

const CURRENT = { isStale: false, marketSeconds: 0 };

describe("A follower over Redis", () => {
  test.each([
    ["the clock of Redis is set ahead by an hour and back", "redis", [HOUR_MS, -HOUR_MS]],
    ["the clock of Redis is set back by an hour and corrected", "redis", [-HOUR_MS, HOUR_MS]],
    ["the machine of the writer sleeps for an hour, and one that did not takes over", "writer", [-HOUR_MS, HOUR_MS]],
    ["its own machine sleeps for an hour, twice", "follower", [-HOUR_MS, -HOUR_MS]],
  ] as const)("stays current when %s", (_, machine, steps) => {
    const { aheadMs, pass, read } = setUp();
    for (const stepMs of steps) {
      aheadMs[machine] += stepMs;
      for (const passMs of [SECOND_MS, 10 * MINUTE_MS, HOUR_MS]) {
        pass(passMs);
        expect(read()).toEqual(CURRENT);
      }
    }
  });

  test("is stale while messages arrive ten seconds late, also after the clock of Redis was set", () => {
    const { aheadMs, pass, delay, read } = setUp();
    for (const stepMs of [0, HOUR_MS, -HOUR_MS]) {
      aheadMs.redis += stepMs;
      pass(SECOND_MS);
      delay(10 * SECOND_MS);
      for (const passMs of [20 * SECOND_MS, MINUTE_MS]) {
        pass(passMs);
        expect(read()).toEqual({ isStale: true, marketSeconds: 0 });
      }
      delay(0);
      pass(20 * SECOND_MS);
      expect(read()).toEqual(CURRENT);
    }
  });

  test("notices late messages also while the clock of Redis is an hour back", () => {
    const { aheadMs, pass, delay, read } = setUp();
    aheadMs.redis -= HOUR_MS;
    pass(MINUTE_MS);
    delay(10 * SECOND_MS);
    pass(MINUTE_MS);
    expect(read()).toEqual({ isStale: true, marketSeconds: 0 });
  });
});
