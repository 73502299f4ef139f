import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { beyondLevels } from "@/lib/analytics/indicators/signals";
import { Window } from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

/** Money flow index with tick volume (MFI.mq5). Without a falling bar it is 100, also without any movement. */
class MoneyFlow implements Stream {
  readonly #inflows: Window;
  readonly #outflows: Window;
  #previous: number | null = null;
  #isFlat = false;

  constructor(period: number) {
    this.#inflows = new Window(period);
    this.#outflows = new Window(period);
  }

  push(bar: Bar): number | null {
    const typical = (bar.high + bar.low + bar.close) / 3;
    const previous = this.#previous;
    this.#previous = typical;
    if (previous === null) return null;
    const flow = typical * bar.volume;
    this.#inflows.push(typical > previous ? flow : 0);
    if (!this.#outflows.push(typical < previous ? flow : 0)) return null;
    const inflow = this.#inflows.sum();
    const outflow = this.#outflows.sum();
    this.#isFlat = inflow === 0 && outflow === 0;
    return outflow === 0 ? 100 : 100 - 100 / (1 + inflow / outflow);
  }

  isFlat(): boolean {
    return this.#isFlat;
  }
}

export const moneyFlow: IndicatorDefinition = {
  name: "MFI_14",
  aliases: [],
  category: "volume",
  description: "Money flow index of 14 bars: tick volume of rising bars against falling ones",
  formula:
    "100 − 100 / (1 + inflow / outflow); sums of typical price × volume over 14 bars whose typical price rose, fell",
  warmUp: 15,
  range: [0, 100],
  decimals: "oscillator",
  shape: "B",
  signal: beyondLevels(20, 80),
  create: () => new MoneyFlow(14),
};
