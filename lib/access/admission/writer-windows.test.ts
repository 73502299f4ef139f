import { describe, expect, test, vi } from "vitest";
import {
  CallCounter,
  type CallToCount,
  type CountingReader,
  type ReturnedCalls,
} from "@/lib/access/admission/call-counter";
import { createDayWindow } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { computeResetSeconds, countRemaining, createMinuteWindow } from "@/lib/access/admission/minute-window";
import { localWindows } from "@/lib/access/admission/windows";
import { NotCounted, WriterWindows } from "@/lib/access/admission/writer-windows";
import { DAY_MS } from "@/lib/time/units";

const NOW = 20_000 * DAY_MS + 5_000;
const now = () => NOW;

type Limits = Partial<Pick<KeyEntry, "perMinute" | "perDay" | "ownPerDay">>;

function createKey({ perMinute = 1_000, perDay = 1_000, ownPerDay }: Limits): KeyEntry {
  return {
    ...{ id: "key", perMinute, perDay, ownPerDay: ownPerDay ?? Infinity },
    minute: createMinuteWindow(),
    day: createDayWindow(),
    ownDay: ownPerDay === undefined ? null : createDayWindow(),
  } as KeyEntry;
}

/** The key of the process that counts, and processes that let it count. The wire is JSON, and keeps the order. */
function setUp(limits: Limits, processes: number) {
  const key = createKey(limits);
  const messages: (readonly CallToCount[])[] = [];
  const directory = { key: (id: string) => (id === "key" ? key : undefined), refresh: async () => {} };
  const writer = new CallCounter({ directory, windows: localWindows, now });
  const copy = <Value>(value: Value) => JSON.parse(JSON.stringify(value)) as Value;
  const connect = (reader: CountingReader) => ({
    async count(calls: readonly CallToCount[]) {
      messages.push(calls);
      await new Promise((resolve) => setTimeout(resolve, 1));
      return copy(await writer.count(copy(calls), reader));
    },
    release: (_: string, credits: number, atMs: number) => localWindows.release(key, credits, atMs),
    return: (calls: ReturnedCalls) => writer.onReturn(copy(calls), reader),
  });
  const others = Array.from({ length: processes }, () => {
    const own = createKey(limits);
    const reader = { recall: async (ids: readonly string[]) => windows.recall(ids) };
    const windows: WriterWindows = new WriterWindows(connect(reader), 500);
    return { key: own, reader, windows, call: (credits: number | null = 1) => windows.count(own, credits, NOW) };
  });
  return { key, messages, writer, others, counter: connect({ recall: async () => {} }) };
}

async function countVerdicts(calls: number, { others }: ReturnType<typeof setUp>): Promise<Record<string, number>> {
  const verdicts = await Promise.all(Array.from({ length: calls }, (_, each) => others[each % others.length]?.call()));
  return Object.fromEntries(
    [...new Set(verdicts)].map((verdict) => [verdict, verdicts.filter((each) => each === verdict).length]),
  );
}

