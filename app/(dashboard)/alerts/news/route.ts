import { readNews } from "@/features/alerts/data";
import { createDataRoute } from "@/features/session/data-route";

/** What fired within the last day. */
export const GET = createDataRoute(({ runtime, account }) => readNews(runtime, account.id));
