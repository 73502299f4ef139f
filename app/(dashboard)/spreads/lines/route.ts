import { createViewRoute } from "@/features/session/data-route";
import { readLinesOf } from "@/features/spreads/data";

/** The lines of the chart. The query is the same as the page's. */
export const GET = createViewRoute(({ runtime, query }) => readLinesOf(runtime, query));
