import { createDataRoute } from "@/features/session/data-route";
import { readSpreadTable } from "@/features/spreads/data";
import { readView } from "@/features/spreads/url";

/** The compared symbols as they stand now. The query is the page's own. */
export const GET = createDataRoute(({ runtime, query }) => {
  const { symbols, period } = readView(
    Object.fromEntries(query),
    (spelling) => runtime.resolver.find(spelling)?.symbol,
  );
  return readSpreadTable(runtime, symbols, period);
});
