import { readMoves } from "@/features/calendar/read-detail";
import { createViewRoute, refuse } from "@/features/session/data-route";
import { mayRead } from "@/lib/access/plans";

/** What a pair did around the past releases of an event's series. Every plan includes its bars and spreads. */
export const GET = createViewRoute(async ({ account, runtime, query }) => {
  if (!mayRead(account, "calendar")) return refuse(403, "Not part of the plan");
  const moves = await readMoves(runtime, query.get("id") ?? "", query.get("symbol") ?? "");
  return moves ?? refuse(404, "Unknown event or pair");
});
