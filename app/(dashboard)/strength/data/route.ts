import { createViewRoute } from "@/features/session/data-route";
import { readStrength } from "@/features/strength/data";
import { readStrengthChoice } from "@/features/strength/url";

/** The strength of all timeframes, and one of them in full. */
export const GET = createViewRoute(({ runtime, query }) => {
  return readStrength(runtime, readStrengthChoice(Object.fromEntries(query)).timeframe);
});
