import * as z from "zod";
import { mayRead } from "@/lib/access/plans";
import { type AnswerBasis, createAnswerCache } from "@/lib/api/calendar/answer-cache";
import {
  calendarFilters,
  type CalendarWindow,
  findPage,
  formatDataMode,
  readWindow,
} from "@/lib/api/calendar/calendar-query";
import {
  calendarReply,
  formatEventJson,
  formatNaiveTime,
  formatOffsetTime,
  toEventFields,
} from "@/lib/api/calendar/calendar-replies";
import type { Handled } from "@/lib/api/engine/answer";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { createEtag } from "@/lib/api/engine/etag";
import { boundedParam, someOfParam } from "@/lib/api/engine/params";
import { defineTable } from "@/lib/api/engine/table";
import type { CalendarEvent } from "@/lib/calendar/event";
import type { RecordedChange } from "@/lib/calendar/event-rows";
import { parseFigure } from "@/lib/calendar/figure";
import type { EventPage } from "@/lib/calendar/sorted-events";

/** The optional fields that `include` adds to each event. */
const EXTRAS = ["numeric", "revised", "certainty", "history"] as const;
type Extra = (typeof EXTRAS)[number];

/** Converts an event to JSON fields with the requested extras. They contain no actual unless `withActual`. */
function extendEvent(
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

const includeParam = someOfParam(EXTRAS)
  .transform((names): ReadonlySet<Extra> => new Set(names))
  .meta({ description: "Adds fields to each event, separated by commas." });

const query = z.object({
  ...calendarFilters,
  include: includeParam.optional(),
  offset: boundedParam(0, 999_999_999).default(0),
  limit: boundedParam(1, 500).default(100),
});

type CalendarQuery = z.output<typeof query>;

const COLUMNS = [
  "id",
  "datetime",
  "currency",
  "event",
  "impact",
  "forecast",
  "previous",
  "actual",
  "source",
  "series_id",
];

export const calendar = defineEndpoint({
  method: "GET",
  path: "/v1/calendar",
  summary: "Economic events of a window of time, with forecast, previous and released figures.",
  group: "Calendar and sessions",
  access: "any-key",
  entitlement: "calendar",
  weight: 2,
  query,
  reply: calendarReply,
  table: defineTable<{ events: readonly Readonly<Record<string, unknown>>[] }>(COLUMNS, ({ events }) => events),
  errors: ["INVALID_DATE", "RANGE_TOO_LARGE"],
  headers: ["ETag", "X-Data-Mode"],
  asOf: { window: readWindow },

  handle({ query, key, services }) {
    const basis = {
      calendar: services.calendar,
      window: readWindow(query, services.marketNow()),
      withActual: key !== null && mayRead(key, "actuals"),
    };
    if (query.include?.has("history")) return createAnswerWithHistory(query, basis);
    return (
      answers.find(query, basis) ?? answers.store(query, basis, basis.calendar.revision, createAnswer(query, basis))
    );
  },
});

const answers = createAnswerCache<CalendarQuery>();

function createAnswer(query: CalendarQuery, { calendar, window, withActual }: AnswerBasis): Handled {
  const page = findPage(calendar, query, window, query);
  const events = page.shown.map((entry) =>
    query.include === undefined
      ? formatEventJson(entry, withActual)
      : JSON.stringify(extendEvent(entry.event, query.include, withActual, [])),
  );
  return formatAnswer(events, page, query, window);
}

async function createAnswerWithHistory(
  query: CalendarQuery,
  { calendar, window, withActual }: AnswerBasis,
): Promise<Handled> {
  const page = findPage(calendar, query, window, query);
  const changes = await calendar.readChanges(page.shown.map(({ event }) => event.id));
  const events = page.shown.map(({ event }) =>
    JSON.stringify(extendEvent(event, query.include ?? new Set(), withActual, changes.get(event.id) ?? [])),
  );
  return formatAnswer(events, page, query, window);
}

function formatAnswer(events: string[], page: EventPage, query: CalendarQuery, window: CalendarWindow): Handled {
  const { offset, limit } = query;
  const rest = JSON.stringify({
    count: events.length,
    range: { from: formatNaiveTime(window.fromMs), to: formatNaiveTime(window.toMs) },
    pagination: { offset, limit, total: page.total, has_more: page.hasMore },
  }).slice(1);
  const body = Buffer.from(`{"success":true,"data":{"events":[${events.join(",")}],${rest}}`);
  return { body, etag: createEtag(body), headers: formatDataMode(page) };
}
