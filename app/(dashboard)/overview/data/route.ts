import { readOverview } from "@/features/overview/data";
import { createViewRoute } from "@/features/session/data-route";

/** Everything on the overview. */
export const GET = createViewRoute(({ runtime, account }) => readOverview(runtime, account));
