import { describe, expect, test } from "vitest";
import { collect } from "@/lib/feeds/collect.fixture";
import { writeRecording } from "@/lib/feeds/replay/recording.fixture";
import { createReplayFeed } from "@/lib/feeds/replay/replay-feed";
import { HOUR_MS } from "@/lib/time/units";

const MAY_2 = Date.UTC(2014, 4, 2);
const WALL = Date.UTC(2026, 0, 15);

function play(
  files: Record<string, string | Uint8Array>,
  options: Partial<Parameters<typeof createReplayFeed>[0]> = {},
) {
  const dir = writeRecording(files);
  const collected = collect(WALL);
  const { clock, sleep } = collected;
  const clocks = { now: clock, monotonic: clock };
  const usual = { dir, zones: {}, speed: 1, time: "own", fromMs: null, ...clocks, sleep } as const;
  return { feed: createReplayFeed({ ...usual, ...options }), ...collected };
}

const ended = (statuses: string[]) => () => statuses.some((line) => line.includes("ended"));

describe("the replay feed", () => {
  test("lists the brokers it found, in the replay mode", () => {
    const { feed } = play({ "forex/oanda/tick/eurusd/20140502": "1,1,2", "cfd/fxcm/tick/xauusd/20140502": "1,1,2" });
    expect(feed.sources).toEqual([
      { name: "fxcm", mode: "replay" },
      { name: "oanda", mode: "replay" },
    ]);
  });

  test("keeps the recorded times with `time: own`, and runs the market clock at its speed", async () => {
    const { feed, sink, ticks, statuses, until, clock } = play(
      { "forex/oanda/tick/eurusd/20140502": "1000,1.1,1.2\n61000,1.3,1.4\n121000,1.5,1.6" },
      { speed: 60 },
    );
    expect(feed.marketNow()).toBe(MAY_2 + 1_000);
    await feed.start(sink);
    await until(ended(statuses));
    expect(ticks.map(({ brokerTimeMs }) => brokerTimeMs - MAY_2)).toEqual([1_000, 61_000, 121_000]);
    for (const { brokerTimeMs, receivedAtMs } of ticks) {
      expect(receivedAtMs).toBeGreaterThanOrEqual(brokerTimeMs);
      expect(receivedAtMs).toBeLessThan(brokerTimeMs + 60 * 25);
    }
    expect(feed.marketNow()).toBe(MAY_2 + 1_000 + (clock() - WALL) * 60);
    expect(statuses.at(-1)).toBe("oanda ended end of the recording");
  });

  test("moves times to now with the same spacing, and starts over at the end", async () => {
    const { feed, sink, ticks, until } = play(
      { "forex/oanda/tick/eurusd/20140502": "1000,1.1,1.2\n2000,1.3,1.4\n4000,1.5,1.6" },
      { time: "now" },
    );
    await feed.start(sink);
    await until(() => ticks.length >= 7);
    await feed.stop();
    const times = ticks.slice(0, 3).map(({ brokerTimeMs }) => brokerTimeMs - WALL);
    expect(times).toEqual([0, 1_000, 3_000]);
    expect(ticks.slice(0, 7).map(({ bid }) => bid)).toEqual([1.1, 1.3, 1.5, 1.1, 1.3, 1.5, 1.1]);
    ticks.forEach((tick, i) => {
      expect(tick.brokerTimeMs).toBeLessThanOrEqual(tick.receivedAtMs);
      expect(tick.brokerTimeMs).toBeGreaterThanOrEqual(ticks[i - 1]?.brokerTimeMs ?? 0);
    });
  });

  test.each(["now", "own"] as const)(
    "goes on at its pace when the clock is set back, with `time: %s`",
    async (time) => {
      let setByMs = 0;
      const { feed, sink, ticks, until, clock }: ReturnType<typeof play> = play(
        { "forex/oanda/tick/eurusd/20140502": "0,1.1,1.2\n100,1.2,1.3\n60000,1.3,1.4" },
        { time, now: () => clock() + setByMs },
      );
      await feed.start(sink);
      await until(() => ticks.length === 2);
      setByMs = -HOUR_MS;
      await until(() => ticks.length === 3);
      await feed.stop();
      expect(clock() - WALL).toBeLessThan(61_000);
      const startMs = time === "own" ? MAY_2 : WALL - HOUR_MS;
      expect(ticks.at(-1)?.brokerTimeMs).toBe(startMs + 60_000);
    },
  );

  test("starts in the middle with `fromMs`", async () => {
    const { feed, sink, ticks, statuses, until } = play(
      { "forex/oanda/tick/eurusd/20140502": "1000,1.1,1.2\n50000,1.3,1.4" },
      { speed: 1_000, fromMs: MAY_2 + 40_000 },
    );
    expect(feed.marketNow()).toBe(MAY_2 + 40_000);
    await feed.start(sink);
    await until(ended(statuses));
    expect(ticks.map(({ bid }) => bid)).toEqual([1.3]);
  });

  test("continues at the newest stored second with `time: own`, and never before it", async () => {
    const files = { "forex/oanda/tick/eurusd/20140502": "1000,1.1,1.2\n50000,1.3,1.4\n90000,1.5,1.6" };
    const storedUntilMs = MAY_2 + 50_000;
    const { feed, sink, ticks, statuses, until } = play(files, { speed: 1_000, fromMs: MAY_2 + 2_000, storedUntilMs });
    expect(feed.marketNow()).toBe(storedUntilMs);
    await feed.start(sink);
    await until(ended(statuses));
    expect(ticks.map(({ bid }) => bid)).toEqual([1.3, 1.5]);
    expect(play(files, { storedUntilMs: MAY_2 }).feed.marketNow()).toBe(MAY_2 + 1_000);
    expect(play(files, { storedUntilMs, time: "now" }).feed.marketNow()).toBe(WALL);
  });

  test("refuses to play in its own time what is older than the stored prices", () => {
    const files = { "forex/oanda/tick/eurusd/20140502": "1000,1.1,1.2\n90000,1.5,1.6" };
    expect(() => play(files, { storedUntilMs: MAY_2 + 5 * 3_600_000 })).toThrow(
      "The database has prices up to 2014-05-02T05:00:00.000Z, after the end of the recording.",
    );
    expect(play(files, { storedUntilMs: MAY_2 + 3_600_000 }).feed.marketNow()).toBe(MAY_2 + 3_600_000);
  });

  test.each([0.5, 60])(
    "refuses speed %d with `time: now`, where another broker would be served than at speed 1",
    (speed) => {
      const files = { "forex/oanda/tick/eurusd/20140502": "1000,1.1,1.2" };
      expect(() => play(files, { speed, time: "now" })).toThrow(
        /^A replay with SPOTLINE_REPLAY_TIME=now has speed 1, not .* Set SPOTLINE_REPLAY_TIME=own, or SPOTLINE_REPLAY_SPEED=1\.$/,
      );
      expect(play(files, { speed, time: "own" }).feed.marketNow()).toBe(MAY_2 + 1_000);
    },
  );

  test("lets other work run between batches of ticks", async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => `${i},1.1,1.2`).join("\n");
    const { feed, sink, ticks, statuses, until, sleeps } = play(
      { "forex/oanda/tick/eurusd/20140502": rows },
      { speed: 100_000 },
    );
    await feed.start(sink);
    await until(ended(statuses));
    expect(ticks).toHaveLength(10_000);
    expect(sleeps()).toBeGreaterThanOrEqual(5);
  });

  test("reports the damaged file and the malformed rows, and plays the rest", async () => {
    const { feed, sink, ticks, statuses, until } = play({
      "forex/oanda/tick/eurusd/20140501": new Uint8Array(100),
      "forex/oanda/tick/eurusd/20140502": "1,1.1,1.2\nmalformed\n2,1.3,1.4",
    });
    await feed.start(sink);
    await until(ended(statuses));
    expect(ticks).toHaveLength(2);
    expect(feed.skipped()).toEqual({ malformedRows: 1, damagedFiles: 1 });
    expect(statuses.some((line) => line.includes("20140501_quote.zip: not a zip archive"))).toBe(true);
    expect(statuses.some((line) => line.includes("20140502_quote.zip: 1 malformed rows"))).toBe(true);
  });

  test("ends instead of looping when nothing can be played", async () => {
    const { feed, sink, statuses, until } = play(
      { "forex/oanda/tick/eurusd/20140501": new Uint8Array(100) },
      { time: "now" },
    );
    await feed.start(sink);
    await until(ended(statuses));
    await feed.stop();
    expect(statuses.at(-1)).toBe("oanda ended end of the recording");
  });

  test("refuses a folder without recordings, and zones of unknown brokers or names", () => {
    const files = { "forex/oanda/tick/eurusd/20140501": "1,1,2" };
    expect(() => play({})).toThrow("No recorded ticks");
    expect(() => play(files, { zones: { onada: "UTC" } })).toThrow('"onada"');
    expect(() => play(files, { zones: { oanda: "Mars/Olympus" } })).toThrow(RangeError);
  });
});
