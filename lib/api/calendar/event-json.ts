import type { CalendarEvent } from "@/lib/calendar/event";
import type { Entry } from "@/lib/calendar/sorted-events";

/** An event as the specification writes it. */
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

/** The same as text. Written once for an event, however many pages it stands on. */
export function formatEventJson(entry: Entry, withActual: boolean): string {
  if (withActual) return (entry.json ??= JSON.stringify(toEventFields(entry.event, true)));
  return (entry.jsonWithoutActual ??= JSON.stringify(toEventFields(entry.event, false)));
}

/** 2026-11-21T13:30:00+00:00; fractions only where there are any. */
export function formatOffsetTime(timeMs: number): string {
  return `${formatNaiveTime(timeMs)}+00:00`;
}

/** The same without an offset. */
export function formatNaiveTime(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, timeMs % 1000 === 0 ? 19 : 23);
}
