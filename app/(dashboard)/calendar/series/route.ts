import { readSeries } from "@/features/calendar/data";
import { createDataRoute } from "@/features/session/data-route";
import { mayRead } from "@/lib/access/plans";

/** The released figures of a series, for the chart in an open row. */
export const GET = createDataRoute(({ account, runtime, query }) => ({
  points: mayRead(account, "actuals") ? readSeries(runtime, query.get("id") ?? "") : [],
}));
