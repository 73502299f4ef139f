import { DEFAULT_ZONE } from "@/components/shared/zone";
import { readCalendar } from "@/features/calendar/data";
import { readChoice } from "@/features/calendar/url";
import { createViewRoute, refuse } from "@/features/session/data-route";
import { mayRead } from "@/lib/access/plans";

/** The calendar. For a page that has the newest revision, only the time. */
export const GET = createViewRoute(({ account, runtime, query }) => {
  if (!mayRead(account, "calendar")) return refuse(403, "Not part of the plan");
  const withActual = mayRead(account, "actuals");
  if (query.get("known") === `${runtime.calendar.revision}-${withActual}`) {
    return { nowMs: Math.floor(runtime.marketNow()), unchanged: true };
  }
  return readCalendar(runtime, readChoice(query.toString(), DEFAULT_ZONE), withActual);
});
