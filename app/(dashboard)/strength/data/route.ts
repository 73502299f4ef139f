import { createDataRoute } from "@/features/session/data-route";
import { readStrength } from "@/features/strength/data";
import { HEATMAP_TIMEFRAMES } from "@/lib/analytics/strength/heatmaps";

/** The strength of one timeframe. */
export const GET = createDataRoute(({ runtime, query }) => {
  const timeframe = HEATMAP_TIMEFRAMES.find((each) => each === query.get("timeframe"));
  return readStrength(runtime, timeframe ?? "H4");
});
