import { createHash } from "node:crypto";
import { z } from "zod";
import { ApiError, UNPROCESSABLE } from "@/lib/api/errors";
import { boundedParam, refuseParam, repetitions, wordParam } from "@/lib/api/params";
import { calendarReply } from "@/lib/api/replies/calendar";
import { endpoint, type Handled } from "@/lib/api/endpoint";
import { eventJson, naiveTime } from "@/lib/calendar/event-json";
import { extendedEvent, EXTRAS, type Extra } from "@/lib/api/calendar-extras";
import { IMPACTS, STREAMS } from "@/lib/calendar/event";
import { windowOf, type CalendarWindow } from "@/lib/api/calendar-window";
import type { Calendar } from "@/lib/calendar/calendar";
import type { EventPage } from "@/lib/calendar/query-events";
import type { Services } from "@/lib/api/services";

const LONGEST_SEARCH = 100;

const searchParam = z
  .string()
  .meta({ description: "Part of the title, in any case.", minLength: 1, maxLength: LONGEST_SEARCH })
  .transform((text, context) => {
    const length = [...text].length;
    if (length >= 1 && length <= LONGEST_SEARCH) return text;
    return refuseParam(context, UNPROCESSABLE, `must have 1 to ${LONGEST_SEARCH} characters`);
  });

const includeParam = z
  .string()
  .meta({ description: `Adds fields to each event: ${EXTRAS.join(", ")}, separated by commas.` })
  .transform((text) => text.split(","))
  .pipe(z.array(z.enum(EXTRAS, `must be some of ${EXTRAS.join(", ")}`)))
  .transform((names): ReadonlySet<Extra> => new Set(names));

const dates = "ISO 8601 or YYYY-MM-DD, UTC unless it names an offset; ignored beside next_hours and prev_hours.";

const query = z.object({
  from: z
    .string()
    .optional()
    .meta({ description: `Start, today 00:00 UTC unless given: ${dates}` }),
  to: z
    .string()
    .optional()
    .meta({ description: `End, inclusive, seven days later unless given: ${dates}` }),
  currencies: z.string().optional().meta({ description: "Currency codes in any case, separated by commas." }),
  country: z.string().optional().meta({ description: "The same; passed over where currencies is given." }),
  impact: wordParam(IMPACTS, "INVALID_IMPACT").optional(),
  q: searchParam.optional(),
  next_hours: boundedParam(1, 720).optional().meta({ description: "From now on." }),
  prev_hours: boundedParam(1, 96).optional().meta({ description: "Up to now; newest first when it stands alone." }),
  source: wordParam(STREAMS, "INVALID_SOURCE")
    .optional()
    .meta({ description: "One stream; both, with secondary twins hidden, unless given." })
    .register(repetitions, { errorCode: "INVALID_SOURCE", extra: { accepted: STREAMS } }),
  include: includeParam.optional(),
  offset: boundedParam(0, 999_999_999).default(0),
  limit: boundedParam(1, 500).default(100),
});

type CalendarQuery = z.output<typeof query>;

export const calendar = endpoint({
  method: "GET",
  path: "/v1/calendar",
  summary: "Economic events of a window of time, with forecast, previous and released figures.",
  access: "key",
  entitlement: "calendar",
  weight: 2,
  query,
  reply: calendarReply,

  handle({ query, key, services }) {
    const window = windowOf(query, services.now());
    const withActual = key?.entitlements.actuals === true;
    if (query.include?.has("history")) return withHistory(query, window, withActual, services);
    return ready(query, window, withActual, services.calendar);
  },
});

interface Ready extends Handled {
  readonly calendar: Calendar;
  readonly revision: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Answers by the query they belong to, which is the same object for the same text. Those with actuals and those
 * without are kept apart from each other, so that neither can ever be taken for the other.
 */
const answersWithActual = new WeakMap<CalendarQuery, Ready>();
const answersWithoutActual = new WeakMap<CalendarQuery, Ready>();

function ready(query: CalendarQuery, window: CalendarWindow, withActual: boolean, calendar: Calendar): Handled {
  const answers = withActual ? answersWithActual : answersWithoutActual;
  const known = answers.get(query);
  const { revision } = calendar;
  const { fromMs, toMs } = window;
  const isCurrent = known?.revision === revision && known.fromMs === fromMs && known.toMs === toMs;
  if (known !== undefined && isCurrent && known.calendar === calendar) return known;
  const page = pageOf(query, window, calendar);
  const events = page.shown.map((entry) =>
    query.include === undefined
      ? eventJson(entry, withActual)
      : JSON.stringify(extendedEvent(entry.event, query.include, withActual, [])),
  );
  const answer = { ...answerOf(events, page, query, window), calendar, revision, fromMs, toMs };
  answers.set(query, answer);
  return answer;
}

async function withHistory(
  query: CalendarQuery,
  window: CalendarWindow,
  withActual: boolean,
  { calendar }: Services,
): Promise<Handled> {
  const page = pageOf(query, window, calendar);
  const changes = await calendar.changesOf(page.shown.map(({ event }) => event.id));
  const events = page.shown.map(({ event }) =>
    JSON.stringify(extendedEvent(event, query.include ?? new Set(), withActual, changes.get(event.id) ?? [])),
  );
  return answerOf(events, page, query, window);
}

function pageOf(query: CalendarQuery, window: CalendarWindow, calendar: Calendar): EventPage {
  return calendar.query({
    ...window,
    currencies: currenciesOf(query),
    impact: query.impact ?? null,
    search: query.q ?? null,
    stream: query.source ?? null,
    offset: query.offset,
    limit: query.limit,
  });
}

/** Upper-case codes; null for all. What `country` says is not even read where `currencies` is given. */
function currenciesOf({ currencies, country }: CalendarQuery): ReadonlySet<string> | null {
  const text = currencies ?? country;
  if (text === undefined) return null;
  const codes = text.split(",").map((code) => code.trim().toUpperCase());
  if (codes.every((code) => /^[A-Z]{3}$/.test(code))) return new Set(codes);
  const name = currencies === undefined ? "country" : "currencies";
  throw new ApiError("VALIDATION_ERROR", `${name} must be currency codes of three letters, separated by commas`);
}

function answerOf(events: string[], page: EventPage, query: CalendarQuery, window: CalendarWindow): Handled {
  const { offset, limit } = query;
  const rest = JSON.stringify({
    count: events.length,
    range: { from: naiveTime(window.fromMs), to: naiveTime(window.toMs) },
    pagination: { offset, limit, total: page.total, has_more: page.hasMore },
  }).slice(1);
  const body = Buffer.from(`{"success":true,"data":{"events":[${events.join(",")}],${rest}}`);
  const etag = `"${createHash("sha1").update(body).digest("base64url")}"`;
  const isSimulated = page.shown.some(({ event }) => event.provider === "simulated");
  return { body, etag, headers: isSimulated ? "X-Data-Mode: simulated\r\n" : "" };
}
