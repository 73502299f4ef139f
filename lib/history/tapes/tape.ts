import { alignPoints } from "@/lib/market/price";

/**
 * Every tick of one symbol and source, in the order of the broker's times; ticks of the same millisecond in the order in
 * which they were received. Times are whole UTC milliseconds, prices are in points (price × 10^digits).
 */
export interface Tape {
  readonly digits: number;
  readonly timesMs: Float64Array;
  readonly bids: Float64Array;
  readonly asks: Float64Array;
  readonly receivedMs: Float64Array;
  /** 1 for a tick whose source was the served one when it was received. */
  readonly served: Uint8Array;
}

/** One tick, with prices in points of the digits beside it. */
export interface TapeTick {
  readonly digits: number;
  readonly bid: number;
  readonly ask: number;
  readonly timeMs: number;
  readonly receivedMs: number;
  readonly isServed: boolean;
}

export function allocateTape(digits: number, count: number): Tape {
  const column = () => new Float64Array(count);
  return {
    ...{ digits, timesMs: column(), bids: column(), asks: column() },
    ...{ receivedMs: column(), served: new Uint8Array(count) },
  };
}

/** Six values of each tick. */
const WIDTH = 6;

/** Collects the ticks of one symbol and source as plain numbers, in the order in which they were received. */
export class TickList {
  readonly #values: number[] = [];

  get count(): number {
    return this.#values.length / WIDTH;
  }

  add({ digits, bid, ask, timeMs, receivedMs, isServed }: TapeTick): void {
    this.#values.push(digits, bid, ask, timeMs, receivedMs, isServed ? 1 : 0);
  }

  /** The ticks of which `isWanted` is true. */
  filter(isWanted: (tick: Pick<TapeTick, "timeMs" | "receivedMs">) => boolean): TickList {
    const wanted = new TickList();
    for (let at = 0; at < this.#values.length; at += WIDTH) {
      const tick = this.#values.slice(at, at + WIDTH);
      if (isWanted({ timeMs: tick[3] as number, receivedMs: tick[4] as number })) wanted.#values.push(...tick);
    }
    return wanted;
  }

  toTape(): Tape {
    const { count } = this;
    const values = this.#values;
    let digits = 0;
    let isInOrder = true;
    for (let i = 0; i < count; i++) {
      digits = Math.max(digits, values[i * WIDTH] as number);
      if (i > 0 && (values[i * WIDTH + 3] as number) < (values[(i - 1) * WIDTH + 3] as number)) isInOrder = false;
    }
    const order = isInOrder
      ? null
      : Array.from({ length: count }, (_, i) => i).sort(
          (a, b) => (values[a * WIDTH + 3] as number) - (values[b * WIDTH + 3] as number),
        );
    const tape = allocateTape(digits, count);
    for (let i = 0; i < count; i++) {
      const at = (order === null ? i : (order[i] as number)) * WIDTH;
      const own = values[at] as number;
      tape.bids[i] = alignPoints(values[at + 1] as number, own, digits);
      tape.asks[i] = alignPoints(values[at + 2] as number, own, digits);
      tape.timesMs[i] = values[at + 3] as number;
      tape.receivedMs[i] = values[at + 4] as number;
      tape.served[i] = values[at + 5] as number;
    }
    return tape;
  }
}

/**
 * Joins what was stored of one tape, oldest first. A feed that starts over, or another server that takes over, delivers ticks
 * again: where both have ticks of a millisecond, and those of one are within those of the other, they are the same ticks.
 */
export function joinTapes(parts: readonly Tape[]): Tape {
  const [first, ...rest] = parts;
  if (first === undefined) return allocateTape(0, 0);
  if (rest.length === 0) return first;
  const digits = parts.reduce((most, part) => Math.max(most, part.digits), 0);
  const raised = parts.flatMap((part) => (part.timesMs.length === 0 ? [] : raiseTape(part, digits)));
  // Mostly each part is later than the one before it, and only few are merged with what they overlap.
  let joined: Tape[] = [];
  for (const part of raised) {
    const last = joined.at(-1);
    if (last === undefined || getFirst(part) > getLast(last)) joined.push(part);
    else joined = [mergeTapes(concatenate(joined), part)];
  }
  return concatenate(joined);
}

const getFirst = ({ timesMs }: Tape) => timesMs[0] ?? Infinity;
const getLast = ({ timesMs }: Tape) => timesMs.at(-1) ?? -Infinity;

function raiseTape(tape: Tape, digits: number): Tape {
  if (tape.digits === digits) return tape;
  const raise = (points: number) => alignPoints(points, tape.digits, digits);
  return { ...tape, digits, bids: tape.bids.map(raise), asks: tape.asks.map(raise) };
}

/** The ticks at indexes [from, to). */
export function sliceTape(tape: Tape, from: number, to: number): Tape {
  const { digits, timesMs, bids, asks, receivedMs, served } = tape;
  return {
    ...{ digits, timesMs: timesMs.subarray(from, to), bids: bids.subarray(from, to), asks: asks.subarray(from, to) },
    ...{ receivedMs: receivedMs.subarray(from, to), served: served.subarray(from, to) },
  };
}

/** The index of the first tick at or after a moment of its broker, UTC milliseconds. */
export function findFirstTick({ timesMs }: Tape, timeMs: number): number {
  return findFirst(timesMs, timeMs);
}

/** The index of the first time at or after a moment. The times are in their order. */
export function findFirst(timesMs: Float64Array, timeMs: number): number {
  let low = 0;
  let high = timesMs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timesMs[middle] as number) < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function concatenate(parts: readonly Tape[]): Tape {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first ?? allocateTape(0, 0);
  const joined = allocateTape(
    first.digits,
    parts.reduce((sum, { timesMs }) => sum + timesMs.length, 0),
  );
  let at = 0;
  for (const part of parts) {
    joined.timesMs.set(part.timesMs, at);
    joined.bids.set(part.bids, at);
    joined.asks.set(part.asks, at);
    joined.receivedMs.set(part.receivedMs, at);
    joined.served.set(part.served, at);
    at += part.timesMs.length;
  }
  return joined;
}

/** Merges two tapes of the same digits; `later` was stored later. */
function mergeTapes(earlier: Tape, later: Tape): Tape {
  const runs: Tape[] = [];
  let [a, b] = [0, 0];
  while (a < earlier.timesMs.length || b < later.timesMs.length) {
    const [timeA, timeB] = [earlier.timesMs[a] ?? Infinity, later.timesMs[b] ?? Infinity];
    if (timeA < timeB) {
      const end = findFirstTick(earlier, timeB);
      runs.push(sliceTape(earlier, a, end));
      a = end;
    } else if (timeB < timeA) {
      const end = findFirstTick(later, timeA);
      runs.push(sliceTape(later, b, end));
      b = end;
    } else {
      const [endA, endB] = [findFirstTick(earlier, timeA + 1), findFirstTick(later, timeA + 1)];
      const [one, other] = [sliceTape(earlier, a, endA), sliceTape(later, b, endB)];
      if (isWithin(other, one)) runs.push(one);
      else if (isWithin(one, other)) runs.push(other);
      else runs.push(one, other);
      [a, b] = [endA, endB];
    }
  }
  return concatenate(runs);
}

/** Whether the prices of `part` follow each other in `whole` too. */
function isWithin(part: Tape, whole: Tape): boolean {
  const most = whole.bids.length - part.bids.length;
  for (let start = 0; start <= most; start++) {
    if (part.bids.every((bid, i) => whole.bids[start + i] === bid && whole.asks[start + i] === part.asks[i]))
      return true;
  }
  return false;
}
