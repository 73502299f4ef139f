import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { indicators } from "@/lib/analytics/indicators/registry";
import type { Bar } from "@/lib/market/bar";

/**
 * What the endless indicators remember of all bars before a moment, as numbers in a fixed order. A stream that continues
 * from it has exactly the values of one that has seen every bar.
 */
export type BarMemory = readonly number[];

/** Raise it when an endless indicator's arithmetic or fields change: stored memories of other versions are ignored. */
export const MEMORY_VERSION = 1;

/** Creates an indicator's stream after the bars that `past` remembers; null if there are none before. */
export function continueStream(definition: IndicatorDefinition, past: BarMemory | null): Stream {
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
