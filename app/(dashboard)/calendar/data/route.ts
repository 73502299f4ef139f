import { calendarTerms, readSheet } from "@/features/calendar/data";
import { readChoice } from "@/features/calendar/url";
import { dataRoute, refuse } from "@/features/session/data-route";

/** The calendar. A page that names the newest revision gets only the time. */
export const GET = dataRoute(({ account, runtime, query }) => {
  const terms = calendarTerms(account);
  if (!terms.calendar) return refuse(403, "Not part of the plan");
  if (query.get("known") === `${runtime.calendar.revision}-${terms.actuals}`) {
    return { nowMs: Math.floor(runtime.now()), unchanged: true };
  }
  return readSheet(runtime, readChoice(query.toString()), terms.actuals);
});
