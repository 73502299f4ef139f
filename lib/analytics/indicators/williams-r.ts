import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { beyondLevels } from "@/lib/analytics/indicators/signals";
import { Window } from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

/** Williams' percent range (WPR.mq5). A window without range repeats the previous value, 0 if there is none yet. */
class WilliamsR implements Stream {
  readonly highs: Window;
  readonly lows: Window;
  value = 0;
  flat = false;

  constructor(period: number) {
    this.highs = new Window(period);
    this.lows = new Window(period);
  }

  push(bar: Bar): number | null {
    this.highs.push(bar.high);
    if (!this.lows.push(bar.low)) return null;
    const highest = this.highs.highest();
    const range = highest - this.lows.lowest();
    this.flat = range === 0;
    if (!this.flat) this.value = 0 - 100 * ((highest - bar.close) / range);
    return this.value;
  }

  isFlat(): boolean {
    return this.flat;
  }
}

export const williamsR: IndicatorDefinition = {
  name: "WilliamsR_14",
  aliases: ["Williams_R_14"],
  category: "oscillator",
  description: "Williams' percent range of 14 bars: how far the close lies below the highest high",
  formula: "−100 × (highest high − close) / (highest high − lowest low) of 14 bars; the previous value without range",
  warmUp: 14,
  range: [-100, 0],
  decimals: "oscillator",
  shape: "A",
  signal: beyondLevels(-80, -20),
  isEndless: true,
  create: () => new WilliamsR(14),
};
