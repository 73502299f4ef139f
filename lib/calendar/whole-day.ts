import type { CalendarEvent } from "@/lib/calendar/event";
import { toCivilTime } from "@/lib/time/civil-time";

/**
 * Returns the day of an event without an hour, in the source's own zone: an all-day event, or a tentative one that is
 * stored at midnight. Null for an event with an hour.
 */
export function getWholeDay({
  certainty,
  zone,
  timeMs,
}: Pick<CalendarEvent, "certainty" | "zone" | "timeMs">): { year: number; month: number; day: number } | null {
  if (certainty === "exact") return null;
  const { year, month, day, msOfDay } = toCivilTime(zone, timeMs);
  return certainty === "all_day" || msOfDay === 0 ? { year, month, day } : null;
}
