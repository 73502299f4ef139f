import * as z from "zod";
import { pagination } from "@/lib/api/engine/replies";
import { type CalendarEvent, CERTAINTIES, IMPACTS, STREAMS } from "@/lib/calendar/event";
import type { Entry } from "@/lib/calendar/sorted-events";

const naive = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?$/);
const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?\+00:00$/);
const figure = z.number().nullable();

const event = z
  .strictObject({
    id: z
      .string()
      .regex(/^[\da-f]{16}$/)
      .meta({ description: "Opaque; stays through polls, revisions and moved dates" }),
    datetime: moment.meta({ description: "ISO 8601 with the offset +00:00" }),
    currency: z.string(),
    event: z.string(),
    impact: z.enum(IMPACTS),
    forecast: z.string().meta({ description: "Consensus; empty when there is none" }),
    previous: z.string(),
    actual: z
      .string()
      .nullable()
      .meta({ description: "Set at the moment of release: on primary rows, and for plans that include it" }),
    source: z.enum(STREAMS),
    series_id: z
      .string()
      .nullable()
      .meta({ description: "Groups the releases of one indicator; null on secondary rows" }),
    forecast_value: figure.optional().meta({ description: "include=numeric" }),
    previous_value: figure.optional().meta({ description: "include=numeric" }),
    actual_value: figure.optional().meta({ description: "include=numeric" }),
    unit: z.enum(["%", ""]).nullable().optional().meta({ description: "include=numeric" }),
    revised_previous: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "include=revised: what the previous reading was revised to" }),
    certainty: z.enum(CERTAINTIES).optional().meta({ description: "include=certainty" }),
    source_time_zone: z.string().optional().meta({ description: "include=certainty" }),
    history: z
      .array(
        z
          .strictObject({
            at: moment,
            origin: z.string(),
            field: z.string(),
            before: z.string().nullable(),
            after: z.string().nullable(),
          })
          .meta({ id: "CalendarChange" }),
      )
      .optional()
      .meta({ description: "include=history: every change since the row was first received, oldest first" }),
  })
  .meta({ id: "CalendarEvent" });

export const calendarReply = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    events: z.array(event),
    count: z.int().meta({ description: "Events on this page, after hiding secondary twins" }),
    range: z.strictObject({ from: naive, to: naive }).meta({ description: "UTC, without an offset; both inclusive" }),
    pagination,
  }),
});

export const newsStates = ["inside", "clear", "unknown"] as const;

const newsWindow = z
  .strictObject({
    from: moment,
    to: moment.meta({ description: "The first moment after the window" }),
    events: z.array(event),
  })
  .meta({ id: "NewsWindow" });

export const newsReply = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    symbol: z.string().nullable().meta({ description: "Null for a list of currencies" }),
    currencies: z.array(z.string()).meta({ description: "The currencies whose releases count" }),
    impacts: z.array(z.enum(IMPACTS)),
    before: z.int(),
    after: z.int(),
    time: moment.meta({ description: "The moment that the answer is of" }),
    state: z.enum(newsStates).meta({
      description: "unknown if the calendar cannot tell that no release is near: reason says why",
    }),
    reason: z.string().nullable().meta({ description: "Why the state is unknown; else null" }),
    window: newsWindow.nullable().meta({ description: "The window that the moment is in" }),
    next: newsWindow.nullable().meta({ description: "The next window, of the next 31 days" }),
    untimed: z.array(event).meta({ description: "Events of the day without a known hour: no window has them" }),
    calendar: z.strictObject({
      status: z.enum(["current", "stale", "missing"]).meta({
        description:
          "stale: nothing is listed from some day before the end of before on; missing: nothing is listed at all",
      }),
      listed_until: moment.nullable().meta({
        description: "The end of the UTC day of the last event that is listed within 31 days, of any currency",
      }),
      unlisted: z.array(z.string()).meta({ description: "Currencies of which no event is listed within 31 days" }),
    }),
  }),
});

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
