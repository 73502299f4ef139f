import type { Clock } from "@/lib/platform/clock";

interface ReplayClockOptions {
  /** The moment of the recording that the clock begins at, UTC milliseconds. */
  readonly startMs: number;
  /** Recorded milliseconds that pass in one of `now`'s. */
  readonly speed: number;
  readonly now: Clock;
}

/** The market clock of a recording played in its own time: begins at `startMs` when created, runs at `speed`. */
export function createReplayClock({ startMs, speed, now }: ReplayClockOptions): Clock {
  const begunAtMs = now();
  return () => Math.floor(startMs + (now() - begunAtMs) * speed);
}
