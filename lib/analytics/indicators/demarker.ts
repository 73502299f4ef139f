import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { beyondLevels } from "@/lib/analytics/indicators/signals";
import { Window } from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

/**
 * DeMarker (DeMarker.mq5): rises of the highs against falls of the lows. 0 without either, and then without a signal.
 */
class DeMarker implements Stream {
  readonly #rises: Window;
  readonly #falls: Window;
  #previous: Bar | null = null;
  #isFlat = false;

  constructor(period: number) {
    this.#rises = new Window(period);
    this.#falls = new Window(period);
  }

  push(bar: Bar): number | null {
    const previous = this.#previous;
    this.#previous = bar;
    if (previous === null) return null;
    this.#rises.push(Math.max(bar.high - previous.high, 0));
    if (!this.#falls.push(Math.max(previous.low - bar.low, 0))) return null;
    const rises = this.#rises.sum();
    const total = rises + this.#falls.sum();
    this.#isFlat = total === 0;
    return this.#isFlat ? 0 : rises / total;
  }

  isFlat(): boolean {
    return this.#isFlat;
  }
}

export const deMarker: IndicatorDefinition = {
  name: "DeMarker_14",
  aliases: [],
  category: "oscillator",
  description: "DeMarker of 14 bars: rises of the highs against falls of the lows",
  formula:
    "sum of max(high − previous high, 0) / (that sum + sum of max(previous low − low, 0)) of 14 bars; 0 without either",
  warmUp: 15,
  range: [0, 1],
  decimals: "oscillator",
  shape: "B",
  signal: beyondLevels(0.3, 0.7),
  create: () => new DeMarker(14),
};
