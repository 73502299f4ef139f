interface Options {
  /** How often the process should report. */
  readonly everyMs: number;
  /** Called when too many reports in a row are missing. */
  readonly onSilence: () => void;
}

/** After this many missing reports a process hangs. Each is counted by a timer, so a pause of both processes is none. */
const MAX_MISSED = 20;
/** A process that starts may compute for longer. */
const MAX_MISSED_AT_START = 90;
/** After this many, callers should know. */
const MISSED_TO_REPORT = 5;

/** Counts the missing reports of another process. */
export class Heartbeat {
  readonly #timer: NodeJS.Timeout;
  #missed = 0;
  #isStarting = true;

  constructor({ everyMs, onSilence }: Options) {
    this.#timer = setInterval(() => {
      this.#missed++;
      if (this.#missed < (this.#isStarting ? MAX_MISSED_AT_START : MAX_MISSED)) return;
      this.restart();
      onSilence();
    }, everyMs).unref();
  }

  /** Whether the process has started and reports. */
  get isReporting(): boolean {
    return !this.#isStarting && this.#missed < MISSED_TO_REPORT;
  }

  onReport(): void {
    this.#missed = 0;
  }

  onStarted(): void {
    this.#isStarting = false;
  }

  /** Waits for a new process. */
  restart(): void {
    this.#missed = 0;
    this.#isStarting = true;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
