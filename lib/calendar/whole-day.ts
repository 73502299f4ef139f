import type { CalendarEvent } from "@/lib/calendar/event";
import { toCivilTime } from "@/lib/time/civil-time";

/**
 * The day of an event that has no hour: a whole day, or one of which the hour is not known, for which its midnight
 * stands. It is the day that the source means, in its own zone, whatever day that moment is elsewhere. Null for others.
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
