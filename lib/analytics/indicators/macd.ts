import { type IndicatorDefinition, pickLine } from "@/lib/analytics/indicators/definition";
import { aroundLevel } from "@/lib/analytics/indicators/signals";
import { ExponentialAverage, SimpleAverage } from "@/lib/analytics/indicators/smoothing";
import type { Bar } from "@/lib/market/bar";

/**
 * Moving average convergence/divergence of closes, 12/26/9 (MACD.mq5): the signal line is a simple average, while most
 * other implementations use an exponential one. The sample draws from the first bar on; here the main line begins where
 * the slow average is shown, and the signal line where it has nine values of it. The histogram is main − signal
 * (MetaQuotes' OsMA).
 */
class Macd {
  readonly fast = new ExponentialAverage(12);
  readonly slow = new ExponentialAverage(26);
  readonly average = new SimpleAverage(9);
  main: number | null = null;
  signal: number | null = null;

  push(bar: Bar): void {
    const fast = this.fast.push(bar.close);
    const slow = this.slow.push(bar.close);
    if (fast === null || slow === null) return;
    this.main = fast - slow;
    this.signal = this.average.push(this.main);
  }

  get histogram(): number | null {
    return this.main === null || this.signal === null ? null : this.main - this.signal;
  }
}

const shared = {
  aliases: [],
  category: "trend",
  range: null,
  decimals: "difference",
  shape: "B",
  isEndless: true,
  signal: aroundLevel(0),
} satisfies Partial<IndicatorDefinition>;

export const macd: readonly IndicatorDefinition[] = [
  {
    ...shared,
    name: "MACD_main",
    description: "MACD 12/26/9, main line: distance between a fast and a slow exponential average",
    formula: "EMA_12 − EMA_26 of closes, both seeded with the first close",
    warmUp: 26,
    create: () => pickLine(new Macd(), (lines) => lines.main),
  },
  {
    ...shared,
    name: "MACD_signal",
    description: "MACD 12/26/9, signal line: average of the main line",
    formula: "simple mean of the latest 9 values of MACD_main",
    warmUp: 34,
    create: () => pickLine(new Macd(), (lines) => lines.signal),
  },
  {
    ...shared,
    name: "MACD_hist",
    description: "MACD 12/26/9, histogram: main line against signal line",
    formula: "MACD_main − MACD_signal",
    warmUp: 34,
    create: () => pickLine(new Macd(), (lines) => lines.histogram),
  },
];
