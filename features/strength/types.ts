import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";
import type { Trend } from "@/lib/analytics/strength/strength";

/** The data of the strength page: all timeframes at a glance, and one of them in full. */
export interface StrengthData {
  readonly timeframe: HeatmapTimeframe;
  /** One for each timeframe, shortest first. */
  readonly heat: readonly HeatColumn[];
  /** Strongest first; null while too few bars have been recorded. */
  readonly lines: readonly StrengthLine[] | null;
  /** When the latest bar ended: UTC milliseconds; null without one. */
  readonly timeMs: number | null;
  /** The pair of the strongest and the weakest currency; null while all strengths are equal. */
  readonly widestPair: WidestPair | null;
  /** When the bars of `StrengthLine.history` ended: UTC milliseconds, oldest first. */
  readonly times: readonly number[];
  /** The 28 pairs. */
  readonly pairs: readonly PairLine[];
}

/** The strengths of one timeframe. */
export interface HeatColumn {
  readonly timeframe: HeatmapTimeframe;
  /** By currency; null while too few bars have been recorded. */
  readonly cells: Readonly<Record<string, HeatReading>> | null;
}

interface HeatReading {
  /** 0 to 10. */
  readonly strength: number;
  /** The pair with the currency whose strength is furthest from this one's. */
  readonly symbol: string;
}

/** The pair of two currencies, and the side of a trade that follows the stronger one. */
export interface WidestPair {
  readonly symbol: string;
  readonly side: "buy" | "sell";
  readonly strongest: string;
  readonly weakest: string;
}

export interface StrengthLine {
  readonly currency: string;
  /** 0 to 10. */
  readonly strength: number;
  readonly change: number;
  readonly trend: Trend;
  /** Number of pairs that were used, at most seven. */
  readonly pairs: number;
  /** The strengths at `StrengthData.times`. */
  readonly history: readonly number[];
}

interface PairLine {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Percent over the last twelve bars; null without enough bars. */
  readonly move: number | null;
  /** With each of `StrengthData.pairs`, from −1 to 1; null without enough bars. */
  readonly correlations: readonly (number | null)[];
}
