interface Repetition {
  start(): void;
  stop(): void;
}

interface Options {
  /** From the end of one run to the start of the next. */
  readonly pauseMs: number;
  /** Called once when runs begin to fail, and once when they succeed again. */
  onLost(error: unknown): void;
  onBack(): void;
}

/** Runs `work` over and over, failing or not, without ever overlapping itself or keeping the process alive. */
export function repeat(work: () => Promise<void>, { pauseMs, onLost, onBack }: Options): Repetition {
  let timer: NodeJS.Timeout | undefined;
  let stopped = true;
  let failing = false;

  async function run(): Promise<void> {
    try {
      await work();
      if (failing && !stopped) onBack();
      failing = false;
    } catch (error) {
      if (!failing && !stopped) onLost(error);
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
      schedule();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Shares runs of `load` among its callers. A run under way may have read before a caller's own change was committed,
 * so whoever comes during one gets the run after it.
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
