import { expect, test } from "vitest";
import { createBook } from "@/lib/book/book";
import { collect } from "@/lib/feeds/collect.fixture";
import { createIntake } from "@/lib/feeds/intake";
import { writeRecording } from "@/lib/feeds/replay/recording.fixture";
import { createReplayFeed } from "@/lib/feeds/replay/replay-feed";
import type { SecondRow } from "@/lib/history/hour-columns";
import { OpenHoursKeeper } from "@/lib/history/open-hours";
import { Recorder } from "@/lib/history/recording/recorder";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { createResolver } from "@/lib/market/resolver";
import { silentLog } from "@/lib/platform/log/log";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const instruments = [instrumentBySymbol.get("EURUSD") as Instrument];
const DAY = Date.UTC(2014, 4, 2);
const START_MS = 10 * HOUR_MS + 40 * MINUTE_MS;
const LENGTH_MS = 65 * MINUTE_MS;

/** Ticks of a broker, as its file has them; it is silent in the gaps, which are given in minutes. */
function listTicks(stepMs: number, price: number, gaps: readonly (readonly [from: number, until: number])[]): string {
  const lines: string[] = [];
  for (let at = 0, n = 0; at < LENGTH_MS; at += stepMs, n++) {
    if (gaps.some(([from, until]) => at >= from * MINUTE_MS && at < until * MINUTE_MS)) continue;
    const bid = price + (n % 40) / 100_000;
    lines.push(`${START_MS + at},${bid.toFixed(5)},${(bid + 0.0001).toFixed(5)}`);
  }
  return lines.join("\n");
}

const first = listTicks(900, 1.1, [
  [5, 6],
  [12, 14.5],
  [19.9, 30],
  [47, 47.4],
]);
const second = listTicks(2_300, 1.2, [[26, 27]]);

/** Records a replay at a speed, and returns the stored seconds and the number that came from the second broker. */
async function record(speed: number) {
  const dir = writeRecording({
    "forex/one/tick/eurusd/20140502": first,
    "forex/two/tick/eurusd/20140502": second,
  });
  const { clock, sleep, until, statuses } = collect(Date.UTC(2026, 0, 15));
  const clocks = { now: clock, monotonic: clock };
  const feed = createReplayFeed({ dir, zones: {}, speed, time: "own", fromMs: null, ...clocks, sleep });
  const { marketNow, sources } = feed;
  const book = createBook({ sources, now: marketNow });
  const stored = new Map<number, SecondRow>();
  const openHours = new OpenHoursKeeper(instruments);
  const recorder = new Recorder({
    openHours,
    closedHours: [],
    servedSource: book.servedSource,
    marketNow,
    log: silentLog,
    append: async (rows) => {
      for (const { symbol, digits, second: at, bid, ask, open, high, low, updates } of rows) {
        stored.set(at, { symbol, digits, second: at, bid, ask, open, high, low, updates });
      }
    },
    onRecorded(rows, completeUntilMs) {
      for (const row of rows) openHours.write(row);
      openHours.advance(completeUntilMs);
    },
  });
  const aheads: number[] = [];
  const intake = createIntake({
    resolver: createResolver(instruments),
    sources,
    now: marketNow,
    onQuote(quote) {
      book.accept(quote);
      recorder.onQuote(quote);
      aheads.push(marketNow() - quote.timeMs);
    },
  });
  const status = (source: string, state: "connected" | "disconnected" | "ended") => {
    statuses.push(`${source} ${state}`);
  };
  await feed.start({ tick: (tick) => intake.tick(tick), status, stored: () => recorder.flush() });
  let flushedAtMs = clock();
  await until(() => {
    if (clock() - flushedAtMs >= SECOND_MS) {
      flushedAtMs = clock();
      void recorder.flush();
    }
    return statuses.some((line) => line.includes("ended"));
  });
  await recorder.finish();
  const rows = [...stored.values()].sort((a, b) => a.second - b.second);
  return { rows, fromSecond: rows.filter(({ bid }) => bid >= 120_000).length, aheads, counts: recorder.counts() };
}

test("A replay at any speed stores the seconds that it stores at speed 1, of the same brokers", async () => {
  const real = await record(1);
  expect(real.rows[0]?.second).toBe((DAY + START_MS) / 1000);
  expect(real.fromSecond).toBeGreaterThan(100);
  expect(real.rows.length - real.fromSecond).toBeGreaterThan(2_500);
  for (const speed of [60, 1_000, 20_000, 100_000]) {
    const fast = await record(speed);
    expect(fast.rows, `speed ${speed}`).toEqual(real.rows);
    expect(fast.counts).toMatchObject({ dropped: 0, tooLate: 0 });
  }
});

test("The market clock of a replay is never after the price that is being sent", async () => {
  const { aheads } = await record(100_000);
  expect(Math.max(...aheads)).toBeLessThanOrEqual(0);
});
