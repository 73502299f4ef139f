import type { Timeframe } from "@/lib/market/timeframe";

/** The timeframes of currency strength, shortest first. */
export const HEATMAP_TIMEFRAMES = ["H1", "H4", "D1", "W1"] as const satisfies readonly Timeframe[];
export type HeatmapTimeframe = (typeof HEATMAP_TIMEFRAMES)[number];
