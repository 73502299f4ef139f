import type { IndicatorDefinition, Signal, Stream } from "@/lib/analytics/indicators/definition";
import { indicators } from "@/lib/analytics/indicators/registry";
import type { Bar } from "@/lib/market/bar";
import type { BarHole } from "@/lib/market/expected-bars";

/** A value with its label; null if the indicator has no labels. */
export interface Reading {
  readonly value: number;
  readonly signal: Signal | null;
}

/** Where bars are missing: the index of the first bar after, and how many. */
type Hole = Pick<BarHole, "at" | "missing">;

/**
 * The value at each of the closed bars, oldest first; null before the first value, and where it needs bars of both sides
 * of a hole. An indicator starts anew after a hole that is longer than its warm-up.
 *
 * @param past what is remembered of all bars before them; null if they are the first
 */
export function runIndicator(
  definition: IndicatorDefinition,
  bars: readonly Bar[],
  past: BarMemory | null = null,
  holes: readonly Hole[] = [],
): (number | null)[] {
  const run = new Run(definition, { bars, past, holes });
  return bars.map(() => run.next((stream, bar) => stream.push(bar)));
}

interface RunInput {
  readonly bars: readonly Bar[];
  readonly past: BarMemory | null;
  readonly holes: readonly Hole[];
}

/** One of about so many bars of a lookback is a start. */
const STARTS_PER_LOOKBACK = 16;

/** A bar is a start by a hash of its time alone: every reader finds the same starts, whichever bars it has. */
function isStart({ timeMs }: Bar, lookback: number): boolean {
  let hash = Math.imul(Math.floor(timeMs / 1000), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) * lookback < STARTS_PER_LOOKBACK * 2 ** 32;
}

/** How many bars before a value its computation begins at most. */
const countMost = (lookback: number): number => lookback + Math.floor(lookback / 2);

/**
 * How many bars up to a bar its value may depend on, that bar included: what a reader needs for the same value as one that
 * has all bars.
 *
 * @param barMs the usual length of the bars
 */
export function countNeededBars(definition: IndicatorDefinition, barMs: number, timeMs: number): number {
  const { warmUp, lookback, since } = definition;
  if (since !== undefined) return Math.min(MOST_BARS_SINCE, Math.ceil((timeMs - since(timeMs)) / barMs) + 1);
  return lookback === undefined ? warmUp : countMost(lookback) + 1;
}

/** Where there are more bars since the moment that a value depends on, it has none. */
const MOST_BARS_SINCE = 6_000;

/**
 * An indicator that is computed bar by bar over a series. One with a lookback L begins, for each value, at the newest start
 * that is L to 1.5 L bars before it, or 1.5 L before it if there is none, or at the first bar ever recorded, or after the
 * last hole. So its value at a bar is the same in each series that has enough bars before it.
 */
export class Run {
  readonly #definition: IndicatorDefinition;
  readonly #input: RunInput;
  readonly #holes: ReadonlySet<number>;
  /** The streams that may give a value, oldest first; those without a lookback have one. */
  #active: { readonly at: number; readonly stream: Stream }[];
  /** Where the series begins, or its part after the last hole, and whether nothing is missing before it. */
  #first = 0;
  #isWhole: boolean;
  #next = 0;

  constructor(definition: IndicatorDefinition, input: RunInput) {
    this.#definition = definition;
    this.#input = input;
    this.#holes = new Set(input.holes.filter((hole) => separates(hole, definition)).map(({ at }) => at));
    this.#isWhole = input.past === null;
    const isComplete = definition.lookback === undefined || this.#isWhole;
    this.#active = isComplete ? [{ at: 0, stream: continueStream(definition, input.past) }] : [];
  }

