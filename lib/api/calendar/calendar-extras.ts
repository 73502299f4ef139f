import { formatOffsetTime, toEventFields } from "@/lib/api/calendar/event-json";
import type { CalendarEvent } from "@/lib/calendar/event";
import type { RecordedChange } from "@/lib/calendar/event-rows";
import { parseFigure } from "@/lib/calendar/figure";

/** The optional fields that `include` adds to each event. */
export const EXTRAS = ["numeric", "revised", "certainty", "history"] as const;
export type Extra = (typeof EXTRAS)[number];

/** Converts an event to JSON fields with the requested extras. They contain no actual unless `withActual`. */
export function extendEvent(
  event: CalendarEvent,
  extras: ReadonlySet<Extra>,
  withActual: boolean,
  changes: readonly RecordedChange[],
) {
  return {
    ...toEventFields(event, withActual),
    ...(extras.has("numeric") ? parseNumbers(event, withActual) : {}),
    ...(extras.has("revised") ? { revised_previous: event.revised } : {}),
    ...(extras.has("certainty") ? { certainty: event.certainty, source_time_zone: event.zone } : {}),
    ...(extras.has("history") ? { history: formatHistory(changes, withActual) } : {}),
  };
}

function parseNumbers(event: CalendarEvent, withActual: boolean) {
  const forecast = parseFigure(event.forecast);
  const previous = parseFigure(event.previous);
  const actual = withActual ? parseFigure(event.actual) : null;
  return {
    forecast_value: forecast?.value ?? null,
    previous_value: previous?.value ?? null,
    actual_value: actual?.value ?? null,
    unit: (actual ?? forecast ?? previous)?.unit ?? null,
  };
}

function formatHistory(changes: readonly RecordedChange[], withActual: boolean) {
  return changes
    .filter(({ field }) => withActual || field !== "actual")
    .map(({ atMs, origin, field, before, after }) => ({ at: formatOffsetTime(atMs), origin, field, before, after }));
}
