import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmaps";
import type { Trend } from "@/lib/analytics/strength/strength";

/** What the strength page shows of one timeframe. */
export interface StrengthData {
  readonly timeframe: HeatmapTimeframe;
  /** Strongest first; null while too few bars have been recorded. */
  readonly lines: readonly StrengthLine[] | null;
  /** When the latest bar ended: UTC milliseconds; null without one. */
  readonly timeMs: number | null;
  /** The pair of the strongest and the weakest currency; null while all are alike. */
  readonly widestPair: string | null;
}

export interface StrengthLine {
  readonly currency: string;
  /** 0 to 10. */
  readonly strength: number;
  readonly change: number;
  readonly trend: Trend;
  /** Pairs that took part; seven when all are there. */
  readonly pairs: number;
}
