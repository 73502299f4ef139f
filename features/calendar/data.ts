import type { NewsData } from "@/components/shared/news-mark";
import type { CalendarFeeds } from "@/features/calendar/calendar-feeds";
import { getDays, getToday, toMidnight } from "@/features/calendar/days";
import type { CalendarData, PageEvent, UpcomingData } from "@/features/calendar/types";
import type { CalendarChoice } from "@/features/calendar/url";
import { readApiOrigin } from "@/features/session/visitor";
import type { Account } from "@/lib/access/accounts/account";
import { mayRead } from "@/lib/access/plans";
import { CALENDAR_FEED_PATH } from "@/lib/api/calendar/calendar-feed";
import { type CalendarEvent, getEventKind } from "@/lib/calendar/event";
import { compareWithForecast } from "@/lib/calendar/figure";
import { MARK_LEAD_MS, MARK_MARGINS } from "@/lib/calendar/news-window";
import { readCoverage } from "@/lib/calendar/read-news";
import { getWholeDay } from "@/lib/calendar/whole-day";
import type { Runtime } from "@/lib/runtime";
import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

type CalendarRuntime = Pick<Runtime, "calendar" | "marketNow">;

/** Above the number of events of any range. */
const MOST_EVENTS = 5_000;

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

/** Reads the events of the next hour, oldest first, without their figures. */
export function readUpcoming({ calendar, marketNow }: CalendarRuntime): UpcomingData {
  const nowMs = Math.floor(marketNow());
  const { shown } = calendar.query({
    ...{ fromMs: nowMs, toMs: nowMs + HOUR_MS, newestFirst: false, offset: 0, limit: MOST_EVENTS },
    ...{ currencies: null, impact: null, search: null, stream: null },
  });
  return { nowMs, events: shown.map(({ event }) => toPageEvent(event, "UTC", false)) };
}

/** Reads the releases of high impact around now, and whether the calendar reaches that far. */
export function readNewsMarks({ calendar, marketNow }: CalendarRuntime, account: Account): NewsData {
  if (!mayRead(account, "calendar")) return { status: "locked", events: [] };
  const nowMs = Math.floor(marketNow());
  const { shown } = calendar.query({
    // An hour more, as marks count on for a while without an answer.
    ...{ fromMs: nowMs - MARK_MARGINS.afterMs, toMs: nowMs + MARK_LEAD_MS + HOUR_MS, newestFirst: false },
    ...{ offset: 0, limit: MOST_EVENTS, currencies: null, impact: "high", search: null, stream: null },
  });
  const events = shown.flatMap(({ event }) => {
    const { timeMs, currency, title } = event;
    return getWholeDay(event) === null ? [{ timeMs, currency, title }] : [];
  });
  return { status: readCoverage(calendar.events, nowMs, MARK_MARGINS.beforeMs).status, events };
}

/** Further ahead, no publisher has every release. */
const NEXT_WITHIN_MS = 21 * DAY_MS;

/** Finds the next release of medium or high impact that has an hour; null if none is known. */
export function findNextRelease({ calendar, marketNow }: CalendarRuntime) {
  const nowMs = Math.floor(marketNow());
  const { shown } = calendar.query({
    ...{ fromMs: nowMs + 1, toMs: nowMs + NEXT_WITHIN_MS, newestFirst: false, offset: 0, limit: MOST_EVENTS },
    ...{ currencies: null, impact: null, search: null, stream: null },
  });
  const next = shown
    .map(({ event }) => event)
    .find((event) => event.impact !== "low" && getEventKind(event) === "figure" && getWholeDay(event) === null);
  return next === undefined ? null : { timeMs: next.timeMs, currency: next.currency, title: next.title };
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
    kind: getEventKind(event),
    actual,
    outcome: compareWithForecast(title, forecast, actual),
  };
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
