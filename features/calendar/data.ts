import type { CalendarFeeds } from "@/features/calendar/calendar-feeds";
import { getDays, getToday } from "@/features/calendar/days";
import type { CalendarData, PageEvent, SeriesPoint } from "@/features/calendar/types";
import type { CalendarChoice } from "@/features/calendar/url";
import { readApiOrigin } from "@/features/session/visitor";
import { mayRead } from "@/lib/access/plans";
import { CALENDAR_FEED_PATH } from "@/lib/api/calendar/calendar-feed";
import type { CalendarEvent } from "@/lib/calendar/event";
import { parseFigure } from "@/lib/calendar/figure";
import { compareWithForecast } from "@/lib/calendar/polarity";
import { getWholeDay } from "@/lib/calendar/whole-day";
import type { Runtime } from "@/lib/runtime";
import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DAY_MS } from "@/lib/time/units";

type CalendarRuntime = Pick<Runtime, "calendar" | "marketNow">;

/** Above the number of events of any range. */
const MOST_EVENTS = 5_000;
const MOST_POINTS = 24;

/** Reads the events of a range of days in a zone, oldest first, without secondary twins. */
export function readCalendar(
  { calendar, marketNow }: CalendarRuntime,
  choice: Pick<CalendarChoice, "range" | "date" | "zone">,
  withActual: boolean,
): CalendarData {
  const nowMs = Math.floor(marketNow());
  const { zone } = choice;
  const { firstMs, lastMs } = getDays(choice, getToday(zone, nowMs));
  const fromMs = toMidnight(zone, firstMs);
  const toMs = toMidnight(zone, lastMs + DAY_MS) - 1;
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

/** Returns when a date begins in a zone. `dayMs` is the date's midnight in UTC. */
function toMidnight(zone: string, dayMs: number): number {
  const date = new Date(dayMs);
  return zonedTimeToUtcMs(zone, date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), 0);
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
