import { describe, expect, test, vi } from "vitest";
import { countCreditsToday } from "@/lib/access/admission/day-window";
import { computeResetSeconds, countRemaining } from "@/lib/access/admission/minute-window";
import type { Verdict } from "@/lib/access/admission/windows";
import { setUpRedisProcesses } from "@/lib/access/testing/redis-processes";
import { canRunRedis } from "@/lib/platform/testing/redis";
import { manyRuns } from "@/lib/text/property-runs.fixture";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

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

const CALLERS = 16;

describe.runIf(canRunRedis)("Processes that Redis grants calls of a busy key", () => {
  const { redis, startProcess, readDayInRedis } = setUpRedisProcesses();
  type Process = Awaited<ReturnType<typeof startProcess>>;

  /** Calls from several callers at once, each until it is refused. Returns the verdicts. */
  async function callUntilRefused(processes: readonly Process[], credits = 1) {
    const tally: Partial<Record<Verdict, number>> = {};
    const callers = processes.flatMap((process) => Array.from({ length: CALLERS }, () => process));
    await Promise.all(
      callers.map(async (process) => {
        for (let verdict: Verdict = "counted"; verdict === "counted";) {
          verdict = await process.call(credits);
          tally[verdict] = (tally[verdict] ?? 0) + 1;
        }
      }),
    );
    return tally;
  }

  /** Redis's own clock, by which calls are granted. */
  function readRedisClock(): number {
    const [seconds, microseconds] = redis().command("time").split("\n").map(Number) as [number, number];
    return seconds * SECOND_MS + Math.floor(microseconds / 1_000);
  }

  const countRuns = () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(redis().command("info", "commandstats"))?.[1] ?? 0);

  test("They admit exactly the limit of a minute, with a request to Redis for few of the calls", async () => {
    const limits = { perMinute: 20_000 };
    const processes = [await startProcess(limits), await startProcess(limits), await startProcess(limits)];
    const before = countRuns();
    expect(await callUntilRefused(processes)).toEqual({ counted: 20_000, "minute used up": 3 * CALLERS });
    // The last thousand calls are counted one by one, up to 16 of a process in one request.
    expect(countRuns() - before).toBeLessThan(2_000);
    await vi.waitFor(() => expect(readDayInRedis(processes[0] as Process)).toBe(20_000));
  });

  test("They admit exactly the limits of a day, and Redis gets the cost of every call", async () => {
    const limits = { perDay: 9_000, ownPerDay: 6_000 };
    const [one, two] = [await startProcess(limits), await startProcess(limits)];
    expect(await callUntilRefused([one, two], 3)).toEqual({ counted: 6_000, "key day used up": 2 * CALLERS });
    await vi.waitFor(async () => {
      await one.windows.refresh([one.key]);
      expect([one.usedToday(), countCreditsToday(one.key.day, Date.now())]).toEqual([6_000, 18_000]);
    });
  });

  test("A process waits for the return of calls that another was granted, instead of refusing", async () => {
    const limits = { perMinute: 3_000 };
    const [one, two] = [await startProcess(limits), await startProcess(limits)];
    for (let call = 0; call < 500; call++) expect(await one.call()).toBe("counted");
    expect(one.key.minute.granted).toBeGreaterThan(0);
    const { counted } = await callUntilRefused([two]);
    expect(counted).toBe(2_500);
  });

  test("Calls that were granted to a process that was killed count as made after a second", async () => {
    const one = await startProcess({ perMinute: 30 });
    expect(await one.call()).toBe("counted");
    const name = `spotline:minute:${one.key.id}`;
    const outUntilMs = readRedisClock() + 400;
    redis().command("hset", name, "used", "30", "out", "29", "outUntil", String(outUntilMs));
    expect(await one.call()).toBe("minute used up");
    const refusedMs = readRedisClock();
    expect(refusedMs).toBeGreaterThanOrEqual(outUntilMs);
    expect(refusedMs).toBeLessThan(outUntilMs + 1_600);
  });

  test("A call that waits for a full day is counted once in its minute", async () => {
    const one = await startProcess({ perMinute: 100, ownPerDay: 50, perDay: 40 });
    expect(await one.call()).toBe("counted");
    const dayMs = one.key.day.dayMs;
    const name = `spotline:day:${one.key.accountId}:standard:${dayMs / 86_400_000}`;
    redis().command("hset", name, "used", "40", "out", "3", "outUntil", String(readRedisClock() + 200));
    expect(await one.call()).toBe("day used up");
    expect(redis().command("hget", `spotline:minute:${one.key.id}`, "used")).toBe("2");
    expect(one.key.ownDay?.used).toBe(1);
  });

  test("After calls, refusals and releases in any order, Redis has counted exactly what was made", async () => {
    const processes = [await startProcess(), await startProcess(), await startProcess()];
    const made = { calls: 0, cost: 0, inMinute: 0 };
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < manyRuns(3_000); round++) {
      const process = processes[random(processes.length)] as Process;
      const credits = random(5) === 0 ? null : 1 + random(4);
      expect(await process.call(credits)).toBe("counted");
      made.inMinute++;
      if (credits === null) continue;
      made.calls++;
      made.cost += credits;
      if (random(10) !== 0) continue;
      process.windows.release(process.key, credits, Date.now());
      made.calls--;
      made.cost -= credits;
    }
    const [one] = processes as [Process];
    await vi.waitFor(async () => {
      await one.windows.refresh([one.key]);
      const { used } = one.key.minute;
      const cost = countCreditsToday(one.key.day, Date.now());
      expect({ calls: one.usedToday(), cost, inMinute: used }).toEqual(made);
    });
  });

  test("Granted calls are counted once, whether Redis is emptied or fails meanwhile", async () => {
    const [one, two] = [await startProcess(), await startProcess()];
    for (let call = 0; call < 300; call++) await one.call();
    for (let call = 0; call < 200; call++) await two.call();
    redis().command("flushall");
    for (let call = 0; call < 100; call++) await two.call();
    for (let call = 0; call < 50; call++) await one.call();
    await redis().kill();
    for (let call = 0; call < 40; call++) await one.call();
    await redis().restart();
    await vi.waitFor(
      async () => {
        await one.windows.refresh([one.key]);
        await two.windows.refresh([two.key]);
        expect([one.usedToday(), two.usedToday()]).toEqual([690, 690]);
      },
      { timeout: 5_000 },
    );
  });
});
