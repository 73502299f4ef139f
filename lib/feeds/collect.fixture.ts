import { setImmediate } from "node:timers/promises";
import type { FeedSink } from "@/lib/feeds/feed";
import type { Tick } from "@/lib/market/bar";

/** A sink that records ticks and statuses, and a clock that moves only while the feed under test sleeps. */
export function collect(startMs: number) {
  const ticks: Tick[] = [];
  const statuses: string[] = [];
  let nowMs = startMs;
  let sleeps = 0;
  const sink: FeedSink = {
    tick: (tick) => ticks.push(tick),
    status: (source, status, detail) => statuses.push(`${source} ${status} ${detail}`),
  };
  return {
    sink,
    ticks,
    statuses,
    clock: () => nowMs,
    sleeps: () => sleeps,
    advance: (ms: number) => {
      nowMs += ms;
    },
    sleep: async (ms: number) => {
      nowMs += ms;
      sleeps++;
      await setImmediate();
    },
    until: async (done: () => boolean) => {
      while (!done()) await setImmediate();
    },
  };
}
