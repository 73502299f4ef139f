import { describe, expect, test, vi } from "vitest";
import { countCreditsToday } from "@/lib/access/admission/day-window";
import { REDIS_BACK_MS, setUpRedisProcesses } from "@/lib/access/testing/redis-processes";
import { canRunRedis } from "@/lib/platform/testing/redis";

const DEADLINE_MS = 100;

describe.runIf(canRunRedis)("Windows that two processes share, while Redis fails,", () => {
  const { redis, startProcess, countAdmitted, untilShared, untilAlone, readDayInRedis } = setUpRedisProcesses();

  test("Costs of both processes add up through failures of every kind", async () => {
    const [one, two] = [await startProcess(), await startProcess()];
    const readCost = () =>
      Math.max(countCreditsToday(one.key.day, Date.now()), countCreditsToday(two.key.day, Date.now()));
    await one.call(3);
    await two.call(2);
    expect(readCost()).toBe(5);
    one.windows.release(one.key, 3, Date.now());
    redis().command("flushall");
    await two.call(1);
    await one.call(1);
    await redis().kill();
    await untilAlone(one, two);
    await one.call(2);
    await two.call(3);
    await redis().restart();
    await untilShared(one, two);
    await vi.waitFor(() => expect(readDayInRedis(one)).toBe(5));
    await two.call(1);
    await one.call(1);
    expect([one.usedToday(), readCost()]).toEqual([7, 2 + 1 + 1 + 2 + 3 + 1 + 1]);
  });

  test("An emptied Redis gets its counts back", async () => {
    const [one, two] = [await startProcess({ perMinute: 30 }), await startProcess({ perMinute: 30 })];
    expect(await countAdmitted(20, one)).toBe(20);
    expect(await countAdmitted(2, two)).toBe(2);
    redis().command("flushall");
    // The second process had the count of all 22 calls.
    expect(await countAdmitted(100, two)).toBe(8);
    expect(await countAdmitted(100, one)).toBe(0);
    expect(await countAdmitted(10, await startProcess({ perMinute: 30 }))).toBe(0);
  });

  test("Counts of both processes add up after Redis was emptied, in any order", async () => {
    const [one, two] = [await startProcess(), await startProcess()];
    expect(await countAdmitted(10, one)).toBe(10);
    expect(await countAdmitted(10, two)).toBe(10);
    redis().command("flushall");
    expect(await countAdmitted(3, one)).toBe(3);
    expect(await countAdmitted(3, await startProcess())).toBe(3);
    expect(await countAdmitted(3, two)).toBe(3);
    expect(await countAdmitted(1, one, two)).toBe(1);
    await vi.waitFor(() => expect(readDayInRedis(one)).toBe(30));
    await one.windows.refresh([one.key]);
    expect(one.usedToday()).toBe(30);
  });

  test("A restarted process restores its counts, and nothing is counted twice", async () => {
    const one = await startProcess();
    expect(await countAdmitted(10, one)).toBe(10);
    const again = await startProcess();
    // As restored from the database.
    Object.assign(again.key.day, { dayMs: one.key.day.dayMs, used: 9 });
    expect(await countAdmitted(1, again)).toBe(1);
    await vi.waitFor(() => expect(readDayInRedis(one)).toBe(11));
    redis().command("flushall");
    const later = await startProcess();
    Object.assign(later.key.day, { dayMs: one.key.day.dayMs, used: 11 });
    expect(await countAdmitted(1, later)).toBe(1);
    expect(await countAdmitted(1, again)).toBe(1);
    await vi.waitFor(() => expect(readDayInRedis(one)).toBe(13));
  });

  test("A slow Redis makes each process count alone within the limit, and gets the counts afterwards", async () => {
    const limits = { perMinute: 30, perDay: 45 };
    const [one, two] = [await startProcess(limits, DEADLINE_MS), await startProcess(limits, DEADLINE_MS)];
    expect(await countAdmitted(10, one, two)).toBe(10);
    redis().freeze();
    const startedAtMs = performance.now();
    const before = [one.usedToday(), two.usedToday()];
    const alone = [await countAdmitted(50, one), await countAdmitted(50, two)];
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
    expect(alone).toEqual(before.map((used) => 30 - used));
    expect([one.windows.isReachable, two.windows.isReachable]).toEqual([false, false]);
    // From then on calls are decided synchronously.
    expect(one.windows.count(one.key, 1, Date.now())).toBe("minute used up");
    redis().thaw();
    await untilShared(one, two);
    const total = alone.reduce((sum, calls) => sum + calls, 10);
    await vi.waitFor(() => expect(readDayInRedis(one)).toBe(total), { timeout: REDIS_BACK_MS });
    expect(await countAdmitted(10, one, two)).toBe(0);
  });

  test("Without Redis each process counts alone, and Redis gets the counts when it is back and empty", async () => {
    const limits = { perDay: 40 };
    const [one, two] = [await startProcess(limits), await startProcess(limits)];
    expect(await countAdmitted(20, one, two)).toBe(20);
    await redis().kill();
    await untilAlone(one, two);
    expect(await countAdmitted(5, one)).toBe(5);
    expect(await countAdmitted(8, two)).toBe(8);
    one.windows.release(one.key, 1, Date.now());
    await redis().restart();
    await untilShared(one, two);
    await vi.waitFor(() => expect(readDayInRedis(one)).toBe(20 + 5 + 8 - 1));
    expect(await countAdmitted(50, one, two)).toBe(8);
    expect(readDayInRedis(two)).toBe(40);
  });

  test("Redis gets what a key counted alone in its own day", async () => {
    const limits = { ownPerDay: 30, perDay: 100 };
    const [one, two] = [await startProcess(limits), await startProcess(limits)];
    expect(await countAdmitted(10, one, two)).toBe(10);
    await redis().kill();
    await untilAlone(one, two);
    expect([await countAdmitted(7, one), await countAdmitted(6, two)]).toEqual([7, 6]);
    await redis().restart();
    await untilShared(one, two);
    await vi.waitFor(() => expect(readDayInRedis(one)).toBe(23));
    expect(await countAdmitted(50, one, two)).toBe(7);
    expect([one.key.ownDay?.used, readDayInRedis(one)]).toEqual([30, 30]);
  });

  test("A process that starts without Redis counts alone, and shares once Redis is there", async () => {
    await redis().kill();
    const one = await startProcess({ perMinute: 5 }, DEADLINE_MS);
    expect(one.windows.isReachable).toBe(false);
    await one.windows.refresh([one.key]);
    expect(await countAdmitted(10, one)).toBe(5);
    await redis().restart();
    await untilShared(one);
    const two = await startProcess({ perMinute: 5 });
    await vi.waitFor(() => expect(redis().command("hget", `spotline:minute:${one.key.id}`, "used")).toBe("5"));
    expect(await countAdmitted(10, two)).toBe(0);
  });

  test("A full Redis makes a process count alone until it accepts writes", async () => {
    const one = await startProcess({ perMinute: 5 });
    expect(await one.call()).toBe("counted");
    redis().command("config", "set", "maxmemory", "1");
    try {
      expect(await countAdmitted(10, one)).toBe(4);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(one.windows.isReachable).toBe(false);
    } finally {
      redis().command("config", "set", "maxmemory", "0");
    }
    await untilShared(one);
    expect(await countAdmitted(10, await startProcess({ perMinute: 5 }))).toBe(0);
  });

  test("No failure of Redis admits more than the limit for each process", async () => {
    const limits = { perDay: 60 };
    const [one, two] = [await startProcess(limits, 30), await startProcess(limits, 30)];
    let admitted = 0;
    const disturb = [redis().freeze, redis().thaw, () => redis().command("flushall"), redis().restart, () => {}];
    let frozen = false;
    for (let round = 0; round < 30; round++) {
      const step = (round * 7) % disturb.length;
      // A frozen Redis accepts no commands.
      if (frozen && step !== 0) redis().thaw();
      frozen = step === 0;
      await disturb[step]?.();
      admitted += await countAdmitted(6, one, two);
      await new Promise((resolve) => setTimeout(resolve, round % 3 === 0 ? 250 : 5));
    }
    expect(admitted).toBeGreaterThanOrEqual(60);
    expect(admitted).toBeLessThanOrEqual(120);
    redis().thaw();
    await untilShared(one, two);
    expect(await countAdmitted(20, one, two)).toBe(0);
  });
});
