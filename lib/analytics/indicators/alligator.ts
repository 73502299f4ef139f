import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { closeAgainstLine } from "@/lib/analytics/indicators/signals";
import { DelayedLine, WilderAverage } from "@/lib/analytics/indicators/smoothing";
import type { Bar } from "@/lib/market/bar";

/**
 * Bill Williams' Alligator (Alligator.mq5): three Wilder averages of the median price (high + low) / 2, drawn ahead.
 * The value at a bar is the one that the chart shows there, computed `shift` bars earlier.
 */
export const alligator: readonly IndicatorDefinition[] = [
  defineLine("Alligator_jaw", "jaw, the slowest line", 13, 8),
  defineLine("Alligator_teeth", "teeth, the middle line", 8, 5),
  defineLine("Alligator_lips", "lips, the fastest line", 5, 3),
];

class AlligatorLine implements Stream {
  readonly line: DelayedLine;

  constructor(period: number, shift: number) {
    this.line = new DelayedLine(new WilderAverage(period), shift);
  }

  push(bar: Bar): number | null {
    return this.line.push((bar.high + bar.low) / 2);
  }
}

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
    isEndless: true,
    create: () => new AlligatorLine(period, shift),
  };
}
