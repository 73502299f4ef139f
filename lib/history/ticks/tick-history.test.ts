import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHourColumns, type HourColumns, writeSecond } from "@/lib/history/hour-columns";
import { toTicks } from "@/lib/history/ticks/hour-block";
import { sliceTicks, toKey } from "@/lib/history/ticks/ready-hours";
import { countSeconds, findGaps, TickHistory, type TickRange } from "@/lib/history/ticks/tick-history";
import { HOUR_MS } from "@/lib/time/units";

const START = Date.UTC(2026, 10, 20, 13);

function createHour(symbol: string, hourMs: number, seconds: Iterable<number>): HourColumns {
  const hour = createHourColumns(symbol, 5, hourMs);
  for (const second of seconds) {
    const bid = 110_000 + second;
    const row = { symbol, second: hourMs / 1000 + second, bid, ask: bid + 12, open: bid, high: bid, low: bid };
    writeSecond(hour, { ...row, digits: 5, updates: 1 });
  }
  return hour;
}

const NONE_OPEN = { getHours: () => [], getRevision: () => 0, completeUntilMs: Infinity };

/** A history of closed and open hours, which counts the reads of its store. */
function openHistory(closed: readonly HourColumns[], open: HourColumns[] = [], maxBytes?: number) {
  const reads: string[] = [];
  let revision = 0;
  const openHours = {
    getHours: (symbol: string) => open.filter((hour) => hour.symbol === symbol),
    getRevision: () => revision,
    completeUntilMs: Infinity,
  };
  const readHours = async (hours: readonly { symbol: string; hourMs: number }[]) => {
    reads.push(hours.map(({ symbol, hourMs }) => `${symbol} ${(hourMs - START) / HOUR_MS}`).join(", "));
    const wanted = new Set(hours.map(({ symbol, hourMs }) => toKey(symbol, hourMs)));
    const found = closed.map((hour) => [toKey(hour.symbol, hour.hourMs), toTicks(hour)] as const);
    return new Map(found.filter(([key]) => wanted.has(key)));
  };
  return { history: new TickHistory({ openHours, readHours, maxBytes }), reads, written: () => revision++ };
}

/** Parses the ticks of a range from its text. */
function parse({ parts }: TickRange) {
  const text = parts.map(({ hour, from, to }) => sliceTicks(hour, from, to).toString()).join(",");
  return JSON.parse(`[${text}]`) as { time: string; bid: number; ask: number; flags: number }[];
}

const listSeconds = (range: TickRange) => parse(range).map(({ time }) => (Date.parse(time) - START) / 1000);

