import type { CalendarEvent } from "@/lib/calendar/event";
import type { Entry } from "@/lib/calendar/sorted-events";

/** Converts an event to the fields of the specification. */
export function toEventFields(event: CalendarEvent, withActual: boolean) {
  return {
    id: event.id,
    datetime: formatOffsetTime(event.timeMs),
    currency: event.currency,
    event: event.title,
    impact: event.impact,
    forecast: event.forecast,
    previous: event.previous,
    actual: withActual ? event.actual : null,
    source: event.stream,
    series_id: event.seriesId,
  };
}

/** Formats the fields as JSON. The text is cached on the entry, because an event is part of many answers. */
export function formatEventJson(entry: Entry, withActual: boolean): string {
  if (withActual) return (entry.json ??= JSON.stringify(toEventFields(entry.event, true)));
  return (entry.jsonWithoutActual ??= JSON.stringify(toEventFields(entry.event, false)));
}

/** Formats a time as 2026-11-21T13:30:00+00:00, with milliseconds only if there are any. */
export function formatOffsetTime(timeMs: number): string {
  return `${formatNaiveTime(timeMs)}+00:00`;
}

/** Formats a time like formatOffsetTime, without the offset. */
export function formatNaiveTime(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, timeMs % 1000 === 0 ? 19 : 23);
}
