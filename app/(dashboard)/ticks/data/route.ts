import { dataRoute, refuse } from "@/features/session/data-route";
import { readSheet } from "@/features/ticks/data";
import { readAsked } from "@/features/ticks/query";

/** Recorded prices of one symbol. */
export const GET = dataRoute(({ account, runtime, query }) => {
  const asked = readAsked(query, runtime.resolver);
  return asked === null ? refuse(404, "Unknown symbol") : readSheet(runtime, account, asked);
});
