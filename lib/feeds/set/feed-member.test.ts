import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collect } from "@/lib/feeds/collect.fixture";
import type { Feed, FeedSink } from "@/lib/feeds/feed";
import { FeedMember } from "@/lib/feeds/set/feed-member";
import type { SymbolFacts } from "@/lib/market/new-instrument";
import { silentLog } from "@/lib/platform/log/log";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A feed whose starts fail as `failures` says, and the sinks that its runs were given. */
function open(failures: number, sources = ["venue"]) {
  const { sink: collecting, ticks, statuses } = collect(0);
  const named: string[] = [];
  const symbols = async (source: string, facts: readonly SymbolFacts[]) => {
    named.push(...facts.map(({ spelling }) => `${source} ${spelling}`));
  };
  const sink = { ...collecting, symbols };
  const sinks: FeedSink[] = [];
  let starts = 0;
  const create = (): Feed => ({
    name: "venue",
    sources: sources.map((name) => ({ name, mode: "live" })),
    async start(given) {
      if (++starts <= failures) throw new Error(`failure ${starts}`);
      sinks.push(given);
    },
    async stop() {},
  });
  const setting = {
    ...{ name: "venue", kind: "venue", priority: 0, symbols: null, aliases: {}, hours: null, expectedRate: null },
    ...{ settings: {}, secrets: {} },
  };
  const plan = { setting, feed: create(), quoted: null, subscribed: null, open: create, key: "venue", origin: "venue" };
  const member = new FeedMember(plan, { sink, monotonic: () => Date.now(), log: silentLog });
  const tick = { source: "venue", brokerSymbol: "EURUSD", bid: 1, ask: 2, brokerTimeMs: 0, receivedAtMs: 0 };
  return { member, sinks, ticks, statuses, named, starts: () => starts, tick };
}

test("A feed that cannot start is started again, with longer and longer pauses.", async () => {
  const { member, starts } = open(3);
  await member.start();
  expect(member.isFailed).toBe(true);
  expect(member.lastError).toBe("failure 1");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(starts()).toBe(2);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(starts()).toBe(2);
  await vi.advanceTimersByTimeAsync(4_001);
  expect(starts()).toBe(4);
  expect(member.isFailed).toBe(false);
  expect(member.lastError).toBe("failure 3");
  await member.stop();
});

test("A feed that fails later is started again, and reports of its earlier run are dropped.", async () => {
  const { member, sinks, ticks, statuses, tick } = open(0);
  await member.start();
  sinks[0]?.tick(tick);
  sinks[0]?.failed?.(new Error("out of memory"));
  sinks[0]?.failed?.(new Error("again"));
  expect(statuses).toEqual(["venue disconnected the feed failed"]);
  sinks[0]?.tick(tick);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sinks).toHaveLength(2);
  sinks[1]?.tick(tick);
  sinks[1]?.tick({ ...tick, source: "another" });
  expect(ticks).toHaveLength(2);
  expect(member.lastError).toBe("out of memory");
  await member.stop();
});

test("A stopped feed is not started again.", async () => {
  const { member, starts } = open(9);
  await member.start();
  await member.stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(starts()).toBe(1);
});

test("What sources say of their symbols is passed on while they are paused too, but not after the feed has ended.", async () => {
  const { member, sinks, ticks, named, tick } = open(0, ["venue", "other"]);
  await member.start();
  await member.setPaused(new Set(["venue"]));
  sinks[0]?.tick(tick);
  await sinks[0]?.symbols?.("venue", [{ spelling: "X1" }]);
  expect(ticks).toEqual([]);
  expect(named).toEqual(["venue X1"]);
  await member.stop();
  await sinks[0]?.symbols?.("venue", [{ spelling: "X2" }]);
  expect(named).toEqual(["venue X1"]);
});
