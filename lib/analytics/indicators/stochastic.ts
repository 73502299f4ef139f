import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { beyondLevels } from "@/lib/analytics/indicators/signals";
import { SimpleAverage } from "@/lib/analytics/indicators/smoothing";
import { Window } from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

const K_PERIOD = 5;
const SLOWING = 3;
const D_PERIOD = 3;

/**
 * %K of the stochastic oscillator 5/3/3 (Stochastic.mq5): a ratio of sums over the last three bars, while most other
 * implementations use the mean of three ratios. 100 if those bars have no range.
 */
class StochasticK implements Stream {
  readonly #highs = new Window(K_PERIOD);
  readonly #lows = new Window(K_PERIOD);
  readonly #heights = new Window(SLOWING);
  readonly #ranges = new Window(SLOWING);
  #isFlat = false;

  push(bar: Bar): number | null {
    this.#highs.push(bar.high);
    if (!this.#lows.push(bar.low)) return null;
    const lowest = this.#lows.lowest();
    this.#heights.push(bar.close - lowest);
    if (!this.#ranges.push(this.#highs.highest() - lowest)) return null;
    const range = this.#ranges.sum();
    this.#isFlat = range === 0;
    return this.#isFlat ? 100 : 100 * (this.#heights.sum() / range);
  }

  isFlat(): boolean {
    return this.#isFlat;
  }
}

/** %D: the mean of three values of %K. */
class StochasticD implements Stream {
  readonly #k = new StochasticK();
  readonly #mean = new SimpleAverage(D_PERIOD);

  push(bar: Bar): number | null {
    const k = this.#k.push(bar);
    return k === null ? null : this.#mean.push(k);
  }

  isFlat(): boolean {
    return this.#k.isFlat();
  }
}

const shared = {
  aliases: [],
  category: "oscillator",
  range: [0, 100],
  decimals: "oscillator",
  shape: "B",
  signal: beyondLevels(20, 80),
} satisfies Partial<IndicatorDefinition>;

export const stochastic: readonly IndicatorDefinition[] = [
  {
    ...shared,
    name: "Stochastic_K",
    description: "Stochastic oscillator 5/3/3, main line: where the close lies in the range of 5 bars",
    formula:
      "100 × sum of 3 (close − lowest low of 5) / sum of 3 (highest high of 5 − lowest low of 5); 100 without range",
    warmUp: K_PERIOD + SLOWING - 1,
    create: () => new StochasticK(),
  },
  {
    ...shared,
    name: "Stochastic_D",
    description: "Stochastic oscillator 5/3/3, signal line: average of the main line",
    formula: "mean of the latest 3 values of Stochastic_K",
    warmUp: K_PERIOD + SLOWING + D_PERIOD - 2,
    create: () => new StochasticD(),
  },
];
