import type { IndicatorCategory, Signal } from "@/lib/analytics/indicators/definition";
import type { Activity } from "@/lib/analytics/summary";
import type { QuoteState } from "@/lib/book/freshness";
import type { Category } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";

/** An instrument in the list of choices. */
export interface IndicatorInstrument {
  readonly symbol: string;
  readonly name: string;
  readonly category: Category;
}

/** All readings of one symbol at one timeframe. Numbers are formatted. */
export interface IndicatorData {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly quote: { readonly bid: string; readonly ask: string; readonly state: QuoteState } | null;
  /** The latest closed bar, which all values belong to; null before the first. */
  readonly bar: { readonly timeMs: number; readonly close: string } | null;
  /** Number of closed bars. */
  readonly bars: number;
  readonly groups: readonly { readonly category: IndicatorCategory; readonly lines: readonly ReadingLine[] }[];
  /** Null with too few bars or without a quote. */
  readonly summary: IndicatorSummary | null;
}

export interface ReadingLine {
  readonly name: string;
  /** Its readable name with its parameters: "Relative strength index of 14 bars". */
  readonly title: string;
  /** The arithmetic in one line. */
  readonly formula: string;
  /** Null where there are fewer bars than `warmUp`. */
  readonly value: string | null;
  readonly signal: Signal | null;
  /** Bars needed for the first value. */
  readonly warmUp: number;
}

export interface IndicatorSummary {
  readonly bias: "bullish" | "bearish" | "neutral";
  readonly isStrong: boolean;
  readonly confidencePercent: number;
  /** −100 to 100. */
  readonly trendScore: number;
  readonly momentumScore: number;
  /** 0 to 100. */
  readonly volatilityScore: number;
  readonly volatility: Activity;
  readonly volume: Activity;
  /** Nearest first. */
  readonly resistance: readonly string[];
  readonly support: readonly string[];
  readonly observations: readonly string[];
}
