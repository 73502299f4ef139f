import { createDataRoute, refuse } from "@/features/session/data-route";
import { readUsageData, readUsageQuery } from "@/features/usage/data";

/** The calls of the account's keys over a period. Another account's key is not found here. */
export const GET = createDataRoute(async ({ account, runtime, query }) => {
  const own = await runtime.keys.list(account.id);
  const usage = readUsageQuery(runtime, Object.fromEntries(query), account.id, own);
  return usage === null ? refuse(404, "There is no such key.") : readUsageData(runtime, usage.query, own);
});
