import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "@/lib/platform/log/log";
import { ReaderProcess, STEADY_MS, type WriterSide } from "@/lib/readers/reader-process";

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
