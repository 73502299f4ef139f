import { silentLog } from "@/lib/platform/log/log";
import { RedisStreams } from "@/lib/platform/redis-stream";
import { monotonicClock, systemClock } from "@/lib/platform/timing/clock";
import type { ChangeFollower } from "@/lib/readers/change-follower";
import { linkByRedis } from "@/lib/readers/redis-link";
import { linkToWriter } from "@/lib/readers/writer-link";

/**
 * A reader of bench/scale.ts, over the channel of the process that started it, or over the Redis that its argument names.
 * When it is stopped, it prints how long prices took to reach it, in milliseconds, and ends with 1 if that is too long.
 */

const MOST_P99_MS = 50;
const redisUrl = process.argv[2];
const delays: number[] = [];
let gaps = -1;

function report(): void {
  delays.sort((a, b) => a - b);
  const find = (share: number) => delays[Math.floor((delays.length - 1) * share)] ?? Infinity;
  const [p50, p99, most] = [find(0.5), find(0.99), find(1)].map((ms) => ms.toFixed(0));
  const channel = redisUrl === undefined ? "local channel" : "Redis";
  console.log(`${channel}: ${delays.length} prices, p50 ${p50} ms, p99 ${p99} ms, most ${most} ms, ${gaps} gaps`);
  process.exit(find(0.99) > MOST_P99_MS ? 1 : 0);
}

async function follow(follower: ChangeFollower): Promise<void> {
  await follower.start();
  await follower.follow({
    replace: () => void gaps++,
    reload: async () => {},
    onQuotes(quotes) {
      for (const [, , , , timeMs] of quotes) delays.push(systemClock() - timeMs);
    },
    onSources: () => {},
    onInstruments: () => {},
    history: { onRecorded: () => {}, onClosed: () => {}, onRewritten: () => {} },
  });
}

if (redisUrl === undefined) {
  const link = linkToWriter(monotonicClock);
  link.onStop(report);
  await follow(link.follower);
  link.send({ type: "listening" });
} else {
  const streams = new RedisStreams({ url: redisUrl, log: silentLog });
  streams.start();
  process.on("SIGTERM", report);
  await follow(linkByRedis(streams, monotonicClock).follower);
}
