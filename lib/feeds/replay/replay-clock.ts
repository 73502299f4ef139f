import type { Clock } from "@/lib/platform/clock";

interface ReplayClockOptions {
  /** The moment in the recording at which the clock begins, UTC milliseconds. */
  readonly startMs: number;
  /** Recorded milliseconds that pass in one millisecond of `now`. */
  readonly speed: number;
  readonly now: Clock;
}

/** The market clock of a recording that is played with its own times: `startMs` when created, then runs at `speed`. */
export function createReplayClock({ startMs, speed, now }: ReplayClockOptions): Clock {
  const begunAtMs = now();
  return () => Math.floor(startMs + (now() - begunAtMs) * speed);
}
