import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmaps";
import type { Trend } from "@/lib/analytics/strength/strength";

/** The data of the strength page for one timeframe. */
export interface StrengthData {
  readonly timeframe: HeatmapTimeframe;
  /** Strongest first; null while too few bars have been recorded. */
  readonly lines: readonly StrengthLine[] | null;
  /** When the latest bar ended: UTC milliseconds; null without one. */
  readonly timeMs: number | null;
  /** The pair of the strongest and the weakest currency; null while all strengths are equal. */
  readonly widestPair: WidestPair | null;
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
}
