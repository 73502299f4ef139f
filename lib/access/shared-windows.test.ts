import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { creditsToday, newDayWindow, startOfDay, usedToday } from "@/lib/access/day-window";
import type { KeyEntry } from "@/lib/access/entries";
import { newMinuteWindow, remaining, resetSeconds } from "@/lib/access/minute-window";
import { NO_LIMIT } from "@/lib/access/plans";
import { createSharedWindows, type Verdict } from "@/lib/access/shared-windows";
import { silentLog } from "@/lib/platform/log";
import { openRedis } from "@/lib/platform/redis";
import { canRunRedis, startTestRedis, type TestRedis } from "@/lib/platform/testing/redis";

const deadlineMs = 100;
/** More than any pause between two looks at a Redis that is back. */
const backMs = 5_000;

describe.runIf(canRunRedis)("windows that two processes share", () => {
  let server: TestRedis;
  let running: { stop(): Promise<void> }[] = [];
  let made = 0;

  beforeAll(async () => {
    server = await startTestRedis();
  });
  afterAll(() => server.remove());
  beforeEach(() => void (made += 1));
  afterEach(async () => {
    server.thaw();
    await Promise.all(running.map((each) => each.stop()));
    running = [];
  });

  /** A process of its own as far as windows go: its own connection, and its own view of the same key. */
  async function someProcess(limits: { perMinute?: number; perDay?: number } = {}, patienceMs = 2_000) {
    const redis = openRedis({
      url: server.url,
      deadlineMs: patienceMs,
      log: silentLog,
      onBack: () => windows.settle(),
    });
    const windows = createSharedWindows(redis, Date.now);
    running.push(redis);
    await redis.start();
    const days = { standard: newDayWindow(), tool: newDayWindow() };
    const { perMinute = NO_LIMIT, perDay = NO_LIMIT } = limits;
    const key = {
      id: `key-${made}`,
      accountId: `account-${made}`,
      account: { days },
      minute: newMinuteWindow(),
      day: days.standard,
      perMinute,
      perDay,
    } as unknown as KeyEntry;
    return {
      windows,
      key,
      call: async (credits: number | null = 1): Promise<Verdict> => windows.count(key, credits),
      usedToday: () => usedToday(key.day, Date.now()),
    };
  }
  type Process = Awaited<ReturnType<typeof someProcess>>;

  async function verdicts(calls: number, ...processes: Process[]): Promise<Record<string, number>> {
    const all = Array.from({ length: calls }, (_, call) => processes[call % processes.length]?.call());
    const tally: Record<string, number> = {};
    for (const verdict of await Promise.all(all)) tally[String(verdict)] = (tally[String(verdict)] ?? 0) + 1;
    return tally;
  }

  const counted = async (calls: number, ...processes: Process[]) => (await verdicts(calls, ...processes)).counted ?? 0;
  const untilShared = (...processes: Process[]) =>
    vi.waitFor(() => expect(processes.every(({ windows }) => windows.isReachable)).toBe(true), { timeout: backMs });
  const untilAlone = (...processes: Process[]) =>
    vi.waitFor(() => expect(processes.some(({ windows }) => windows.isReachable)).toBe(false), { timeout: backMs });
  const dayInRedis = ({ key }: Process) =>
    Number(
      server.command("hget", `spotline:day:${key.accountId}:standard:${startOfDay(Date.now()) / 86_400_000}`, "used"),
    );

  test("admit exactly the minute's limit together, and show what is left and when it ends", async () => {
    const [one, two] = [await someProcess({ perMinute: 30 }), await someProcess({ perMinute: 30 })];
    expect(await verdicts(200, one, two)).toEqual({ counted: 30, "minute used up": 170 });
    for (const { key } of [one, two]) {
      expect(remaining(key.minute, key.perMinute, Date.now())).toBe(0);
      expect(resetSeconds(key.minute, Date.now())).toBeGreaterThan(55);
      expect(resetSeconds(key.minute, Date.now())).toBeLessThanOrEqual(60);
    }
  });

  test("admit exactly the day's quota together", async () => {
    const [one, two] = [await someProcess({ perDay: 30 }), await someProcess({ perDay: 30 })];
    expect(await verdicts(200, one, two)).toEqual({ counted: 30, "day used up": 170 });
    expect([one.usedToday(), two.usedToday(), dayInRedis(one)]).toEqual([30, 30, 30]);
  });

  test("spend nothing of the day on a call that the minute refuses, or that is refused anyway", async () => {
    const [one, two] = [await someProcess({ perMinute: 5 }), await someProcess({ perMinute: 5 })];
    expect(await one.call(null)).toBe("counted");
    expect(await counted(20, one, two)).toBe(4);
    expect(dayInRedis(one)).toBe(4);
  });

  test("give the day back a call that did not count, for both to use", async () => {
    const [one, two] = [await someProcess({ perDay: 1 }), await someProcess({ perDay: 1 })];
    expect(await one.call()).toBe("counted");
    expect(await two.call()).toBe("day used up");
    one.windows.release(one.key, 1, Date.now());
    await vi.waitFor(() => expect(dayInRedis(one)).toBe(0));
    expect(await two.call()).toBe("counted");
    one.windows.release(one.key, 1, Date.now() - 86_400_000);
    expect(await one.call()).toBe("day used up");
  });

  test("add up what the calls of both cost, through troubles of every kind", async () => {
    const [one, two] = [await someProcess(), await someProcess()];
    const cost = () => Math.max(creditsToday(one.key.day, Date.now()), creditsToday(two.key.day, Date.now()));
    await one.call(3);
    await two.call(2);
    expect(cost()).toBe(5);
    one.windows.release(one.key, 3, Date.now());
    server.command("flushall");
    await two.call(1);
    await one.call(1);
    await server.kill();
    await untilAlone(one, two);
    await one.call(2);
    await two.call(3);
    await server.restart();
    await untilShared(one, two);
    await vi.waitFor(() => expect(dayInRedis(one)).toBe(5));
    await two.call(1);
    await one.call(1);
    expect([one.usedToday(), cost()]).toEqual([7, 2 + 1 + 1 + 2 + 3 + 1 + 1]);
  });

  test("open a new minute when the old one is over", async () => {
    const one = await someProcess({ perMinute: 2 });
    expect(await counted(5, one)).toBe(2);
    server.command("pexpire", `spotline:minute:${one.key.id}`, "1");
    one.key.minute.startedAtMs -= 60_000;
    expect(await counted(5, one)).toBe(2);
    expect(resetSeconds(one.key.minute, Date.now())).toBeGreaterThan(55);
  });

  test("ask nothing about a minute that is known to be full", async () => {
    const one = await someProcess({ perMinute: 1 });
    expect(await one.call()).toBe("counted");
    server.freeze();
    expect(one.windows.count(one.key, 1)).toBe("minute used up");
  });

  test("put back what an emptied Redis has forgotten", async () => {
    const [one, two] = [await someProcess({ perMinute: 30 }), await someProcess({ perMinute: 30 })];
    expect(await counted(20, one)).toBe(20);
    expect(await counted(2, two)).toBe(2);
    server.command("flushall");
    // Nobody knows of more than two did.
    expect(await counted(100, two)).toBe(8);
    expect(await counted(100, one)).toBe(0);
    expect(await counted(10, await someProcess({ perMinute: 30 }))).toBe(0);
  });

  test("add up what each knew when Redis is emptied, whoever comes first", async () => {
    const [one, two] = [await someProcess(), await someProcess()];
    expect(await counted(10, one)).toBe(10);
    expect(await counted(10, two)).toBe(10);
    server.command("flushall");
    expect(await counted(3, one)).toBe(3);
    expect(await counted(3, await someProcess())).toBe(3);
    expect(await counted(3, two)).toBe(3);
    expect(await counted(1, one, two)).toBe(1);
    expect([dayInRedis(one), one.usedToday()]).toEqual([30, 30]);
  });

  test("take a process that starts anew at its word, but count nothing twice", async () => {
    const one = await someProcess();
    expect(await counted(10, one)).toBe(10);
    const again = await someProcess();
    // As restored from the database.
    Object.assign(again.key.day, { dayMs: one.key.day.dayMs, used: 9 });
    expect(await counted(1, again)).toBe(1);
    expect(dayInRedis(one)).toBe(11);
    server.command("flushall");
    const later = await someProcess();
    Object.assign(later.key.day, { dayMs: one.key.day.dayMs, used: 11 });
    expect(await counted(1, later)).toBe(1);
    expect(await counted(1, again)).toBe(1);
    expect(dayInRedis(one)).toBe(13);
  });

  test("count alone while Redis is too slow, within the limit for each, and tell it afterwards", async () => {
    const limits = { perMinute: 30, perDay: 45 };
    const [one, two] = [await someProcess(limits, deadlineMs), await someProcess(limits, deadlineMs)];
    expect(await counted(10, one, two)).toBe(10);
    server.freeze();
    const askedAtMs = performance.now();
    const before = [one.usedToday(), two.usedToday()];
    const alone = [await counted(50, one), await counted(50, two)];
    expect(performance.now() - askedAtMs).toBeLessThan(1_000);
    expect(alone).toEqual(before.map((used) => 30 - used));
    expect([one.windows.isReachable, two.windows.isReachable]).toEqual([false, false]);
    // From then on nobody waits at all.
    expect(one.windows.count(one.key, 1)).toBe("minute used up");
    server.thaw();
    await untilShared(one, two);
    const total = alone.reduce((sum, calls) => sum + calls, 10);
    await vi.waitFor(() => expect(dayInRedis(one)).toBe(total), { timeout: backMs });
    expect(await counted(10, one, two)).toBe(0);
  });

  test("count alone while Redis is gone, and bring it up to date when it is back and empty", async () => {
    const limits = { perDay: 40 };
    const [one, two] = [await someProcess(limits), await someProcess(limits)];
    expect(await counted(20, one, two)).toBe(20);
    await server.kill();
    await untilAlone(one, two);
    expect(await counted(5, one)).toBe(5);
    expect(await counted(8, two)).toBe(8);
    one.windows.release(one.key, 1, Date.now());
    await server.restart();
    await untilShared(one, two);
    await vi.waitFor(() => expect(dayInRedis(one)).toBe(20 + 5 + 8 - 1));
    expect(await counted(50, one, two)).toBe(8);
    expect(dayInRedis(two)).toBe(40);
  });

  test("start alone where there is no Redis, and share once there is", async () => {
    await server.kill();
    const one = await someProcess({ perMinute: 5 }, deadlineMs);
    expect(one.windows.isReachable).toBe(false);
    expect(await counted(10, one)).toBe(5);
    await server.restart();
    await untilShared(one);
    const two = await someProcess({ perMinute: 5 });
    await vi.waitFor(() => expect(server.command("hget", `spotline:minute:${one.key.id}`, "used")).toBe("5"));
    expect(await counted(10, two)).toBe(0);
  });

  test("count alone while Redis takes nothing, without a word to it until it does", async () => {
    const one = await someProcess({ perMinute: 5 });
    expect(await one.call()).toBe("counted");
    server.command("config", "set", "maxmemory", "1");
    try {
      expect(await counted(10, one)).toBe(4);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(one.windows.isReachable).toBe(false);
    } finally {
      server.command("config", "set", "maxmemory", "0");
    }
    await untilShared(one);
    expect(await counted(10, await someProcess({ perMinute: 5 }))).toBe(0);
  });

  test("never let more through than the limit for each process, whatever becomes of Redis", async () => {
    const limits = { perDay: 60 };
    const [one, two] = [await someProcess(limits, 30), await someProcess(limits, 30)];
    let admitted = 0;
    const disturb = [server.freeze, server.thaw, () => server.command("flushall"), server.restart, () => {}];
    let frozen = false;
    for (let round = 0; round < 30; round++) {
      const trouble = (round * 7) % disturb.length;
      // A frozen Redis can be neither emptied nor asked.
      if (frozen && trouble !== 0) server.thaw();
      frozen = trouble === 0;
      await disturb[trouble]?.();
      admitted += await counted(6, one, two);
      await new Promise((resolve) => setTimeout(resolve, round % 3 === 0 ? 250 : 5));
    }
    expect(admitted).toBeGreaterThanOrEqual(60);
    expect(admitted).toBeLessThanOrEqual(120);
    server.thaw();
    await untilShared(one, two);
    expect(await counted(20, one, two)).toBe(0);
  });
});
