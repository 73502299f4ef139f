import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "@/lib/platform/log/log";
import { CallCounts } from "@/lib/platform/metrics/call-counts";
import type { ProcessReport } from "@/lib/readers/messages";
import { ProcessReports, ReaderProcess, STEADY_MS, type WriterSide } from "@/lib/readers/reader-process";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("A process that ends after running for long is restarted at once, one that ends soon after growing pauses", () => {
  const children: EventEmitter[] = [];
  const fork = () => {
    const child = Object.assign(new EventEmitter(), { pid: 1, connected: false, kill: () => true });
    children.push(child);
    return child as unknown as ChildProcess;
  };
  const writer = { publisher: { add: async () => {}, remove: () => {} }, onReaderEnd: () => {} };
  new ReaderProcess({ name: "reader", fork, writer: writer as unknown as WriterSide, log: silentLog });
  const end = () => children.at(-1)?.emit("exit", 1, null);
  const expectRestartAfter = (pauseMs: number) => {
    const { length } = children;
    if (pauseMs > 0) vi.advanceTimersByTime(pauseMs - 1);
    expect(children).toHaveLength(length);
    vi.advanceTimersByTime(pauseMs > 0 ? 1 : 0);
    expect(children).toHaveLength(length + 1);
  };
  vi.advanceTimersByTime(STEADY_MS);
  end();
  expectRestartAfter(0);
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    end();
    expectRestartAfter(pauseMs);
  }
  vi.advanceTimersByTime(STEADY_MS);
  end();
  expectRestartAfter(0);
});

const RUNNING = { exitCode: null, signalCode: null };
const KILLED = { exitCode: null, signalCode: "SIGKILL" as const };

/** A report as it arrives, as JSON, of a process that has answered so many calls. */
function reportCalls(count: number, delayMs = 0): ProcessReport {
  const calls = new CallCounts();
  for (let call = 0; call < count; call++) calls.count("/v1/quote", 200, 3);
  const report = { calls: calls.toJSON(), connections: 2, streams: 1, delayMs };
  return JSON.parse(JSON.stringify(report)) as ProcessReport;
}

function readCalls(reports: ProcessReports) {
  const all = new CallCounts();
  reports.addTo(all);
  const [counts] = all.toJSON();
  return counts && { statuses: counts.statuses, inBucket: counts.buckets[3], totalMs: counts.totalMs };
}

test("The counts of a process that has ended stay, and those of the next one are added", () => {
  const reports = new ProcessReports();
  expect(readCalls(reports)).toBeUndefined();
  reports.onReport(reportCalls(5), RUNNING);
  reports.onReport(reportCalls(7), RUNNING);
  const seven = { statuses: [[200, 7]], inBucket: 7, totalMs: 21 };
  expect([readCalls(reports), reports.connections, reports.streams]).toEqual([seven, 2, 1]);
  reports.onEnd();
  reports.onEnd();
  expect([readCalls(reports), reports.connections, reports.streams]).toEqual([seven, 0, 0]);
  // It was on its way when the process was killed.
  reports.onReport(reportCalls(8), KILLED);
  expect(readCalls(reports)).toEqual(seven);
  reports.onReport(reportCalls(2), RUNNING);
  expect(readCalls(reports)).toEqual({ statuses: [[200, 9]], inBucket: 9, totalMs: 27 });
});

test("A reading has the longest delay since the one before", () => {
  const reports = new ProcessReports();
  for (const delayMs of [4, 90, 2]) reports.onReport(reportCalls(0, delayMs), RUNNING);
  expect([reports.readDelayMs(), reports.readDelayMs()]).toEqual([90, 2]);
  reports.onReport(reportCalls(0, 1), RUNNING);
  expect([reports.readDelayMs(), reports.readDelayMs()]).toEqual([2, 1]);
});