  /** Passes the next bar to the streams, and returns what `map` makes of it; null if bars are missing before it. */
  next<Result>(map: (stream: Stream, bar: Bar) => Result): Result | null {
    const at = this.#next++;
    const bar = this.#input.bars[at] as Bar;
    const { lookback, since } = this.#definition;
    if (this.#holes.has(at)) this.#startAnew(at);
    if (lookback !== undefined) return this.#useStreams(at, bar, lookback, map);
    const result = map((this.#active[0] as { stream: Stream }).stream, bar);
    this.#isWhole ||= since === undefined || since(bar.timeMs) >= (this.#input.bars[0] as Bar).timeMs;
    return this.#isWhole ? result : null;
  }

  #startAnew(at: number): void {
    this.#active = [{ at, stream: this.#definition.create() }];
    this.#first = at;
    this.#isWhole = true;
  }

  #useStreams<Result>(
    at: number,
    bar: Bar,
    lookback: number,
    map: (stream: Stream, bar: Bar) => Result,
  ): Result | null {
    if (isStart(bar, lookback) && this.#active.at(-1)?.at !== at) {
      this.#active.push({ at, stream: this.#definition.create() });
    }
    while ((this.#active[1]?.at ?? Infinity) <= at - lookback) this.#active.shift();
    let result: Result | null = null;
    const start = this.#chooseStart(at, lookback);
    for (const each of this.#active) {
      const own = map(each.stream, bar);
      if (each.at === start) result = own;
    }
    if (start === null || this.#active[0]?.at === start) return result;
    const stream = this.#definition.create();
    for (let i = start; i < at; i += 1) stream.push(this.#input.bars[i] as Bar);
    return map(stream, bar);
  }

  /** Where the value at a bar begins; null if too few bars are known. */
  #chooseStart(at: number, lookback: number): number | null {
    const oldest = this.#active[0]?.at ?? Infinity;
    const farthest = at - countMost(lookback);
    if (oldest <= at - lookback && oldest >= farthest) return oldest;
    if (this.#isWhole && farthest <= this.#first) return this.#first;
    return farthest < this.#first ? null : farthest;
  }
}

function separates({ missing }: Hole, { warmUp, since }: IndicatorDefinition): boolean {
  return since === undefined && missing > warmUp;
}

interface Series {
  readonly closed: readonly Bar[];
  readonly past: BarMemory | null;
  readonly holes: readonly BarHole[];
}

const withoutHoles = new WeakMap<readonly Bar[], Series>();

/**
 * The bars after the last hole of a series, as if they were the first: for what compares indicators with different
 * warm-ups. The same object for the same array of bars.
 */
export function skipHoles(series: Series): Series {
  const hole = series.holes.at(-1);
  if (hole === undefined) return series;
  let later = withoutHoles.get(series.closed);
  if (later === undefined) {
    later = { closed: series.closed.slice(hole.at), past: null, holes: [] };
    withoutHoles.set(series.closed, later);
  }
  return later;
}

/** The latest hole after which an indicator starts anew; undefined without one. */
export function findLastStart<Found extends Hole>(
  definition: IndicatorDefinition,
  holes: readonly Found[],
): Found | undefined {
  return holes.findLast((hole) => separates(hole, definition));
}

/** The value at the last of the bars; null if there are too few. */
export function computeLatest(
  definition: IndicatorDefinition,
  bars: readonly Bar[],
  past: BarMemory | null = null,
  holes: readonly Hole[] = [],
): number | null {
  return runLatest(definition, { bars, past, holes })?.value ?? null;
}

/** Value and signal at the last of the bars; null if there are too few. See `runWithSignals`. */
export function computeLatestReading(
  definition: IndicatorDefinition,
  bars: readonly Bar[],
  point: number,
  past: BarMemory | null = null,
  holes: readonly Hole[] = [],
): Reading | null {
  const latest = runLatest(definition, { bars, past, holes });
  return latest === null ? null : label(definition, latest.stream, bars.at(-1) as Bar, latest.value, point);
}

function runLatest(definition: IndicatorDefinition, { bars, past, holes }: RunInput) {
  const hole = findLastStart(definition, holes);
  const isWhole = past === null || hole !== undefined;
  const start = findStart(definition, bars, { first: hole?.at ?? 0, isWhole });
  if (start === null) return null;
  const stream = continueStream(definition, hole === undefined ? past : null);
  let value: number | null = null;
  for (let i = start; i < bars.length; i += 1) value = stream.push(bars[i] as Bar);
  return value === null ? null : { stream, value };
}

function label(definition: IndicatorDefinition, stream: Stream, { close }: Bar, value: number, point: number): Reading {
  if (definition.signal === undefined) return { value, signal: null };
  if (stream.isFlat?.() === true) return { value, signal: "neutral" };
  return { value, signal: definition.signal(value, { close, point }) };
}

/** Where the value at the last bar begins: as in `Run`, but without the bars that it does not depend on. */
function findStart(
  { warmUp, isEndless, lookback, since }: IndicatorDefinition,
  bars: readonly Bar[],
  { first, isWhole }: { readonly first: number; readonly isWhole: boolean },
): number | null {
  const last = bars.length - 1;
  const newest = bars[last];
  if (newest === undefined) return null;
  if (since !== undefined) {
    const sinceMs = since(newest.timeMs);
    return isWhole || sinceMs >= (bars[0] as Bar).timeMs ? bars.findIndex(({ timeMs }) => timeMs >= sinceMs) : null;
  }
  if (lookback === undefined) return isEndless === true ? first : Math.max(first, bars.length - warmUp);
  const farthest = last - countMost(lookback);
  for (let i = last - lookback; i >= Math.max(farthest, first); i -= 1) if (isStart(bars[i] as Bar, lookback)) return i;
  if (isWhole && farthest <= first) return first;
  return farthest < first ? null : farthest;
}

/**
 * Value and signal at each of the bars, null before the first value.
 *
 * @param point the symbol's smallest price step, 10^-digits
 */
export function runWithSignals(
  definition: IndicatorDefinition,
  bars: readonly Bar[],
  point: number,
  past: BarMemory | null = null,
  holes: readonly Hole[] = [],
): (Reading | null)[] {
  const run = new Run(definition, { bars, past, holes });
  return bars.map(() =>
    run.next((stream, bar) => {
      const value = stream.push(bar);
      return value === null ? null : label(definition, stream, bar, value, point);
    }),
  );
}

/**
 * What the endless indicators remember of all bars before a moment, as numbers in a fixed order. A stream that continues
 * from it has exactly the values of one that has seen every bar.
 */
export type BarMemory = readonly number[];

/** Raise it when an endless indicator's arithmetic or fields change: stored memories of other versions are ignored. */
export const MEMORY_VERSION = 1;

/** Creates an indicator's stream after the bars that `past` remembers; null if there are none before. */
function continueStream(definition: IndicatorDefinition, past: BarMemory | null): Stream {
  const stream = definition.create();
  const at = PLACES.get(definition);
  if (past !== null && at !== undefined) restore(stream, past, at);
  return stream;
}

/** Adds bars, oldest first, to a memory. */
export function remember(past: BarMemory | null, bars: readonly Bar[], holes: readonly Hole[] = []): BarMemory {
  const numbers: number[] = [];
  for (const definition of PLACES.keys()) {
    const start = findLastStart(definition, holes);
    const stream = continueStream(definition, start === undefined ? past : null);
    for (const bar of bars.slice(start?.at ?? 0)) stream.push(bar);
    save(stream, numbers);
  }
  return numbers;
}

/** Where each endless indicator's numbers begin. */
const PLACES: ReadonlyMap<IndicatorDefinition, number> = findPlaces();

function findPlaces(): Map<IndicatorDefinition, number> {
  const places = new Map<IndicatorDefinition, number>();
  const numbers: number[] = [];
  for (const definition of indicators) {
    if (definition.isEndless !== true) continue;
    places.set(definition, numbers.length);
    save(definition.create(), numbers);
  }
  return places;
}

/** Appends the numbers of an object's public fields; NaN for null. */
function save(source: object, numbers: number[]): void {
  if (source instanceof Float64Array) {
    for (const number of source) numbers.push(number);
    return;
  }
  for (const value of Object.values(source) as unknown[]) {
    if (typeof value === "object" && value !== null) save(value, numbers);
    else numbers.push(value === null ? NaN : Number(value));
  }
}

/** Sets the public fields of a new object to the numbers from `at` on, and returns where they end. */
function restore(target: object, numbers: BarMemory, at: number): number {
  if (target instanceof Float64Array) {
    target.set(numbers.slice(at, at + target.length));
    return at + target.length;
  }
  const fields = target as Record<string, unknown>;
  let next = at;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "object" && value !== null) {
      next = restore(value, numbers, next);
      continue;
    }
    const number = numbers[next++] as number;
    fields[name] = typeof value === "boolean" ? number === 1 : Number.isNaN(number) ? null : number;
  }
  return next;
}
