import { createDataRoute } from "@/features/session/data-route";
import { readStrength } from "@/features/strength/data";
import { readStrengthChoice } from "@/features/strength/url";

/** The strength of all timeframes, and one of them in full. */
export const GET = createDataRoute(({ runtime, query }) => {
  return readStrength(runtime, readStrengthChoice(Object.fromEntries(query)).timeframe);
});
