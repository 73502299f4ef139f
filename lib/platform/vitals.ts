import { monitorEventLoopDelay } from "node:perf_hooks";

/** Health figures of this process. */
export interface Vitals {
  /** How late timers fired since the last reading: median, 99th percentile and maximum. */
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Memory of the whole process, and the part used by JavaScript objects. */
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly uptimeS: number;
}

const resolutionMs = 10;

/** Starts to measure the event loop. Each reading covers the time since the one before. */
export function watchVitals(): () => Vitals {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  // The histogram contains the time between two timers, which is never less than their interval.
  const lateness = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e5 - resolutionMs * 10) / 10);
  return () => {
    const delays = { p50: histogram.percentile(50), p99: histogram.percentile(99), max: histogram.max };
    const delayMs = { p50: lateness(delays.p50), p99: lateness(delays.p99), max: lateness(delays.max) };
    histogram.reset();
    const { rss, heapUsed } = process.memoryUsage();
    return { delayMs, residentBytes: rss, heapBytes: heapUsed, uptimeS: Math.floor(process.uptime()) };
  };
}
