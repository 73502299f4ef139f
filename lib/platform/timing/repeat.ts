import { type Clock, monotonicClock } from "@/lib/platform/timing/clock";

export interface Repetition {
  start(): void;
  stop(): void;
  /** Milliseconds since a run last succeeded, or since the start: grows while runs fail, and while one hangs. */
  getSilenceMs(): number;
}

interface Options {
  /** From the end of one run to the start of the next. */
  readonly pauseMs: number;
  /** Called with the first error after a run that succeeded. */
  onFailure(error: unknown): void;
  /** Called on the first success after a run that failed. */
  onRecovery(): void;
  readonly monotonic?: Clock;
}

/** Runs `work` repeatedly, also after it fails. Runs never overlap, and they do not keep the process alive. */
export function repeat(work: () => Promise<void>, options: Options): Repetition {
  const { pauseMs, onFailure, onRecovery, monotonic = monotonicClock } = options;
  let timer: NodeJS.Timeout | undefined;
  let stopped = true;
  let failing = false;
  let succeededAtMs = monotonic();

  async function run(): Promise<void> {
    try {
      await work();
      succeededAtMs = monotonic();
      if (failing && !stopped) onRecovery();
      failing = false;
    } catch (error) {
      if (!failing && !stopped) onFailure(error);
      failing = true;
    }
    if (!stopped) schedule();
  }

  function schedule(): void {
    timer = setTimeout(() => void run(), pauseMs).unref();
  }

  return {
    start() {
      stopped = false;
      succeededAtMs = monotonic();
      schedule();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
    getSilenceMs: () => monotonic() - succeededAtMs,
  };
}

/**
 * Lets concurrent callers share runs of `load`. A run that has already begun may have read before a caller's own change
 * was committed, so callers during a run get the next one.
 */
export function shareRuns(load: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let following: Promise<void> | null = null;
  return function run(): Promise<void> {
    if (running === null) {
      running = load().finally(() => (running = null));
      return running;
    }
    following ??= running
      .catch(() => {})
      .then(() => {
        following = null;
        return run();
      });
    return following;
  };
}
