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
  readonly widestPair: string | null;
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
