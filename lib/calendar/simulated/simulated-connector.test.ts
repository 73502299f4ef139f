import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Report } from "@/lib/calendar/event";
import { createSimulatedConnector } from "@/lib/calendar/simulated/simulated-connector";
import { silentLog } from "@/lib/platform/log/log";
import { DAY_MS } from "@/lib/time/units";

describe("The simulated connector", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("Everything is reported at the start, and each figure at the minute of its release", async () => {
    const release = Date.UTC(2026, 11, 4, 13, 30);
    vi.setSystemTime(release - 90_000);
    const reports: Report[] = [];
    const report = async (next: Report) => {
      reports.push(next);
      return { created: 0, changed: 0, withdrawn: 0 };
    };
    const connector = createSimulatedConnector("test", {
      report,
      hasBefore: () => true,
      now: Date.now,
      log: silentLog,
    });
    await connector.start();
    expect(reports.map(({ stream, events }) => [stream, events.length > 200])).toEqual([
      ["primary", true],
      ["secondary", true],
    ]);
    const payrolls = () => reports.at(-2)?.events.find(({ title }) => title.startsWith("Nonfarm Payrolls"));
    await vi.advanceTimersByTimeAsync(89_900);
    expect(reports).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(200);
    expect(reports).toHaveLength(4);
    expect(payrolls()).toMatchObject({ timeMs: release, actual: expect.stringMatching(/^\d+K$/) as unknown });
    connector.stop();
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(reports).toHaveLength(4);
  });

  test("A year of the past is reported once, in parts", async () => {
    const nowMs = Date.UTC(2026, 10, 22);
    vi.setSystemTime(nowMs);
    const past: Report[] = [];
    const report = async (next: Report) => {
      if (next.events.every(({ timeMs }) => timeMs < nowMs - 30 * DAY_MS)) past.push(next);
      return { created: 0, changed: 0, withdrawn: 0 };
    };
    const start = async (oldestMs: number) => {
      const hasBefore = (timeMs: number) => oldestMs < timeMs;
      const connector = createSimulatedConnector("test", { report, hasBefore, now: Date.now, log: silentLog });
      await connector.start();
      await vi.advanceTimersByTimeAsync(60_000);
      connector.stop();
    };
    await start(nowMs - 30 * DAY_MS);
    const times = past.flatMap(({ events }) => events.map(({ timeMs }) => timeMs));
    expect(nowMs - Math.min(...times)).toBeGreaterThan(395 * DAY_MS);
    expect(past.every(({ stream, events }) => stream === "primary" && events.length < 500)).toBe(true);
    const reported = past.length;
    await start(Math.min(...times));
    expect(past).toHaveLength(reported);
  });
});
