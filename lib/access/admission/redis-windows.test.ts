import { describe, expect, test, vi } from "vitest";
import { computeResetSeconds, countRemaining } from "@/lib/access/admission/minute-window";
import { setUpRedisProcesses } from "@/lib/access/testing/redis-processes";
import { canRunRedis } from "@/lib/platform/testing/redis";
import { DAY_MS } from "@/lib/time/units";

describe.runIf(canRunRedis)("Windows that two processes share", () => {
  const { redis, startProcess, countVerdicts, countAdmitted, readDayInRedis } = setUpRedisProcesses();

  test("Two processes admit exactly the minute's limit, and both show what is left and when it ends", async () => {
    const [one, two] = [await startProcess({ perMinute: 30 }), await startProcess({ perMinute: 30 })];
    expect(await countVerdicts(200, one, two)).toEqual({ counted: 30, "minute used up": 170 });
    for (const { key } of [one, two]) {
      expect(countRemaining(key.minute, key.perMinute, Date.now())).toBe(0);
      expect(computeResetSeconds(key.minute, Date.now())).toBeGreaterThan(55);
      expect(computeResetSeconds(key.minute, Date.now())).toBeLessThanOrEqual(60);
    }
  });

  test("Two processes admit exactly the day's quota", async () => {
    const [one, two] = [await startProcess({ perDay: 30 }), await startProcess({ perDay: 30 })];
    expect(await countVerdicts(200, one, two)).toEqual({ counted: 30, "day used up": 170 });
    expect([one.usedToday(), two.usedToday(), readDayInRedis(one)]).toEqual([30, 30, 30]);
  });

  test("A call that is refused, by the minute or for another reason, is not counted in the day", async () => {
    const [one, two] = [await startProcess({ perMinute: 5 }), await startProcess({ perMinute: 5 })];
    expect(await one.call(null)).toBe("counted");
    expect(await countAdmitted(20, one, two)).toBe(4);
    expect(readDayInRedis(one)).toBe(4);
  });

  test("A refresh reads what both have counted and counts nothing", async () => {
    const [one, two] = [await startProcess({ perMinute: 30 }), await startProcess({ perMinute: 30 })];
    expect(await countAdmitted(7, one)).toBe(7);
    await two.windows.refresh([two.key]);
    await two.windows.refresh([two.key]);
    expect([two.usedToday(), countRemaining(two.key.minute, 30, Date.now())]).toEqual([7, 23]);
    expect(await countAdmitted(40, two)).toBe(23);
  });

  test("A released call is given back to the day for both processes", async () => {
    const [one, two] = [await startProcess({ perDay: 1 }), await startProcess({ perDay: 1 })];
    expect(await one.call()).toBe("counted");
    expect(await two.call()).toBe("day used up");
    one.windows.release(one.key, 1, Date.now());
    await vi.waitFor(() => expect(readDayInRedis(one)).toBe(0));
    expect(await two.call()).toBe("counted");
    one.windows.release(one.key, 1, Date.now() - DAY_MS);
    expect(await one.call()).toBe("day used up");
  });

  test("Two processes admit exactly the key's own limit of a day, which the account's day counts too", async () => {
    const limits = { ownPerDay: 20, perDay: 100 };
    const [one, two] = [await startProcess(limits), await startProcess(limits)];
    expect(await countVerdicts(120, one, two)).toEqual({ counted: 20, "key day used up": 100 });
    expect([one.key.ownDay?.used, two.key.ownDay?.used, readDayInRedis(one)]).toEqual([20, 20, 20]);
    one.windows.release(one.key, 1, Date.now());
    await vi.waitFor(() => expect(readDayInRedis(one)).toBe(19));
    expect(await countVerdicts(5, two)).toEqual({ counted: 1, "key day used up": 4 });
  });

  test("A call that the account's day refuses is not counted in the key's own day", async () => {
    const limits = { ownPerDay: 50, perDay: 10 };
    const [one, two] = [await startProcess(limits), await startProcess(limits)];
    expect(await countVerdicts(60, one, two)).toEqual({ counted: 10, "day used up": 50 });
    await one.windows.refresh([one.key]);
    expect([one.key.ownDay?.used, one.key.ownDay?.credits, readDayInRedis(one)]).toEqual([10, 10, 10]);
  });

  test("A new minute opens when the old one is over", async () => {
    const one = await startProcess({ perMinute: 2 });
    expect(await countAdmitted(5, one)).toBe(2);
    redis().command("pexpire", `spotline:minute:${one.key.id}`, "1");
    one.key.minute.startedAtMs -= 60_000;
    expect(await countAdmitted(5, one)).toBe(2);
    expect(computeResetSeconds(one.key.minute, Date.now())).toBeGreaterThan(55);
  });

  test("Once Redis has found a minute full, calls are refused without a request to Redis", async () => {
    const one = await startProcess({ perMinute: 1 });
    expect([await one.call(), await one.call()]).toEqual(["counted", "minute used up"]);
    redis().freeze();
    expect(one.windows.count(one.key, 1, Date.now())).toBe("minute used up");
  });
});
