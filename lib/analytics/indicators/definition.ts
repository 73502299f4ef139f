import type { Bar } from "@/lib/market/bar";
import type { Timeframe } from "@/lib/market/timeframe";

/**
 * Indicators follow MetaTrader 5: the sample sources of the terminal (`MQL5/Indicators/Examples`,
 * `MQL5/Include/MovingAverages.mqh`), including their seeds. Where a sample leaves a choice, the definition documents
 * it. Each indicator is implemented once, as a stream; a batch runs the same stream over an array.
 */

export const INDICATOR_CATEGORIES = ["trend", "oscillator", "volatility", "volume"] as const;
export type IndicatorCategory = (typeof INDICATOR_CATEGORIES)[number];

/** The label of a value. */
export type Signal = "bullish" | "bearish" | "neutral" | "overbought" | "oversold";

/** One indicator computed bar by bar over one series. */
export interface Stream {
  /**
   * Adds the next closed bar, oldest first. Returns its value, unrounded; null while there are too few bars.
   * Never NaN, Infinity or -0.
   */
  push(bar: Bar): number | null;
  /** Whether the window that ends at the last bar has no movement: its value is then a convention without a signal. */
  isFlat?(): boolean;
}

/** The inputs of a signal besides the value. */
interface SignalContext {
  /** Close of the value's bar. */
  readonly close: number;
  /** The symbol's smallest price step, 10^-digits. */
  readonly point: number;
}

export interface IndicatorDefinition {
  readonly name: string;
  /** Other accepted names. */
  readonly aliases: readonly string[];
  readonly category: IndicatorCategory;
  readonly description: string;
  /** The arithmetic in one line, with the conventions in which implementations differ. */
  readonly formula: string;
  /** Bars needed for the first value, which belongs to the last of them. */
  readonly warmUp: number;
  /** Lowest and highest possible value; null if unbounded. */
  readonly range: readonly [number, number] | null;
  readonly decimals: DecimalsRule;
  /** Which of the two documented responses of `/v1/indicator` it has. */
  readonly shape: "A" | "B";
  /**
   * Set if values depend on more than the latest `warmUp` bars, such as those of a recursive average. The public fields
   * of its streams are then all that they remember.
   */
  readonly isEndless?: true;
  /**
   * Set if values depend on more than the latest `warmUp` bars and nothing is stored of the bars before: each value is
   * computed from so many bars before it, or up to half as many more, as if they were the first. See `findStart`.
   */
  readonly lookback?: number;
  /**
   * Set if a value depends on the bars since a moment, such as the start of a day: returns it for a bar that opened at
   * `timeMs`. Both are UTC milliseconds.
   */
  readonly since?: (timeMs: number) => number;
  /** The longest timeframe that it is defined for; absent for all. */
  readonly longest?: Timeframe;
  /** Set if values add up all bars since the first one ever recorded, so that only their changes have a meaning. */
  readonly isSum?: true;
  create(): Stream;
  /** The label of a value; a flat window is always neutral. Absent if values have no label. */
  readonly signal?: (value: number, context: SignalContext) => Signal;
}

/** How values are rounded: a fixed scale, small percentages, prices, differences of prices, or counts of updates. */
type DecimalsRule = "oscillator" | "percent" | "price" | "difference" | "volume";

/** Decimals of a value in a response, for a symbol with `digits` decimals. */
export function getDecimals(definition: IndicatorDefinition, digits: number): number {
  switch (definition.decimals) {
    case "oscillator":
      return 4;
    case "percent":
      return 6;
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
  return new Line(source, read);
}

class Line<Source extends { push(bar: Bar): void }> implements Stream {
  readonly source: Source;
  readonly #read: (source: Source) => number | null;

  constructor(source: Source, read: (source: Source) => number | null) {
    this.source = source;
    this.#read = read;
  }

  push(bar: Bar): number | null {
    this.source.push(bar);
    return this.#read(this.source);
  }
}

type SignalRule = (value: number, context: SignalContext) => Signal;

/** Overbought above one level and oversold below the other, at MetaTrader's levels; neutral on a level. */
export function beyondLevels(oversold: number, overbought: number): SignalRule {
  return (value) => (value > overbought ? "overbought" : value < oversold ? "oversold" : "neutral");
}

/** Bullish above the level, bearish below it. */
export function aroundLevel(level: number): SignalRule {
  return (value) => toSide(value - level);
}

/** Bullish if the bar closed above the line. */
export const closeAgainstLine: SignalRule = (value, { close }) => toSide(close - value);

/** Bullish if the bar closed above the line by half a point or more. */
export const closeClearOfLine: SignalRule = (value, { close, point }) =>
  Math.abs(close - value) < point / 2 ? "neutral" : toSide(close - value);

/** For values that have a size and no direction. */
export const noDirection: SignalRule = () => "neutral";

function toSide(difference: number): Signal {
  return difference > 0 ? "bullish" : difference < 0 ? "bearish" : "neutral";
}
