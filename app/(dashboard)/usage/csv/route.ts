import { answerCsv, createDataRoute, refuse } from "@/features/session/data-route";
import { readUsageQuery } from "@/features/usage/data";
import { formatUsageCsv, readUsageLines } from "@/lib/access/usage/usage-csv";

/** Spreadsheets open longer files slowly. */
const MAX_LINES = 100_000;

/** The usage page's figures hour by hour, as a CSV file. */
export const GET = createDataRoute(async ({ account, runtime, query }) => {
  const own = await runtime.keys.list(account.id);
  const usage = readUsageQuery(runtime, Object.fromEntries(query), account.id, own);
  if (usage === null) return refuse(404, "There is no such key.");
  const lines = await readUsageLines(runtime.database.pool, usage.query, runtime.now(), MAX_LINES);
  const labels = new Map(own.map(({ id, label }) => [id, label]));
  return answerCsv(`usage-${usage.view.period}`, formatUsageCsv(lines, labels));
});
