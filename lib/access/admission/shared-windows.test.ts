import { describe, expect, test, vi } from "vitest";
import { remaining, resetSeconds } from "@/lib/access/admission/minute-window";
import { processesOnOneRedis } from "@/lib/access/testing/shared-processes";
import { canRunRedis } from "@/lib/platform/testing/redis";
import { DAY_MS } from "@/lib/time/units";

describe.runIf(canRunRedis)("windows that two processes share", () => {
  const { redis, someProcess, verdicts, counted, dayInRedis } = processesOnOneRedis();

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

  test("tell whoever looks what both have counted, and count nothing by that", async () => {
    const [one, two] = [await someProcess({ perMinute: 30 }), await someProcess({ perMinute: 30 })];
    expect(await counted(7, one)).toBe(7);
    await two.windows.look([two.key]);
    await two.windows.look([two.key]);
    expect([two.usedToday(), remaining(two.key.minute, 30, Date.now())]).toEqual([7, 23]);
    expect(await counted(40, two)).toBe(23);
  });

  test("give the day back a call that did not count, for both to use", async () => {
    const [one, two] = [await someProcess({ perDay: 1 }), await someProcess({ perDay: 1 })];
    expect(await one.call()).toBe("counted");
    expect(await two.call()).toBe("day used up");
    one.windows.release(one.key, 1, Date.now());
    await vi.waitFor(() => expect(dayInRedis(one)).toBe(0));
    expect(await two.call()).toBe("counted");
    one.windows.release(one.key, 1, Date.now() - DAY_MS);
    expect(await one.call()).toBe("day used up");
  });

  test("open a new minute when the old one is over", async () => {
    const one = await someProcess({ perMinute: 2 });
    expect(await counted(5, one)).toBe(2);
    redis().command("pexpire", `spotline:minute:${one.key.id}`, "1");
    one.key.minute.startedAtMs -= 60_000;
    expect(await counted(5, one)).toBe(2);
    expect(resetSeconds(one.key.minute, Date.now())).toBeGreaterThan(55);
  });

  test("ask nothing about a minute that is known to be full", async () => {
    const one = await someProcess({ perMinute: 1 });
    expect(await one.call()).toBe("counted");
    redis().freeze();
    expect(one.windows.count(one.key, 1)).toBe("minute used up");
  });
});
