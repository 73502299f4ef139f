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
  return mapStream(definition, { bars, past, holes }, (stream, bar) => stream.push(bar));
}

interface StreamInput {
  readonly bars: readonly Bar[];
  readonly past: BarMemory | null;
  readonly holes: readonly Hole[];
}

/** Passes each bar to the stream of its part of the bars. */
function mapStream<Result>(
  definition: IndicatorDefinition,
  { bars, past, holes }: StreamInput,
  map: (stream: Stream, bar: Bar) => Result,
): Result[] {
  const starts = new Set(holes.filter((hole) => separates(hole, definition)).map(({ at }) => at));
  let stream = continueStream(definition, past);
  return bars.map((bar, at) => {
    if (starts.has(at)) stream = definition.create();
    return map(stream, bar);
  });
}

function separates({ missing }: Hole, { warmUp }: IndicatorDefinition): boolean {
  return missing > warmUp;
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
  const start = findLastStart(definition, holes);
  const stream = continueStream(definition, start === undefined ? past : null);
  const first = start?.at ?? 0;
  const needed = bars.slice(definition.isEndless === true ? first : Math.max(first, bars.length - definition.warmUp));
  let value: number | null = null;
  for (const bar of needed) value = stream.push(bar);
  return value;
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
  return mapStream(definition, { bars, past, holes }, (stream, bar) => {
    const value = stream.push(bar);
    if (value === null) return null;
    if (definition.signal === undefined) return { value, signal: null };
    if (stream.isFlat?.() === true) return { value, signal: "neutral" };
    return { value, signal: definition.signal(value, { close: bar.close, point }) };
  });
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
