import type { Clock } from "@/lib/platform/timing/clock";

interface ReplayClockOptions {
  /** The moment in the recording at which the clock begins, UTC milliseconds. */
  readonly startMs: number;
  /** Recorded milliseconds that pass in one millisecond of `monotonic`. */
  readonly speed: number;
  readonly monotonic: Clock;
}

/** The market clock of a recording that is played with its own times: `startMs` when created, then runs at `speed`. */
export function createReplayClock({ startMs, speed, monotonic }: ReplayClockOptions): Clock {
  const begunAtMs = monotonic();
  return () => Math.floor(startMs + (monotonic() - begunAtMs) * speed);
}
