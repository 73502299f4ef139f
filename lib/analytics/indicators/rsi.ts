import type { IndicatorDefinition, Stream } from "@/lib/analytics/indicators/definition";
import { beyondLevels } from "@/lib/analytics/indicators/signals";
import { WilderAverage } from "@/lib/analytics/indicators/smoothing";
import type { Bar } from "@/lib/market/bar";

/** Relative strength index (RSI.mq5). Without a fall it is 100; without any movement, 50. */
class Rsi implements Stream {
  readonly rises: WilderAverage;
  readonly falls: WilderAverage;
  previousClose: number | null = null;

  constructor(period: number) {
    this.rises = new WilderAverage(period);
    this.falls = new WilderAverage(period);
  }

  push(bar: Bar): number | null {
    const change = this.previousClose === null ? null : bar.close - this.previousClose;
    this.previousClose = bar.close;
    if (change === null) return null;
    const rise = this.rises.push(Math.max(change, 0));
    const fall = this.falls.push(Math.max(-change, 0));
    if (rise === null || fall === null) return null;
    if (fall === 0) return rise === 0 ? 50 : 100;
    return 100 - 100 / (1 + rise / fall);
  }
}

export const rsi: IndicatorDefinition = {
  name: "RSI_14",
  aliases: [],
  category: "oscillator",
  description: "Relative strength index of 14 bars: rises against falls of the close",
  formula:
    "100 − 100 / (1 + average rise / average fall), Wilder's averages seeded with plain means; 50 without movement",
  warmUp: 15,
  range: [0, 100],
  decimals: "oscillator",
  shape: "B",
  signal: beyondLevels(30, 70),
  isEndless: true,
  create: () => new Rsi(14),
};
