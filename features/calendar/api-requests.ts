import type { ApiRequest } from "@/components/shared/api-call/write-code";
import { getDays, toMidnight } from "@/features/calendar/days";
import type { CalendarChoice } from "@/features/calendar/url";
import { DAY_MS } from "@/lib/time/units";

/** A call takes 30 days of 24 hours: one less leaves room for a day of 25. */
const MOST_DAYS = 29;
const MOST_EVENTS = 500;

/**
 * The calls that return the events of a choice: one for each 29 days and each chosen impact. The API has no filter for
 * kinds, so with chosen kinds they return more. `todayMs` is midnight UTC of today's date in the zone.
 */
export function listApiRequests(choice: CalendarChoice, todayMs: number): ApiRequest[] {
  const { zone, currencies, impacts, search } = choice;
  const { firstMs, lastMs } = getDays(choice, todayMs);
  const filters = {
    ...(currencies.length > 0 && { currencies: currencies.join(",") }),
    ...(search.trim() !== "" && { q: search.trim() }),
    limit: MOST_EVENTS,
  };
  const requests: ApiRequest[] = [];
  for (let fromDayMs = firstMs; fromDayMs <= lastMs; fromDayMs += MOST_DAYS * DAY_MS) {
    const endDayMs = Math.min(fromDayMs + MOST_DAYS * DAY_MS, lastMs + DAY_MS);
    const from = toTime(toMidnight(zone, fromDayMs));
    // The end is included.
    const to = toTime(toMidnight(zone, endDayMs) - 1_000);
    for (const impact of impacts.length === 0 ? [null] : impacts) {
      requests.push({
        path: "/v1/calendar",
        query: { from, to, ...(impact !== null && { impact }), ...filters },
      });
    }
  }
  return requests;
}

/** "2026-11-22T00:00:00Z". */
function toTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
