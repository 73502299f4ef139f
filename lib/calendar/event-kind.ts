import type { CalendarEvent } from "@/lib/calendar/event";

/** What an event is. Sources do not say so in the same way, so it follows from the title and the figures. */
export const EVENT_KINDS = ["figure", "statement", "auction", "holiday"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

type Named = Pick<CalendarEvent, "title" | "forecast" | "previous" | "actual">;

/**
 * Returns the kind of an event: a holiday or an auction by its title, a figure if any is expected, known or released.
 * The others are statements: speeches, minutes, press conferences and meetings.
 */
export function getEventKind({ title, forecast, previous, actual }: Named): EventKind {
  if (/\bholidays?\b/i.test(title)) return "holiday";
  if (/\bauction\b/i.test(title)) return "auction";
  return forecast !== "" || previous !== "" || actual !== null ? "figure" : "statement";
}
