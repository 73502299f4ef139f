import { type IndicatorDefinition, pickLine } from "@/lib/analytics/indicators/definition";
import { closeAgainstLine } from "@/lib/analytics/indicators/signals";
import { Window } from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

const TENKAN = 9;
const KIJUN = 26;

/** The middle between the highest high and the lowest low of the latest `period` bars. */
function createRangeMiddle(period: number): (bar: Bar) => number | null {
  const highs = new Window(period);
  const lows = new Window(period);
  return (bar) => {
    highs.push(bar.high);
    return lows.push(bar.low) ? (highs.highest() + lows.lowest()) / 2 : null;
  };
}

/**
 * Ichimoku Kinko Hyo 9/26/52 (Ichimoku.mq5). Senkou span A is drawn 26 bars ahead: its value at a bar, where the chart
 * shows the cloud, was computed 26 bars earlier. The sample hides each line a little longer than its window needs.
 */
class Ichimoku {
  readonly #tenkan = createRangeMiddle(TENKAN);
  readonly #kijun = createRangeMiddle(KIJUN);
  readonly #ahead = new Window(KIJUN + 1);
  tenkan: number | null = null;
  kijun: number | null = null;
  senkouA: number | null = null;

  push(bar: Bar): void {
    this.tenkan = this.#tenkan(bar);
    this.kijun = this.#kijun(bar);
    if (this.tenkan === null || this.kijun === null) return;
    if (this.#ahead.push((this.tenkan + this.kijun) / 2)) this.senkouA = this.#ahead.oldest();
  }
}

const shared = {
  aliases: [],
  category: "trend",
  range: null,
  decimals: "price",
  shape: "B",
  signal: closeAgainstLine,
} satisfies Partial<IndicatorDefinition>;

export const ichimoku: readonly IndicatorDefinition[] = [
  {
    ...shared,
    name: "Ichimoku_tenkan",
    description: "Ichimoku 9/26/52, Tenkan-sen: middle of the range of 9 bars",
    formula: "(highest high + lowest low) / 2 of the latest 9 bars",
    warmUp: TENKAN,
    create: () => pickLine(new Ichimoku(), (lines) => lines.tenkan),
  },
  {
    ...shared,
    name: "Ichimoku_kijun",
    description: "Ichimoku 9/26/52, Kijun-sen: middle of the range of 26 bars",
    formula: "(highest high + lowest low) / 2 of the latest 26 bars",
    warmUp: KIJUN,
    create: () => pickLine(new Ichimoku(), (lines) => lines.kijun),
  },
  {
    ...shared,
    name: "Ichimoku_senkou_a",
    description: "Ichimoku 9/26/52, Senkou span A as it stands over this bar: drawn 26 bars ahead",
    formula: "(tenkan + kijun) / 2 of 26 bars before",
    warmUp: 2 * KIJUN,
    create: () => pickLine(new Ichimoku(), (lines) => lines.senkouA),
  },
];
