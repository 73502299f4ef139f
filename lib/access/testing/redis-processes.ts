import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { countUsedToday, createDayWindow, getDayStart } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { createMinuteWindow } from "@/lib/access/admission/minute-window";
import { openRedisWindows, type RedisWindows } from "@/lib/access/admission/redis-windows";
import type { Verdict } from "@/lib/access/admission/windows";
import { NO_LIMIT } from "@/lib/access/plans";
import { silentLog } from "@/lib/platform/log/log";
import { startTestRedis, type TestRedis } from "@/lib/platform/testing/redis";
import { DAY_MS } from "@/lib/time/units";

/** Longer than any pause between two attempts to reach a Redis that is back. */
export const REDIS_BACK_MS = 5_000;

/** Starts a Redis for a `describe`, with processes that count in it. Each test has its own key. */
export function setUpRedisProcesses() {
  let server: TestRedis;
  let running: RedisWindows[] = [];
  let tests = 0;

  beforeAll(async () => {
    server = await startTestRedis();
  });
  afterAll(() => server.remove());
  beforeEach(() => void (tests += 1));
  afterEach(async () => {
    server.thaw();
    await Promise.all(running.map((windows) => windows.stop()));
    running = [];
  });

  /** The windows of one process: its own connection, and its own copy of the key. */
  async function startProcess(
    limits: { perMinute?: number; perDay?: number; ownPerDay?: number } = {},
    deadlineMs = 2_000,
  ) {
    const windows = openRedisWindows({ url: server.url, deadlineMs }, { now: Date.now, log: silentLog });
    running.push(windows);
    await windows.start();
    const days = { standard: createDayWindow(), tool: createDayWindow() };
    const { perMinute = NO_LIMIT, perDay = NO_LIMIT, ownPerDay } = limits;
    const key = {
      id: `key-${tests}`,
      accountId: `account-${tests}`,
      account: { days },
      minute: createMinuteWindow(),
      day: days.standard,
      perMinute,
      perDay,
      ownPerDay: ownPerDay ?? NO_LIMIT,
      ownDay: ownPerDay === undefined ? null : createDayWindow(),
    } as unknown as KeyEntry;
    return {
      windows,
      key,
      call: async (credits: number | null = 1): Promise<Verdict> => windows.count(key, credits, Date.now()),
      usedToday: () => countUsedToday(key.day, Date.now()),
    };
  }
  type Process = Awaited<ReturnType<typeof startProcess>>;

  async function countVerdicts(calls: number, ...processes: Process[]): Promise<Record<string, number>> {
    const all = Array.from({ length: calls }, (_, call) => processes[call % processes.length]?.call());
    const tally: Record<string, number> = {};
    for (const verdict of await Promise.all(all)) tally[String(verdict)] = (tally[String(verdict)] ?? 0) + 1;
    return tally;
  }

  const countAdmitted = async (calls: number, ...processes: Process[]) =>
    (await countVerdicts(calls, ...processes)).counted ?? 0;
  const untilShared = (...processes: Process[]) =>
    vi.waitFor(() => expect(processes.every(({ windows }) => windows.isReachable)).toBe(true), {
      timeout: REDIS_BACK_MS,
    });
  const untilAlone = (...processes: Process[]) =>
    vi.waitFor(() => expect(processes.some(({ windows }) => windows.isReachable)).toBe(false), {
      timeout: REDIS_BACK_MS,
    });
  const readDayInRedis = ({ key }: Process) =>
    Number(
      server.command("hget", `spotline:day:${key.accountId}:standard:${getDayStart(Date.now()) / DAY_MS}`, "used"),
    );

  return { redis: () => server, startProcess, countVerdicts, countAdmitted, untilShared, untilAlone, readDayInRedis };
}
