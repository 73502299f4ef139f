import { answerCsv, createViewRoute } from "@/features/session/data-route";
import { readSpreadTable } from "@/features/spreads/data";
import { formatTable } from "@/features/spreads/spread-csv";
import { readView } from "@/features/spreads/url";

/** The compared symbols as a file. The query is the same as the page's. */
export const GET = createViewRoute(async ({ runtime, query }) => {
  const view = readView(Object.fromEntries(query), (spelling) => runtime.resolver.find(spelling)?.symbol);
  const table = await readSpreadTable(runtime, view);
  return answerCsv(`spreads-${view.period}`, formatTable(table, view.period));
});
