import { createViewRoute } from "@/features/session/data-route";
import { readSpreadTable } from "@/features/spreads/data";
import { readView } from "@/features/spreads/url";

/** The spreads of the compared symbols now. The query is the same as the page's. */
export const GET = createViewRoute(({ runtime, query }) => {
  const view = readView(Object.fromEntries(query), (spelling) => runtime.resolver.find(spelling)?.symbol);
  return readSpreadTable(runtime, view);
});
