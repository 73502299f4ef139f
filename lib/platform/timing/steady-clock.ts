import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

export interface Options {
  readonly system: Clock;
  readonly monotonic: Clock;
  /** Called when a step of the system clock is followed: by how many milliseconds, below zero for a step back. */
  readonly onStep: (stepMs: number) => void;
  readonly log: Logger;
}

/** Corrections of the time service within this bound are followed at once. */
const MAX_CORRECTION_MS = SECOND_MS;
/** A step is followed if it lasts this long. One that is undone before has no effect. */
const STEP_AFTER_MS = MINUTE_MS;

/** Milliseconds that pass evenly and are the same in all processes of a machine, so that they can compare moments. */
export const machineClock: Clock = () => Number(process.hrtime.bigint() / 1_000n) / 1_000;

/**
 * A clock for the ages of prices: the system clock, except that a step of it is ignored until it has lasted a minute.
 * So a clock that is set wrong and back makes no price old, and no old price fresh.
 */
export class SteadyClock {
  readonly #options: Options;
  /** The time is this much ahead of the monotonic clock. */
  #offsetMs: number;
  #step: { readonly offsetMs: number; readonly sinceMs: number } | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#offsetMs = options.system() - options.monotonic();
  }

  /** Whether the system clock shows another time, which is not followed yet. */
  get isSystemClockOff(): boolean {
    this.now();
    return this.#step !== null;
  }

  /** UTC milliseconds. */
  readonly now: Clock = () => {
    const { system, monotonic, onStep } = this.#options;
    const systemMs = system();
    const elapsedMs = monotonic();
    const offsetMs = systemMs - elapsedMs;
    const stepMs = Math.round(offsetMs - this.#offsetMs);
    const isStep = Math.abs(offsetMs - this.#offsetMs) > MAX_CORRECTION_MS;
    if (isStep && !this.#isToFollow(offsetMs, elapsedMs)) return Math.floor(elapsedMs + this.#offsetMs);
    this.#step = null;
    this.#offsetMs = offsetMs;
    // Last, since the listener may read the clock.
    if (isStep) onStep(stepMs);
    return systemMs;
  };

  #isToFollow(offsetMs: number, elapsedMs: number): boolean {
    const { log } = this.#options;
    const step = this.#step;
    const stepMs = Math.round(offsetMs - this.#offsetMs);
    if (step === null || Math.abs(offsetMs - step.offsetMs) > MAX_CORRECTION_MS) {
      this.#step = { offsetMs, sinceMs: elapsedMs };
      log.warn({ stepMs }, "the system clock was set; it is followed if it stays so for a minute");
      return false;
    }
    if (elapsedMs - step.sinceMs < STEP_AFTER_MS) return false;
    log.warn({ stepMs }, "the system clock is followed");
    return true;
  }
}
