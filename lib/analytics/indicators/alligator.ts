import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { closeAgainstLine } from "@/lib/analytics/indicators/signals";
import { createWilderAverage, delay } from "@/lib/analytics/indicators/smoothing";

/**
 * Bill Williams' Alligator (Alligator.mq5): three Wilder averages of the median price (high + low) / 2, drawn ahead.
 * The value at a bar is the one that the chart shows there, computed `shift` bars earlier.
 */
export const alligator: readonly IndicatorDefinition[] = [
  defineLine("Alligator_jaw", "jaw, the slowest line", 13, 8),
  defineLine("Alligator_teeth", "teeth, the middle line", 8, 5),
  defineLine("Alligator_lips", "lips, the fastest line", 5, 3),
];

function defineLine(name: string, part: string, period: number, shift: number): IndicatorDefinition {
  return {
    name,
    aliases: [],
    category: "trend",
    description: `Alligator, ${part}: ${period} bars, drawn ${shift} bars ahead`,
    formula: `Wilder's average of (high + low) / 2 over ${period} bars, seeded with a plain mean, of ${shift} bars before`,
    warmUp: period + shift,
    range: null,
    decimals: "price",
    shape: "B",
    signal: closeAgainstLine,
    create() {
      const filter = delay(createWilderAverage(period), shift);
      return { push: (bar) => filter((bar.high + bar.low) / 2) };
    },
  };
}
