import type { Bar } from "@/lib/market/bar";

/**
 * What an indicator is. All of them follow MetaTrader 5, as MetaQuotes publishes it in the sample sources of the terminal
 * (`MQL5/Indicators/Examples`, `MQL5/Include/MovingAverages.mqh`), seeds included; where a sample leaves a choice, the
 * definition says what was chosen. Each exists once, as a stream: a batch is the same stream run over an array.
 */

export const INDICATOR_CATEGORIES = ["trend", "oscillator", "volatility", "volume"] as const;
export type IndicatorCategory = (typeof INDICATOR_CATEGORIES)[number];

/** What a value says about the market, in one word. */
export type Signal = "bullish" | "bearish" | "neutral" | "overbought" | "oversold";

/** One indicator on its way along one series of bars. */
export interface Stream {
  /**
   * Takes the next closed bar, oldest first. Returns its value, unrounded; null where the bars so far are too few for one.
   * Never NaN, Infinity or -0.
   */
  push(bar: Bar): number | null;
  /** Whether the window ending at the last bar held no movement, so that its value is only a convention and no signal. */
  isFlat?(): boolean;
}

/** What a signal is judged by beside the value itself. */
export interface SignalContext {
  /** Close of the bar whose value it is. */
  readonly close: number;
  /** The symbol's smallest price step, 10^-digits. */
  readonly point: number;
}

export interface IndicatorDefinition {
  readonly name: string;
  /** Other names it answers to. */
  readonly aliases: readonly string[];
  readonly category: IndicatorCategory;
  readonly description: string;
  /** The arithmetic in one line, with the conventions that others settle differently. */
  readonly formula: string;
  /** Bars needed for the first value, which stands at the last of them. */
  readonly warmUp: number;
  /** Lowest and highest possible value; null where there are none. */
  readonly range: readonly [number, number] | null;
  readonly decimals: DecimalsRule;
  /** Which of the two documented answers of `/v1/indicator` it has. */
  readonly shape: "A" | "B";
  create(): Stream;
  /** The label of a value whose window was not flat; a flat one is always neutral. Absent where values carry no label. */
  readonly signal?: (value: number, context: SignalContext) => Signal;
}

/** How finely values are written: a fixed scale, prices, differences of prices, or counts of updates. */
type DecimalsRule = "oscillator" | "price" | "difference" | "volume";

/** Decimals to keep when a value is written down, for a symbol with so many digits. */
export function getDecimals(definition: IndicatorDefinition, digits: number): number {
  switch (definition.decimals) {
    case "oscillator":
      return 4;
    case "price":
      return digits + 2;
    case "difference":
      return digits + 3;
    case "volume":
      return 2;
  }
}

/** A stream that reads one line of a source with several, such as the three of MACD. */
export function pickLine<Source extends { push(bar: Bar): void }>(
  source: Source,
  read: (source: Source) => number | null,
): Stream {
  return {
    push(bar) {
      source.push(bar);
      return read(source);
    },
  };
}
