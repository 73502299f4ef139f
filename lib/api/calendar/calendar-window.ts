import { ApiError } from "@/lib/api/engine/errors";
import { parseTime } from "@/lib/time/iso-time";
import { DAY_MS, HOUR_MS, WEEK_MS } from "@/lib/time/units";

const LONGEST_MS = 30 * DAY_MS;

/** The window a query of the calendar asks for; both ends belong to it. UTC milliseconds. */
export interface CalendarWindow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly newestFirst: boolean;
}

interface Asked {
  readonly from?: string;
  readonly to?: string;
  readonly next_hours?: number;
  readonly prev_hours?: number;
}

/**
 * Rules 1–4 of the specification's section 4.6: rolling hours win over dates, today and seven days are the default.
 * Throws 400 INVALID_DATE, also where `to` lies before `from`, and 400 RANGE_TOO_LARGE beyond thirty days.
 */
export function readWindow(asked: Asked, nowMs: number): CalendarWindow {
  const { next_hours: nextHours, prev_hours: prevHours } = asked;
  if (nextHours === undefined && prevHours === undefined) return readDates(asked, nowMs);
  // Whole seconds, so that the range we name is exactly the one we looked in.
  const now = Math.floor(nowMs / 1000) * 1000;
  const window = {
    fromMs: now - (prevHours ?? 0) * HOUR_MS,
    toMs: now + (nextHours ?? 0) * HOUR_MS,
    newestFirst: nextHours === undefined,
  };
  return checkSpan(window);
}

function readDates({ from, to }: Asked, nowMs: number): CalendarWindow {
  const fromMs = from === undefined ? nowMs - (nowMs % DAY_MS) : parseMoment("from", from);
  const toMs = to === undefined ? fromMs + WEEK_MS : parseMoment("to", to);
  if (toMs < fromMs) throw new ApiError("INVALID_DATE", "to must not be before from.");
  return checkSpan({ fromMs, toMs, newestFirst: false });
}

function parseMoment(name: string, text: string): number {
  const timeMs = parseTime(text);
  if (timeMs !== null) return timeMs;
  throw new ApiError("INVALID_DATE", `${name} must be an ISO 8601 date or date-time; UTC unless it names an offset.`);
}

function checkSpan(window: CalendarWindow): CalendarWindow {
  const spanMs = window.toMs - window.fromMs;
  if (spanMs <= LONGEST_MS) return window;
  throw new ApiError("RANGE_TOO_LARGE", "The window may span at most 30 days.", {
    // Rounded up: whatever is refused reads as more than thirty.
    requested_days: Math.ceil(spanMs / DAY_MS),
  });
}
