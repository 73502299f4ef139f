import type { IndicatorDefinition, Signal } from "@/lib/analytics/indicators/definition";
import { type BarMemory, continueStream } from "@/lib/analytics/indicators/memory";
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
