import { describe, expect, test, vi } from "vitest";
import { creditsToday } from "@/lib/access/admission/day-window";
import { backMs, processesOnOneRedis } from "@/lib/access/testing/shared-processes";
import { canRunRedis } from "@/lib/platform/testing/redis";

const deadlineMs = 100;

describe.runIf(canRunRedis)("windows that two processes share, when Redis does not do as it should,", () => {
  const { redis, someProcess, counted, untilShared, untilAlone, dayInRedis } = processesOnOneRedis();

  test("add up what the calls of both cost, through troubles of every kind", async () => {
    const [one, two] = [await someProcess(), await someProcess()];
    const cost = () => Math.max(creditsToday(one.key.day, Date.now()), creditsToday(two.key.day, Date.now()));
    await one.call(3);
    await two.call(2);
    expect(cost()).toBe(5);
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
    await vi.waitFor(() => expect(dayInRedis(one)).toBe(5));
    await two.call(1);
    await one.call(1);
    expect([one.usedToday(), cost()]).toEqual([7, 2 + 1 + 1 + 2 + 3 + 1 + 1]);
  });

  test("put back what an emptied Redis has forgotten", async () => {
    const [one, two] = [await someProcess({ perMinute: 30 }), await someProcess({ perMinute: 30 })];
    expect(await counted(20, one)).toBe(20);
    expect(await counted(2, two)).toBe(2);
    redis().command("flushall");
    // Nobody knows of more than two did.
    expect(await counted(100, two)).toBe(8);
    expect(await counted(100, one)).toBe(0);
    expect(await counted(10, await someProcess({ perMinute: 30 }))).toBe(0);
  });

  test("add up what each knew when Redis is emptied, whoever comes first", async () => {
    const [one, two] = [await someProcess(), await someProcess()];
    expect(await counted(10, one)).toBe(10);
    expect(await counted(10, two)).toBe(10);
    redis().command("flushall");
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
    redis().command("flushall");
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
    redis().freeze();
    const askedAtMs = performance.now();
    const before = [one.usedToday(), two.usedToday()];
    const alone = [await counted(50, one), await counted(50, two)];
    expect(performance.now() - askedAtMs).toBeLessThan(1_000);
    expect(alone).toEqual(before.map((used) => 30 - used));
    expect([one.windows.isReachable, two.windows.isReachable]).toEqual([false, false]);
    // From then on nobody waits at all.
    expect(one.windows.count(one.key, 1)).toBe("minute used up");
    redis().thaw();
    await untilShared(one, two);
    const total = alone.reduce((sum, calls) => sum + calls, 10);
    await vi.waitFor(() => expect(dayInRedis(one)).toBe(total), { timeout: backMs });
    expect(await counted(10, one, two)).toBe(0);
  });

  test("count alone while Redis is gone, and bring it up to date when it is back and empty", async () => {
    const limits = { perDay: 40 };
    const [one, two] = [await someProcess(limits), await someProcess(limits)];
    expect(await counted(20, one, two)).toBe(20);
    await redis().kill();
    await untilAlone(one, two);
    expect(await counted(5, one)).toBe(5);
    expect(await counted(8, two)).toBe(8);
    one.windows.release(one.key, 1, Date.now());
    await redis().restart();
    await untilShared(one, two);
    await vi.waitFor(() => expect(dayInRedis(one)).toBe(20 + 5 + 8 - 1));
    expect(await counted(50, one, two)).toBe(8);
    expect(dayInRedis(two)).toBe(40);
  });

  test("start alone where there is no Redis, and share once there is", async () => {
    await redis().kill();
    const one = await someProcess({ perMinute: 5 }, deadlineMs);
    expect(one.windows.isReachable).toBe(false);
    await one.windows.look([one.key]);
    expect(await counted(10, one)).toBe(5);
    await redis().restart();
    await untilShared(one);
    const two = await someProcess({ perMinute: 5 });
    await vi.waitFor(() => expect(redis().command("hget", `spotline:minute:${one.key.id}`, "used")).toBe("5"));
    expect(await counted(10, two)).toBe(0);
  });

  test("count alone while Redis takes nothing, without a word to it until it does", async () => {
    const one = await someProcess({ perMinute: 5 });
    expect(await one.call()).toBe("counted");
    redis().command("config", "set", "maxmemory", "1");
    try {
      expect(await counted(10, one)).toBe(4);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(one.windows.isReachable).toBe(false);
    } finally {
      redis().command("config", "set", "maxmemory", "0");
    }
    await untilShared(one);
    expect(await counted(10, await someProcess({ perMinute: 5 }))).toBe(0);
  });

  test("never let more through than the limit for each process, whatever becomes of Redis", async () => {
    const limits = { perDay: 60 };
    const [one, two] = [await someProcess(limits, 30), await someProcess(limits, 30)];
    let admitted = 0;
    const disturb = [redis().freeze, redis().thaw, () => redis().command("flushall"), redis().restart, () => {}];
    let frozen = false;
    for (let round = 0; round < 30; round++) {
      const trouble = (round * 7) % disturb.length;
      // A frozen Redis can be neither emptied nor asked.
      if (frozen && trouble !== 0) redis().thaw();
      frozen = trouble === 0;
      await disturb[trouble]?.();
      admitted += await counted(6, one, two);
      await new Promise((resolve) => setTimeout(resolve, round % 3 === 0 ? 250 : 5));
    }
    expect(admitted).toBeGreaterThanOrEqual(60);
    expect(admitted).toBeLessThanOrEqual(120);
    redis().thaw();
    await untilShared(one, two);
    expect(await counted(20, one, two)).toBe(0);
  });
});
