import type { CalendarEvent, FieldChange } from "@/lib/calendar/event";
import type { CalendarEvent as EventRow } from "@/prisma/generated/client";

/** The mapping between an event's fields and its columns. */

/** The columns of an event, for a SELECT whose rows are CalendarEvents. */
export const EVENT_COLUMNS = `id, stream, provider, key, (extract(epoch FROM time) * 1000)::float8 AS "timeMs", zone,
  certainty, currency, title, impact, forecast, previous, revised, actual, series_id AS "seriesId",
  withdrawn_at IS NOT NULL AS withdrawn`;

/** The columns that a report may change. */
export function toColumns(event: Omit<CalendarEvent, "id" | "stream" | "provider" | "key" | "withdrawn">) {
  return {
    time: new Date(event.timeMs),
    zone: event.zone,
    certainty: event.certainty,
    currency: event.currency,
    title: event.title,
    impact: event.impact,
    forecast: event.forecast,
    previous: event.previous,
    revised: event.revised,
    actual: event.actual,
    seriesId: event.seriesId,
  };
}

export function fromRow(row: EventRow): CalendarEvent {
  return {
    id: row.id,
    stream: row.stream,
    provider: row.provider,
    key: row.key,
    timeMs: row.time.getTime(),
    zone: row.zone,
    certainty: row.certainty,
    currency: row.currency,
    title: row.title,
    impact: row.impact,
    forecast: row.forecast,
    previous: row.previous,
    revised: row.revised,
    actual: row.actual,
    seriesId: row.seriesId,
    withdrawn: row.withdrawnAt !== null,
  };
}

/** The fields whose changes are recorded, in the order in which they are listed: the name in a record and in an event. */
const RECORDED_FIELDS = Object.entries({
  time: "timeMs",
  zone: "zone",
  certainty: "certainty",
  currency: "currency",
  title: "title",
  impact: "impact",
  forecast: "forecast",
  previous: "previous",
  revised: "revised",
  actual: "actual",
  series: "seriesId",
  withdrawn: "withdrawn",
} as const satisfies Readonly<Record<string, keyof CalendarEvent>>);

/** Lists the fields that differ between two versions of a row, as text. */
export function listChanges(before: CalendarEvent, after: CalendarEvent): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const [field, name] of RECORDED_FIELDS) {
    if (before[name] === after[name]) continue;
    changes.push({ field, before: writeField(before, name), after: writeField(after, name) });
  }
  return changes;
}

function writeField(event: CalendarEvent, name: (typeof RECORDED_FIELDS)[number][1]): string | null {
  if (name === "timeMs") return new Date(event.timeMs).toISOString();
  return name === "withdrawn" ? String(event.withdrawn) : event[name];
}
