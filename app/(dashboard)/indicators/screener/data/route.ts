import { isIndicator, readScreener } from "@/features/indicators/screener-data";
import { readScreenerChoice } from "@/features/indicators/screener-url";
import { createViewRoute, DEAR } from "@/features/session/data-route";

/** The symbols that match the query's filters. */
export const GET = createViewRoute(({ runtime, query }) => {
  return readScreener(runtime, readScreenerChoice(Object.fromEntries(query), isIndicator));
}, () => DEAR);
