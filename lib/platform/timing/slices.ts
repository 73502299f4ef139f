import { type Clock, monotonicClock } from "@/lib/platform/timing/clock";

/** How long all long computations together may occupy one turn of the event loop. */
const SLICE_MS = 3;

interface Options {
  readonly monotonic: Clock;
  /** Calls back in the next turn of the event loop. */
  readonly nextTurn: (callback: () => void) => void;
}

/**
 * Lets long computations of several callers share the thread with everything else: one of them computes in each turn of
 * the event loop, for a few milliseconds, and the others wait in their order.
 */
export class Slices {
  readonly #options: Options;
  readonly #waiting: (() => void)[] = [];
  /** When computing began in this turn; null if it has not. */
  #begunAtMs: number | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Maps the items in order, one or more in a turn. An item's own work must take less than a slice. */
  async map<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result | Promise<Result>): Promise<Result[]> {
    const results: Result[] = [];
    for (const item of items) {
      if (this.#isSpent()) await this.#wait();
      const result = map(item);
      results.push(result instanceof Promise ? await result : result);
    }
    return results;
  }

  #isSpent(): boolean {
    const nowMs = this.#options.monotonic();
    if (this.#begunAtMs === null) this.#begin(nowMs);
    return nowMs - (this.#begunAtMs ?? nowMs) >= SLICE_MS;
  }

  #begin(nowMs: number): void {
    this.#begunAtMs = nowMs;
    this.#options.nextTurn(() => {
      this.#begunAtMs = null;
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#begin(this.#options.monotonic());
      next();
    });
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** The slices of this process. */
export const slices = new Slices({ monotonic: monotonicClock, nextTurn: setImmediate });

/**
 * Functions for values that are in memory or have to be read first. A value in memory is used synchronously: on a hot
 * path, awaiting it would cost a promise and a turn of the event loop.
 */

/** Applies `map` to the value, synchronously if it is not a promise. */
export function mapMaybeAsync<Value, Result>(
  value: Value | Promise<Value>,
  map: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(map) : map(value);
}

/** All values in their order, synchronously if none is a promise. */
export function joinMaybeAsync<Value>(
  values: readonly (Value | Promise<Value>)[],
): readonly Value[] | Promise<Value[]> {
  const areValues = (each: readonly (Value | Promise<Value>)[]): each is readonly Value[] =>
    each.every((value) => !(value instanceof Promise));
  return areValues(values) ? values : Promise.all(values);
}

/**
 * Creates a function that does the works of each owner one after the other, so that many of them take no more of this
 * process than one does.
 */
export function takeTurns() {
  const latest = new Map<string, Promise<unknown>>();
  return async function inTurn<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const own = (latest.get(owner) ?? Promise.resolve()).then(work);
    const settled = own.catch(() => {});
    latest.set(owner, settled);
    try {
      return await own;
    } finally {
      if (latest.get(owner) === settled) latest.delete(owner);
    }
  };
}
