import { ApiError } from "@/lib/api/engine/errors";
import { parseMoment } from "@/lib/time/iso-time";
import { DAY_MS, HOUR_MS, WEEK_MS } from "@/lib/time/units";

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
