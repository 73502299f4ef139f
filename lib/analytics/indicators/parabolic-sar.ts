import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { closeAgainstLine } from "@/lib/analytics/indicators/signals";
import type { Bar } from "@/lib/market/bar";

const STEP = 0.02;
const MAXIMUM = 0.2;

/**
 * Parabolic stop and reverse (ParabolicSAR.mq5). It always starts short; a price equal to the stop does not reverse it;
 * on a reversal the stop becomes the extreme of all bars since the last reversal, both ends included. Values are those
 * of closed bars: for a forming bar MetaTrader shows the projected stop even if the price has already crossed it.
 */
class ParabolicSar implements Stream {
  count = 0;
  isLong = false;
  /** The stop for the next bar. */
  stop = 0;
  /** The farthest price of the current run, and how fast the stop follows it. */
  extreme = 0;
  acceleration = STEP;
  /** Highest high and lowest low since the last reversal. */
  highest = -Infinity;
  lowest = Infinity;
  previousHigh = 0;
  previousLow = 0;

  push(bar: Bar): number | null {
    this.count += 1;
    this.highest = Math.max(this.highest, bar.high);
    this.lowest = Math.min(this.lowest, bar.low);
    const value = this.count === 1 ? null : this.#advance(bar);
    this.previousHigh = bar.high;
    this.previousLow = bar.low;
    return value;
  }

  #advance(bar: Bar): number {
    if (this.count === 2) {
      this.stop = this.highest;
      this.extreme = bar.low;
    }
    if (this.isLong ? this.stop > bar.low : this.stop < bar.high) this.#reverse(bar);
    else this.#follow(bar);
    const stop = this.stop;
    this.#project(bar);
    return stop;
  }

  #reverse(bar: Bar): void {
    this.stop = this.isLong ? this.highest : this.lowest;
    this.isLong = !this.isLong;
    this.extreme = this.isLong ? bar.high : bar.low;
    this.acceleration = STEP;
    this.highest = bar.high;
    this.lowest = bar.low;
  }

  #follow(bar: Bar): void {
    const reached = this.isLong ? bar.high : bar.low;
    if (this.isLong ? reached <= this.extreme : reached >= this.extreme) return;
    this.extreme = reached;
    this.acceleration = Math.min(this.acceleration + STEP, MAXIMUM);
  }

  #project(bar: Bar): void {
    const next = this.stop + this.acceleration * (this.extreme - this.stop);
    this.stop = this.isLong ? Math.min(next, bar.low, this.previousLow) : Math.max(next, bar.high, this.previousHigh);
  }
}

export const parabolicSar: IndicatorDefinition = {
  name: "SAR",
  aliases: ["Parabolic_SAR"],
  category: "trend",
  description: "Parabolic stop and reverse, step 0.02, maximum 0.2: below the bar in a rise, above it in a fall",
  formula: "stop + acceleration × (extreme − stop), kept outside the latest two bars; reverses when a bar crosses it",
  warmUp: 2,
  range: null,
  decimals: "price",
  shape: "A",
  signal: closeAgainstLine,
  isEndless: true,
  create: () => new ParabolicSar(),
};
