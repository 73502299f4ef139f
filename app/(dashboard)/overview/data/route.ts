import { readOverview } from "@/features/overview/data";
import { createDataRoute } from "@/features/session/data-route";

/** Everything on the overview. */
export const GET = createDataRoute(({ runtime, account }) => readOverview(runtime, account));
