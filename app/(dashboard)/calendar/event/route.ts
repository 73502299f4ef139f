import { readDetail } from "@/features/calendar/read-detail";
import { createViewRoute, refuse } from "@/features/session/data-route";
import { mayRead } from "@/lib/access/plans";

/** What is known of the series of an event, for its open row. */
export const GET = createViewRoute(async ({ account, runtime, query }) => {
  if (!mayRead(account, "calendar")) return refuse(403, "Not part of the plan");
  const detail = await readDetail(runtime, query.get("id") ?? "", mayRead(account, "actuals"));
  return detail ?? refuse(404, "Unknown event");
});