describe("tick history", () => {
  test("A range has the ticks from its first moment on, without its last, written as the API does", async () => {
    const { history } = openHistory([createHour("EURUSD", START, [0, 7, 8, 3_599])]);
    const range = await history.readRange("EURUSD", START + 7_000, START + 3_599_000);
    expect(parse(range)).toEqual([
      { time: "2026-11-20T13:00:07+00:00", bid: 1.10007, ask: 1.10019, flags: 0 },
      { time: "2026-11-20T13:00:08+00:00", bid: 1.10008, ask: 1.1002, flags: 0 },
    ]);
    expect(range.count).toBe(2);
  });

  test("Any range over closed and open hours equals filtering ticks one by one", async () => {
    const second = fc.integer({ min: 0, max: 3_599 });
    const moment = fc.integer({ min: -10_000, max: 2 * HOUR_MS + 10_000 });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(second), fc.uniqueArray(second), moment, moment, async (first, later, a, b) => {
        const closed = createHour("EURUSD", START, first);
        const open = createHour("EURUSD", START + HOUR_MS, later);
        const { history } = openHistory([closed], [open]);
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const all = [...first, ...later.map((each) => each + 3_600)].sort((x, y) => x - y);
        const range = await history.readRange("EURUSD", START + from, START + to);
        expect(listSeconds(range)).toEqual(all.filter((each) => each * 1000 >= from && each * 1000 < to));
        const holes = findGaps(range).map((gap) => countSeconds(gap.fromMs, gap.toMs));
        expect(holes.reduce((sum, hole) => sum + hole, range.count)).toBe(countSeconds(START + from, START + to));
      }),
      { numRuns: 200 },
    );
  });

  test("Hours that were read before, and open hours, are read synchronously", async () => {
    const { history, reads } = openHistory(
      [createHour("EURUSD", START, [1])],
      [createHour("EURUSD", START + HOUR_MS, [2])],
    );
    await history.readRange("EURUSD", START, START + HOUR_MS);
    expect(history.readRange("EURUSD", START + 1_000, START + 2 * HOUR_MS)).toMatchObject({ count: 2 });
    expect(reads).toEqual(["EURUSD 0"]);
  });

  test("An hour that is not cached is read once for many callers at the same time", async () => {
    const { history, reads } = openHistory([createHour("EURUSD", START, [1])]);
    const ranges = await Promise.all(
      Array.from({ length: 20 }, () => history.readRange("EURUSD", START, START + HOUR_MS)),
    );
    expect(ranges.map(({ count }) => count)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(reads).toEqual(["EURUSD 0"]);
  });

  test("The hours of a range that are not in memory are read together, each of them once", async () => {
    const hours = [0, 1, 2, 3].map((at) => createHour("EURUSD", START + at * HOUR_MS, [at]));
    const { history, reads } = openHistory(hours);
    await history.readRange("EURUSD", START + HOUR_MS, START + 2 * HOUR_MS);
    const [whole, late] = [0, 2].map((at) => history.readRange("EURUSD", START + at * HOUR_MS, START + 4 * HOUR_MS));
    expect(listSeconds((await whole) as TickRange)).toEqual([0, 3_601, 7_202, 10_803]);
    expect(await late).toMatchObject({ count: 2 });
    expect(reads).toEqual(["EURUSD 1", "EURUSD 0, EURUSD 2, EURUSD 3"]);
  });

  test("An hour of many symbols is read together, and is in memory then", async () => {
    const { history, reads } = openHistory(["EURUSD", "GBPUSD"].map((symbol) => createHour(symbol, START, [1])));
    await history.loadHour(["EURUSD", "USDJPY", "GBPUSD"], START);
    expect(history.readRange("GBPUSD", START, START + HOUR_MS)).toMatchObject({ count: 1 });
    expect(reads).toEqual(["EURUSD 0, USDJPY 0, GBPUSD 0"]);
  });

  test("An hour is read again after it was not found, and after a failed read", async () => {
    const closed: HourColumns[] = [];
    const { history, reads } = openHistory(closed);
    expect(await history.readRange("EURUSD", START, START + 1)).toMatchObject({ count: 0, parts: [] });
    closed.push(createHour("EURUSD", START, [0]));
    expect(await history.readRange("EURUSD", START, START + 1)).toMatchObject({ count: 1 });
    expect(reads).toHaveLength(2);

    let fails = true;
    const readHours = async () => {
      if (fails) throw new Error("no database");
      return new Map([[toKey("EURUSD", START), toTicks(createHour("EURUSD", START, [0]))]]);
    };
    const broken = new TickHistory({ openHours: NONE_OPEN, readHours });
    await expect(broken.readRange("EURUSD", START, START + 1)).rejects.toThrow("no database");
    fails = false;
    expect(await broken.readRange("EURUSD", START, START + 1)).toMatchObject({ count: 1 });
  });

  test("A second of an open hour is returned as soon as it is written", () => {
    const hour = createHour("EURUSD", START, [1]);
    const { history, written } = openHistory([], [hour]);
    const whole = () => listSeconds(history.readRange("EURUSD", START, START + HOUR_MS) as TickRange);
    expect(whole()).toEqual([1]);
    const row = {
      symbol: "EURUSD",
      digits: 5,
      second: START / 1000 + 5,
      bid: 1,
      ask: 2,
      open: 1,
      high: 1,
      low: 1,
      updates: 1,
    };
    writeSecond(hour, row);
    written();
    expect(whole()).toEqual([1, 5]);
  });

  test("An hour that was rewritten is read again, even during a read", async () => {
    const closed = [createHour("EURUSD", START, [1])];
    const { history, reads } = openHistory(closed);
    await history.readRange("EURUSD", START, START + HOUR_MS);
    closed[0] = createHour("EURUSD", START, [1, 2]);
    history.invalidate();
    const early = history.readRange("EURUSD", START, START + HOUR_MS);
    closed[0] = createHour("EURUSD", START, [1, 2, 3]);
    history.invalidate();
    const late = history.readRange("EURUSD", START, START + HOUR_MS);
    expect((await early).count).toBe(2);
    expect((await late).count).toBe(3);
    expect(history.readRange("EURUSD", START, START + HOUR_MS)).toMatchObject({ count: 3 });
    expect(reads).toHaveLength(3);
  });

  test("The time that has not been recorded yet has no gaps", () => {
    const openHours = {
      ...NONE_OPEN,
      getHours: () => [createHour("EURUSD", START, [1])],
      completeUntilMs: START + 5_000,
    };
    const history = new TickHistory({ openHours, readHours: () => Promise.resolve(new Map()) });
    const range = history.readRange("EURUSD", START, START + HOUR_MS) as TickRange;
    expect(findGaps(range).map(({ fromMs, toMs }) => [fromMs - START, toMs - START])).toEqual([
      [0, 1_000],
      [2_000, 5_000],
    ]);
  });

  test("The cache stays within its bound of memory, and evicts the least recently used hours", async () => {
    const full = Array.from({ length: 3_600 }, (_, second) => second);
    const hours = ["EURUSD", "GBPUSD", "USDJPY"].map((symbol) => createHour(symbol, START, full));
    const { history, reads } = openHistory(hours, [], 800_000);
    for (const symbol of ["EURUSD", "GBPUSD", "EURUSD", "USDJPY", "EURUSD", "GBPUSD"]) {
      // The text takes most of the room.
      parse(await history.readRange(symbol, START, START + HOUR_MS));
    }
    expect(reads).toEqual(["EURUSD 0", "GBPUSD 0", "USDJPY 0", "GBPUSD 0"]);
  });
});
