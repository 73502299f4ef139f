import { monotonicClock, systemClock } from "@/lib/platform/timing/clock";
import { linkToWriter } from "@/lib/readers/writer-link";

/** A reader of bench/scale.ts: prints how long prices took to reach it, in milliseconds, when it is stopped. */

const link = linkToWriter(monotonicClock);
const delays: number[] = [];
let gaps = -1;
link.onStop(() => {
  delays.sort((a, b) => a - b);
  const percentile = (share: number) => delays[Math.floor((delays.length - 1) * share)]?.toFixed(0);
  console.log(
    `${delays.length} prices: p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, most ${percentile(1)} ms, ${gaps} gaps`,
  );
  process.exit(0);
});
await link.follower.start();
await link.follower.follow({
  replace: () => void gaps++,
  reload: async () => {},
  onQuotes(quotes) {
    for (const [, , , , timeMs] of quotes) delays.push(systemClock() - timeMs);
  },
  onSources: () => {},
  history: { onRecorded: () => {}, onClosed: () => {}, onRewritten: () => {} },
});
link.send({ type: "listening" });
