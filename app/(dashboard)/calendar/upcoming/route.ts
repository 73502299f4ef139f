import { readUpcoming } from "@/features/calendar/data";
import { createViewRoute, refuse } from "@/features/session/data-route";
import { mayRead } from "@/lib/access/plans";

/** The events of the next hour, for the reminders. */
export const GET = createViewRoute(({ account, runtime }) =>
  mayRead(account, "calendar") ? readUpcoming(runtime) : refuse(403, "Not part of the plan"),
);
