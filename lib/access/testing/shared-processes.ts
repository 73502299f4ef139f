import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { newDayWindow, startOfDay, usedToday } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/entries";
import { newMinuteWindow } from "@/lib/access/admission/minute-window";
import { createSharedWindows, type Verdict } from "@/lib/access/admission/shared-windows";
import { NO_LIMIT } from "@/lib/access/plans";
import { silentLog } from "@/lib/platform/log";
import { openRedis } from "@/lib/platform/redis";
import { startTestRedis, type TestRedis } from "@/lib/platform/testing/redis";
import { DAY_MS } from "@/lib/time/units";

/** More than any pause between two looks at a Redis that is back. */
export const backMs = 5_000;

/** A Redis for one `describe`, and what a process that counts in it does. Each test has a key of its own. */
export function processesOnOneRedis() {
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
    Number(server.command("hget", `spotline:day:${key.accountId}:standard:${startOfDay(Date.now()) / DAY_MS}`, "used"));

  return { redis: () => server, someProcess, verdicts, counted, untilShared, untilAlone, dayInRedis };
}
