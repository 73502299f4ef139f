import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Logger } from "@/lib/platform/log/log";

/** How this process is doing. */
export interface Vitals {
  /** How late timers fired since the last reading: half of them at most this much, 99 of 100, and the latest. */
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Memory of the whole process, and of it what JavaScript's objects take. */
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly uptimeS: number;
}

const RESOLUTION_MS = 10;

/** Starts to measure the event loop. Each reading covers the time since the one before. */
export function watchVitals(log: Logger): () => Vitals {
  const readMemory = createMemoryReader(log);
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // The histogram contains the time between two timers, which is never less than their interval.
  const lateness = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e5 - RESOLUTION_MS * 10) / 10);
  return () => {
    const delays = { p50: histogram.percentile(50), p99: histogram.percentile(99), max: histogram.max };
    const delayMs = { p50: lateness(delays.p50), p99: lateness(delays.p99), max: lateness(delays.max) };
    histogram.reset();
    const { rss, heapUsed } = readMemory();
    return { delayMs, residentBytes: rss, heapBytes: heapUsed, uptimeS: Math.floor(process.uptime()) };
  };
}

/** Reading memory opens a file, which fails without a free file descriptor. Then the last reading is returned. */
function createMemoryReader(log: Logger): () => { readonly rss: number; readonly heapUsed: number } {
  let last = { rss: 0, heapUsed: 0 };
  let isFailing = false;
  return () => {
    try {
      last = process.memoryUsage();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error({ err: error }, "reading the memory in use failed");
      isFailing = true;
    }
    return last;
  };
}
