import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import type { Logger } from "@/lib/platform/log/log";
import { repeat } from "@/lib/platform/timing/repeat";
import { SECOND_MS } from "@/lib/time/units";

/** What runs while this server records. */
export interface RecorderWork {
  stop(): void | Promise<void>;
}

/**
 * Runs `work` at once and `pauseMs` after each run, until it is stopped; a stop waits for the run that is under way. A run
 * that throws LeaseLost is no failure: the server learns of the loss when it renews the lease, and stops the work then.
 */
export function repeatWithLease(work: () => Promise<void>, options: Parameters<typeof repeat>[1]): RecorderWork {
  let running = Promise.resolve();
  const repetition = repeat(() => (running = work().catch(ignoreLostLease)), options);
  repetition.start();
  return {
    async stop() {
      repetition.stop();
      await running.catch(() => {});
    },
  };
}

function ignoreLostLease(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error;
}

/** @param fence the number that writes of this work check: another recorder has a higher one */
type StartWork = (fence: number) => RecorderWork | Promise<RecorderWork>;

const RETRY_MS = SECOND_MS;

/**
 * Runs the work of the server that records: it starts when the server begins to record, and stops when another one has
 * taken over. Starts and stops of one piece of work never overlap.
 */
export class WhileRecording {
  /** Resolves once this server records for the first time. */
  readonly begun: Promise<void>;
  readonly #log: Logger;
  readonly #steps = new Set<() => void>();
  #fence: number | null = null;
  #onBegin: () => void = () => {};

  constructor(log: Logger) {
    this.#log = log;
    this.begun = new Promise((resolve) => (this.#onBegin = resolve));
  }

  begin(fence: number): void {
    this.#fence = fence;
    this.#onBegin();
    for (const step of this.#steps) step();
  }

  end(): void {
    this.#fence = null;
    for (const step of this.#steps) step();
  }

  /** Resolves once the work has started, or at once on a standby. Rejects if the first start fails. */
  async run(start: StartWork): Promise<RecorderWork> {
    let running: { readonly work: RecorderWork; readonly fence: number } | null = null;
    let isStopped = false;
    let steps = Promise.resolve();

    const change = async (): Promise<void> => {
      const fence = isStopped ? null : this.#fence;
      if (running !== null && running.fence !== fence) {
        const { work } = running;
        running = null;
        await work.stop();
      }
      if (running === null && fence !== null) running = { work: await start(fence), fence };
    };
    const retry = (error: unknown): void => {
      this.#log.error({ err: error }, "the work of the recorder cannot be started or stopped; trying again");
      setTimeout(step, RETRY_MS).unref();
    };
    const step = (): void => void (steps = steps.then(change).catch(retry));

    await change();
    this.#steps.add(step);
    // Another server may have taken over meanwhile.
    step();
    return {
      stop: async () => {
        isStopped = true;
        this.#steps.delete(step);
        step();
        await steps;
      },
    };
  }
}
