import * as z from "zod";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { ApiError, UNPROCESSABLE } from "@/lib/api/engine/errors";
import { boundedParam, refuseParam, repetitions, wordParam } from "@/lib/api/engine/params";
import type { Calendar } from "@/lib/calendar/calendar";
import { IMPACTS, STREAMS } from "@/lib/calendar/event";
import type { Entry, EventPage, EventQuery } from "@/lib/calendar/sorted-events";
import { parseMoment } from "@/lib/time/iso-time";
import { DAY_MS, HOUR_MS, WEEK_MS } from "@/lib/time/units";

/** The query parameters that the endpoints of the calendar share. */

const MAX_SEARCH_LENGTH = 100;

const searchParam = z
  .string()
  .meta({
    description: "Part of the title, in any case.",
    minLength: 1,
    maxLength: MAX_SEARCH_LENGTH,
    refusedWith: [UNPROCESSABLE],
  })
  .transform((text, context) => {
    const length = [...text].length;
    if (length >= 1 && length <= MAX_SEARCH_LENGTH) return text;
    return refuseParam(context, UNPROCESSABLE, `must have 1 to ${MAX_SEARCH_LENGTH} characters`);
  });

/** Checked by `parseCurrencies`, which knows both parameters. */
export const codesParam = z.string().meta({ type: "array", items: { type: "string" } });

const DATE_FORMATS =
  "ISO 8601 or YYYY-MM-DD, UTC unless it names an offset, or Unix seconds or milliseconds; ignored beside next_hours and prev_hours.";

export const calendarFilters = {
  from: z
    .string()
    .optional()
    .meta({ description: `Start, today 00:00 UTC unless given: ${DATE_FORMATS}` }),
  to: z
    .string()
    .optional()
    .meta({ description: `End, inclusive, seven days later unless given: ${DATE_FORMATS}` }),
  currencies: codesParam.optional().meta({ description: "Currency codes in any case, separated by commas." }),
  country: codesParam.optional().meta({ description: "The same; passed over where currencies is given." }),
  impact: wordParam(IMPACTS, "INVALID_IMPACT").optional(),
  q: searchParam.optional(),
  next_hours: boundedParam(1, 720).optional().meta({ description: "From now on." }),
  prev_hours: boundedParam(1, 96).optional().meta({ description: "Up to now; newest first when it stands alone." }),
  source: wordParam(STREAMS, "INVALID_SOURCE")
    .optional()
    .meta({ description: "One stream; both, with secondary twins hidden, unless given." })
    .register(repetitions, { errorCode: "INVALID_SOURCE", extra: { accepted: STREAMS } }),
};

type Filters = z.output<z.ZodObject<typeof calendarFilters>>;

/** Finds the events of a window that match the filters. Throws 400 VALIDATION_ERROR for malformed currency codes. */
export function findPage(
  calendar: Calendar,
  query: Filters,
  window: CalendarWindow,
  { offset, limit }: Pick<EventQuery, "offset" | "limit">,
): EventPage {
  return calendar.query({
    ...window,
    currencies: parseCurrencies(query),
    impact: query.impact ?? null,
    search: query.q ?? null,
    stream: query.source ?? null,
    offset,
    limit,
  });
}

/** Parses the currency codes into upper case; null for all. `country` is ignored if `currencies` is given. */
export function parseCurrencies({
  currencies,
  country,
}: Pick<Filters, "currencies" | "country">): ReadonlySet<string> | null {
  const text = currencies ?? country;
  if (text === undefined) return null;
  const codes = text.split(",").map((code) => code.trim().toUpperCase());
  if (codes.every((code) => /^[A-Z]{3}$/.test(code))) return new Set(codes);
  const name = currencies === undefined ? "country" : "currencies";
  throw new ApiError("VALIDATION_ERROR", `${name} must be currency codes of three letters, separated by commas`);
}

/** Formats the X-Data-Mode header if any event is simulated; empty otherwise. */
export function formatDataMode({ shown }: { readonly shown: readonly Pick<Entry, "event">[] }): string {
  return shown.some(({ event }) => event.provider === "simulated") ? formatHeaderLine("X-Data-Mode", "simulated") : "";
}

const MAX_SPAN_MS = 30 * DAY_MS;

/** The window of a calendar query in UTC milliseconds, both ends inclusive. */
export interface CalendarWindow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly newestFirst: boolean;
}

interface WindowQuery {
  readonly from?: string;
  readonly to?: string;
  readonly next_hours?: number;
  readonly prev_hours?: number;
}

/**
 * Reads the window by rules 1–4 of the specification's section 4.6: rolling hours override dates, and the default is
 * seven days from today. Throws 400 INVALID_DATE, also if `to` is before `from`, and 400 RANGE_TOO_LARGE for more than
 * thirty days.
 */
export function readWindow(query: WindowQuery, nowMs: number): CalendarWindow {
  const { next_hours: nextHours, prev_hours: prevHours } = query;
  if (nextHours === undefined && prevHours === undefined) return readDates(query, nowMs);
  // Whole seconds, so that the answer names exactly the range that was searched.
  const now = Math.floor(nowMs / 1000) * 1000;
  const window = {
    fromMs: now - (prevHours ?? 0) * HOUR_MS,
    toMs: now + (nextHours ?? 0) * HOUR_MS,
    newestFirst: nextHours === undefined,
  };
  return checkSpan(window);
}

function readDates({ from, to }: WindowQuery, nowMs: number): CalendarWindow {
  const fromMs = from === undefined ? nowMs - (nowMs % DAY_MS) : readMoment("from", from);
  const toMs = to === undefined ? fromMs + WEEK_MS : readMoment("to", to);
  if (toMs < fromMs) throw new ApiError("INVALID_DATE", "to must not be before from.");
  return checkSpan({ fromMs, toMs, newestFirst: false });
}

function readMoment(name: string, text: string): number {
  const timeMs = parseMoment(text);
  if (timeMs !== null) return timeMs;
  throw new ApiError(
    "INVALID_DATE",
    `${name} must be an ISO 8601 date or date-time; UTC unless it names an offset; or Unix seconds or milliseconds.`,
  );
}

function checkSpan(window: CalendarWindow): CalendarWindow {
  const spanMs = window.toMs - window.fromMs;
  if (spanMs <= MAX_SPAN_MS) return window;
  throw new ApiError("RANGE_TOO_LARGE", "The window may span at most 30 days.", {
    // Rounded up, so that every refused window reads as more than thirty days.
    requested_days: Math.ceil(spanMs / DAY_MS),
  });
}