describe("Processes whose calls one process counts", () => {
  test.each([1, 2, 8])("admit exactly the minute's limit, and know what is left (%i)", async (processes) => {
    const scene = setUp({ perMinute: 30 }, processes);
    expect(await countVerdicts(200, scene)).toEqual({ counted: 30, "minute used up": 170 });
    for (const { key, call } of scene.others) {
      expect(await call()).toBe("minute used up");
      expect(countRemaining(key.minute, key.perMinute, NOW)).toBe(0);
      expect(computeResetSeconds(key.minute, NOW)).toBe(60);
    }
  });

  test("admit exactly the quotas of account and key, and get failed calls back", async () => {
    const scene = setUp({ perDay: 40, ownPerDay: 20 }, 2);
    expect(await countVerdicts(100, scene)).toEqual({ counted: 20, "key day used up": 80 });
    const [one, two] = scene.others;
    one?.windows.release(one.key, 1, NOW);
    expect([await two?.call(), await one?.call(), scene.key.day.used]).toEqual(["counted", "key day used up", 20]);
    expect(two?.key.ownDay?.used).toBe(20);
  });

  test("count one after another as many as the limit, wherever they come", async () => {
    const scene = setUp({ perMinute: 7 }, 3);
    const verdicts: unknown[] = [];
    for (let call = 0; call < 10; call++) verdicts.push(await scene.others[call % 3]?.call(null));
    expect(verdicts.filter((verdict) => verdict === "counted")).toHaveLength(7);
    expect(scene.key.day.used).toBe(0);
  });

  test("send the calls of one turn in one message, and none while the minute is used up", async () => {
    const scene = setUp({ perMinute: 5 }, 1);
    expect(await countVerdicts(50, scene)).toEqual({ counted: 5, "minute used up": 45 });
    expect(await countVerdicts(50, scene)).toEqual({ "minute used up": 50 });
    expect(scene.messages.map(({ length }) => length)).toEqual([50]);
  });

  test("refuse calls that are not counted in time, and give them back when they were", async () => {
    const scene = setUp({ perDay: 10 }, 1);
    let answer = () => {};
    const count = async (calls: readonly CallToCount[]) => {
      const answers = await scene.counter.count(calls);
      await new Promise<void>((resolve) => (answer = resolve));
      return answers;
    };
    const key = createKey({ perDay: 10 });
    const windows = new WriterWindows({ ...scene.counter, count }, 50);
    await expect(windows.count(key, 1, NOW)).rejects.toThrow(NotCounted);
    expect(scene.key.day.used).toBe(1);
    answer();
    await vi.waitFor(() => expect(scene.key.day.used).toBe(0));
  });

  test("count the calls of a busy key with few messages, and still admit exactly its limits", async () => {
    for (const limits of [{ perMinute: 20_000 }, { perDay: 20_000 }, { ownPerDay: 20_000 }]) {
      const scene = setUp({ perMinute: Infinity, perDay: Infinity, ...limits }, 3);
      let admitted = 0;
      for (let round = 0; round < 900; round++) {
        const calls = scene.others.flatMap(({ call }) => Array.from({ length: 8 }, () => call(2)));
        for (const verdict of await Promise.all(calls)) if (verdict === "counted") admitted++;
      }
      expect(admitted).toBe(20_000);
      expect(scene.messages.length).toBeLessThan(1_500);
      for (const { windows } of scene.others) await windows.stop();
      expect(scene.key.day).toMatchObject({ used: 20_000, credits: 40_000 });
    }
  });

  test("lose of a busy key what was granted to a process that was killed, and admit no more than the limit", async () => {
    const scene = setUp({ perMinute: 5_000, perDay: Infinity }, 2);
    const [one, two] = scene.others;
    let admitted = 0;
    const callTen = async (caller: typeof one) => {
      const verdicts = await Promise.all(Array.from({ length: 10 }, () => caller?.call()));
      admitted += verdicts.filter((verdict) => verdict === "counted").length;
    };
    for (let round = 0; round < 30; round++) await callTen(one);
    if (one !== undefined) scene.writer.forget(one.reader);
    for (let round = 0; round < 600; round++) await callTen(two);
    expect(admitted).toBeLessThanOrEqual(5_000);
    expect(admitted).toBeGreaterThan(4_700);
  });

  test("count calls that the days do not count in the minute alone", async () => {
    const scene = setUp({ perMinute: 50_000, perDay: 50_000 }, 1);
    const [one] = scene.others;
    for (let calls = 0; calls < 500; calls++) await one?.call(calls % 2 === 0 ? 3 : null);
    await one?.windows.stop();
    expect([scene.key.minute.used, scene.key.day.used, scene.key.day.credits]).toEqual([500, 250, 750]);
  });

  test("refuse calls of a key that the counting process does not know", async () => {
    const { others } = setUp({}, 1);
    const other = { ...createKey({}), id: "other" };
    await expect(others[0]?.windows.count(other, 1, NOW)).rejects.toThrow(NotCounted);
  });
});
