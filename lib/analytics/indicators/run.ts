import type { IndicatorDefinition, Signal, Stream } from "@/lib/analytics/indicators/definition";
import { indicators } from "@/lib/analytics/indicators/registry";
import type { Bar } from "@/lib/market/bar";

/** A value with its label; null if the indicator has no labels. */
export interface Reading {
  readonly value: number;
  readonly signal: Signal | null;
}

/**
 * The value at each of the closed bars, oldest first; null before the first value.
 *
 * @param past what is remembered of all bars before them; null if they are the first
 */
export function runIndicator(
  definition: IndicatorDefinition,
  bars: readonly Bar[],
  past: BarMemory | null = null,
): (number | null)[] {
  const stream = continueStream(definition, past);
  return bars.map((bar) => stream.push(bar));
}

/** The value at the last of the bars; null if there are too few. */
export function computeLatest(
  definition: IndicatorDefinition,
  bars: readonly Bar[],
  past: BarMemory | null = null,
): number | null {
  const stream = continueStream(definition, past);
  const needed = definition.isEndless === true ? bars : bars.slice(-definition.warmUp);
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
): (Reading | null)[] {
  const stream = continueStream(definition, past);
  return bars.map((bar) => {
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
export function remember(past: BarMemory | null, bars: readonly Bar[]): BarMemory {
  const numbers: number[] = [];
  for (const definition of PLACES.keys()) {
    const stream = continueStream(definition, past);
    for (const bar of bars) stream.push(bar);
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
