import { findNextRelease } from "@/features/calendar/data";
import { createViewRoute, refuse } from "@/features/session/data-route";
import { mayRead } from "@/lib/access/plans";

/** The next release, for the steps of the past. */
export const GET = createViewRoute(({ account, runtime }) => {
  if (!mayRead(account, "calendar")) return refuse(403, "Not part of the plan");
  return { next: findNextRelease(runtime) };
});
