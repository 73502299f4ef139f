import { readFeeds } from "@/features/calendar/data";
import { createDataRoute, refuse } from "@/features/session/data-route";
import { mayRead } from "@/lib/access/plans";

/** The calendar feeds that the account can subscribe to. */
export const GET = createDataRoute(({ account, runtime }) =>
  mayRead(account, "calendar") ? readFeeds(runtime, account.id) : refuse(403, "Not part of the plan"),
);
