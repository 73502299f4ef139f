import { createDataRoute, refuse } from "@/features/session/data-route";
import { findLog, readRequests } from "@/features/usage/request-data";

/** One page of a request log that the visitor may see. */
export const GET = createDataRoute(async ({ account, runtime, query }) => {
  const log = await findLog(runtime, Object.fromEntries(query), account);
  return log === null ? refuse(404, "There is no such log.") : readRequests(runtime, log);
});
