import type { CalendarFeeds } from "@/features/calendar/calendar-feeds";
import type { CalendarData, PageEvent, SeriesPoint } from "@/features/calendar/types";
import { type CalendarRange, RANGE_DAYS } from "@/features/calendar/url";
import { readApiOrigin } from "@/features/session/visitor";
import { mayRead } from "@/lib/access/plans";
import { CALENDAR_FEED_PATH } from "@/lib/api/calendar/calendar-feed";
import type { CalendarEvent } from "@/lib/calendar/event";
import { parseFigure } from "@/lib/calendar/figure";
import { compareWithForecast } from "@/lib/calendar/polarity";
import { getWholeDay } from "@/lib/calendar/whole-day";
import type { Runtime } from "@/lib/runtime";
import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DAY_MS } from "@/lib/time/units";

type CalendarRuntime = Pick<Runtime, "calendar" | "now">;

/** Above the number of events of any range. */
const MOST_EVENTS = 5_000;
const MOST_POINTS = 24;

/** Reads the events of a range of days in a zone, oldest first, without secondary twins. */
export function readCalendar(
  { calendar, now }: CalendarRuntime,
  { range, zone }: { range: CalendarRange; zone: string },
  withActual: boolean,
): CalendarData {
  const nowMs = Math.floor(now());
  const [first, last] = RANGE_DAYS[range];
  const { year, month, day } = toCivilTime(zone, nowMs);
  const fromMs = zonedTimeToUtcMs(zone, year, month, day + first, 0);
  const toMs = zonedTimeToUtcMs(zone, year, month, day + last + 1, 0) - 1;
  // An event without an hour belongs to a day that may start up to a day earlier or later in its source's zone.
  const { shown } = calendar.query({
    fromMs: fromMs - DAY_MS,
    toMs: toMs + DAY_MS,
    newestFirst: false,
    currencies: null,
    impact: null,
    search: null,
    stream: null,
    offset: 0,
    limit: MOST_EVENTS,
  });
  const events = shown
    .map(({ event }) => toPageEvent(event, zone, withActual))
    .filter(({ timeMs }) => timeMs >= fromMs && timeMs <= toMs)
    .sort((a, b) => a.timeMs - b.timeMs);
  const simulated = shown.some(({ event }) => event.provider === "simulated");
  return { nowMs, revision: calendar.revision, events, simulated, withActual };
}

function toPageEvent(event: CalendarEvent, zone: string, withActual: boolean): PageEvent {
  const { id, certainty, currency, title, impact, forecast, previous, revised, stream, seriesId } = event;
  const day = getWholeDay(event);
  const actual = withActual ? event.actual : null;
  return {
    id,
    certainty,
    currency,
    title,
    impact,
    forecast,
    previous,
    revised,
    stream,
    seriesId,
    timeMs: day === null ? event.timeMs : zonedTimeToUtcMs(zone, day.year, day.month, day.day, 0),
    hasHour: day === null,
    actual,
    outcome: compareWithForecast(title, forecast, actual),
  };
}

/** The latest released figures of a series, oldest first. */
export function readSeries({ calendar }: Pick<Runtime, "calendar">, seriesId: string): SeriesPoint[] {
  return calendar.events
    .filter(({ event }) => event.seriesId === seriesId && event.actual !== null)
    .slice(-MOST_POINTS)
    .map(({ event: { timeMs, forecast, actual } }) => ({
      timeMs,
      forecast: parseFigure(forecast)?.value ?? null,
      actual: parseFigure(actual)?.value ?? null,
      text: actual ?? "",
    }));
}

/** Reads the calendar feeds of an account: one for each active key that may read the calendar. */
export async function readFeeds(
  { keys, directory, feedTokens }: Pick<Runtime, "keys" | "directory" | "feedTokens">,
  accountId: string,
): Promise<CalendarFeeds> {
  const feeds = (await keys.list(accountId)).flatMap(({ id, label, state }) => {
    const key = directory.key(id);
    if (state !== "active" || key === undefined || !mayRead(key, "calendar")) return [];
    return [{ id, label, token: feedTokens.createToken(id), withActual: mayRead(key, "actuals") }];
  });
  return { address: (await readApiOrigin()) + CALENDAR_FEED_PATH, feeds };
}
