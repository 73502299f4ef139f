import { answerCsv, createDataRoute, refuse } from "@/features/session/data-route";
import { findLog } from "@/features/usage/request-data";
import { formatRequestsCsv } from "@/lib/access/requests/request-csv";
import { MAX_ACCOUNT_REQUESTS } from "@/lib/access/requests/request-log";
import { listRequests } from "@/lib/access/requests/request-report";

/** The calls of a view as a CSV file, oldest first. */
export const GET = createDataRoute(async ({ account, runtime, query }) => {
  const log = await findLog(runtime, Object.fromEntries(query), account);
  if (log === null) return refuse(404, "There is no such log.");
  const rows = await listRequests(runtime.database.pool, { ...log.filter, limit: MAX_ACCOUNT_REQUESTS });
  const labels = new Map(log.keys.map(({ id, label }) => [id, label]));
  return answerCsv("requests", formatRequestsCsv(rows.toReversed(), labels));
});
