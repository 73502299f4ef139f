import type { CalendarFeeds } from "@/features/calendar/calendar-feeds";
import { dataRoute, refuse } from "@/features/session/data-route";
import { apiOrigin } from "@/features/session/visitor";
import { mayRead } from "@/lib/access/plans";
import { CALENDAR_FEED_PATH } from "@/lib/api/calendar/calendar-feed";

/** The parts of the addresses of calendar feeds: one feed for each working key of the account. */
export const GET = dataRoute(async ({ account, runtime: { keys, directory, feedTokens } }) => {
  if (!mayRead(account, "calendar")) return refuse(403, "Not part of the plan");
  const feeds = (await keys.list(account.id)).flatMap(({ id, label, state }) => {
    const key = directory.key(id);
    if (state !== "active" || key === undefined || !mayRead(key, "calendar")) return [];
    return [{ id, label, token: feedTokens.createToken(id), withActual: mayRead(key, "actuals") }];
  });
  return { address: (await apiOrigin()) + CALENDAR_FEED_PATH, feeds } satisfies CalendarFeeds;
});
