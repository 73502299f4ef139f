import { createViewRoute, refuse } from "@/features/session/data-route";
import { readHistory, readHistoryQuery } from "@/features/ticks/data";

/** Recorded prices of one symbol. */
export const GET = createViewRoute(({ account, runtime, query: search }) => {
  const query = readHistoryQuery(search, runtime.resolver);
  return query === null ? refuse(404, "Unknown symbol") : readHistory(runtime, account, query);
});
