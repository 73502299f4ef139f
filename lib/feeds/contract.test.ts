import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { collect } from "@/lib/feeds/collect.fixture";
import type { Feed } from "@/lib/feeds/feed";
import { createIntake } from "@/lib/feeds/intake";
import { writeRecording } from "@/lib/feeds/replay/recording.fixture";
import { createReplayFeed } from "@/lib/feeds/replay/replay-feed";
import { JUNK_SYMBOL } from "@/lib/feeds/simulated/broker-stream";
import { brokers } from "@/lib/feeds/simulated/brokers";
import { createSimulatedFeed } from "@/lib/feeds/simulated/simulated-feed";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";

/** What the rest of the service relies on, for every implementation of `Feed`. */

interface Case {
  readonly name: string;
  readonly open: (options: { now: () => number; sleep: (ms: number) => Promise<unknown> }) => Feed;
  /** How far a broker's clock may be ahead of this process's, in milliseconds. */
  readonly skewMs: number;
  /** The largest share of ticks that may be bad on purpose. */
  readonly badShare: number;
}

/** A recording whose ticks follow each other at this pace when they are played at the speed. */
const PACE_MS = 8;

function recording(speed: number): string {
  const rows = (price: number) =>
    Array.from(
      { length: 3_000 },
      (_, i) => `${i * PACE_MS * speed},${price + i / 1e5},${price + 0.0002 + i / 1e5}`,
    ).join("\n");
  return writeRecording({
    "forex/oanda/tick/eurusd/20140502": rows(1.3),
    "forex/fxcm/tick/eurusd/20140502": rows(1.3001),
    "forex/fxcm/tick/nzdusd/20140502": rows(0.86),
  });
}

const replay = (time: "now" | "own", speed: number) => (options: Parameters<Case["open"]>[0]) =>
  createReplayFeed({ ...options, monotonic: options.now, dir: recording(speed), zones: {}, speed, time, fromMs: null });

const cases: readonly Case[] = [
  {
    name: "the simulated feed",
    open: (options) => createSimulatedFeed({ ...options, seed: "test", hours: "always", instruments }),
    skewMs: Math.max(...brokers.map(({ skewMs }) => skewMs)),
    badShare: 1 / 1_000,
  },
  { name: "the replay feed, re-dated", open: replay("now", 1), skewMs: 0, badShare: 0 },
  { name: "the replay feed, in its own time", open: replay("own", 60), skewMs: 0, badShare: 0 },
];

const START = Date.UTC(2026, 0, 14, 14);
const RUN_MS = 20_000;
const resolver = createResolver(instruments);

describe.each(cases)("$name", ({ open, skewMs, badShare }) => {
  async function run() {
    const collected = collect(START);
    const feed = open({ now: collected.clock, sleep: collected.sleep });
    await feed.start(collected.sink);
    await collected.until(() => collected.clock() >= START + RUN_MS);
    await feed.stop();
    return { feed, ...collected };
  }

  test("lists each source once, under a name that answers can show", () => {
    const { clock, sleep } = collect(START);
    const names = open({ now: clock, sleep }).sources.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9-]+$/);
  });

  test("reports its sources as connected, and ticks of these sources only", async () => {
    const { feed, ticks, statuses } = await run();
    const names = feed.sources.map(({ name }) => name);
    for (const name of names) expect(statuses.some((line) => line.startsWith(`${name} connected`))).toBe(true);
    expect(new Set(ticks.map(({ source }) => source))).toEqual(new Set(names));
  });

  test("stamps no tick further ahead of its receipt than its brokers' clocks are", async () => {
    const { ticks } = await run();
    expect(ticks.length).toBeGreaterThan(500);
    expect(ticks.filter(({ brokerTimeMs }) => !Number.isInteger(brokerTimeMs))).toEqual([]);
    expect(ticks.filter(({ brokerTimeMs, receivedAtMs }) => brokerTimeMs > receivedAtMs + skewMs)).toEqual([]);
  });

  test("sends each symbol of a source in time order, under names that the resolver finds, except for its deliberate bad ticks", async () => {
    const { feed, ticks, clock } = await run();
    const intake = createIntake({ resolver, sources: feed.sources, onQuote: () => {}, now: clock });
    for (const tick of ticks) intake.tick(tick);
    const { accepted } = intake.counts();
    expect(ticks.length - accepted).toBeLessThanOrEqual(Math.ceil(ticks.length * badShare));
    const names = new Set(ticks.map(({ brokerSymbol }) => brokerSymbol));
    names.delete(JUNK_SYMBOL);
    expect([...names].filter((name) => resolver.find(name) === undefined)).toEqual([]);
    expect(resolver.find(JUNK_SYMBOL)).toBeUndefined();
  });

  test("reports nothing once stopped, and can be stopped twice or before it was started", async () => {
    const { feed, ticks, statuses } = await run();
    const before = [ticks.length, statuses.length];
    await feed.stop();
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    expect([ticks.length, statuses.length]).toEqual(before);
    const { clock, sleep } = collect(START);
    await expect(open({ now: clock, sleep }).stop()).resolves.toBeUndefined();
  });

  test("stops when its sink stops it in the middle of a batch", async () => {
    const { sink, ticks, clock, sleep, until } = collect(START);
    const feed = open({ now: clock, sleep });
    let stopping: Promise<void> | undefined;
    await feed.start({
      tick(tick) {
        sink.tick(tick);
        stopping ??= feed.stop();
      },
      status: sink.status,
    });
    await until(() => stopping !== undefined);
    await stopping;
    expect(ticks).toHaveLength(1);
  });
});
