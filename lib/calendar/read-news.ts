import type { CalendarEvent, Impact } from "@/lib/calendar/event";
import {
  findWindows,
  joinWindows,
  type NewsMargins,
  type NewsWindow,
  toCalendarCode,
} from "@/lib/calendar/news-window";
import { type Entry, findFirstAt } from "@/lib/calendar/sorted-events";
import { getWholeDay } from "@/lib/calendar/whole-day";
import type { Instrument } from "@/lib/market/instrument";
import { isMoney } from "@/lib/market/market-words";
import { DAY_MS } from "@/lib/time/units";

/** The codes of an instrument's prices of which calendars list releases. Metals, coins and shares have none of their own. */
export function listReleaseCurrencies({ base, quote }: Pick<Instrument, "base" | "quote">): string[] {
  return [...new Set([base, quote].flatMap((code) => (code !== null && isMoney(code) ? toCalendarCode(code) : [])))];
}

/** How far before and after a moment the calendar is searched. */
export const NEWS_REACH_MS = 31 * DAY_MS;

export interface NewsQuery extends NewsMargins {
  /** Codes of the calendar in upper case. */
  readonly currencies: readonly string[];
  readonly impacts: readonly Impact[];
}

/** How far a calendar reaches at a moment. */
export interface Coverage {
  /**
   * "stale" if nothing is listed from some day on that begins before the requested moment; "missing" if nothing is listed
   * within 31 days.
   */
  readonly status: "current" | "stale" | "missing";
  /** The end of the UTC day of the last event that any source lists within 31 days; null without one. */
  readonly listedUntilMs: number | null;
}

/** Reads how far the calendar reaches at a moment. It is current if that is until `aheadMs` later. */
export function readCoverage(sorted: readonly Entry[], atMs: number, aheadMs: number): Coverage {
  const last = sorted[findFirstAt(sorted, atMs + NEWS_REACH_MS + 1) - 1]?.event.timeMs;
  if (last === undefined || last < atMs - NEWS_REACH_MS) return { status: "missing", listedUntilMs: null };
  // Sources list whole days.
  const listedUntilMs = (Math.floor(last / DAY_MS) + 1) * DAY_MS;
  return { status: listedUntilMs < atMs + aheadMs ? "stale" : "current", listedUntilMs };
}

/** What the calendar has around a moment. */
export interface News extends Coverage {
  readonly current: NewsWindow<CalendarEvent> | null;
  readonly next: NewsWindow<CalendarEvent> | null;
  /** The matching events without an hour, of whose day, with the margins, the moment is. No window has them. */
  readonly untimed: readonly CalendarEvent[];
  /** The currencies of which nothing is listed within 31 days. */
  readonly unlisted: readonly string[];
}

/** Reads the windows around a moment, and how much the calendar knows of it. */
export function readNews(sorted: readonly Entry[], query: NewsQuery, atMs: number): News {
  const first = findFirstAt(sorted, atMs - NEWS_REACH_MS);
  const end = findFirstAt(sorted, atMs + NEWS_REACH_MS + 1);
  const codes = new Set(query.currencies);
  const unlisted = new Set(query.currencies);
  const timed: CalendarEvent[] = [];
  const untimed: CalendarEvent[] = [];
  for (let index = first; index < end; index++) {
    const { event, twin } = sorted[index] as Entry;
    if (!codes.has(event.currency)) continue;
    unlisted.delete(event.currency);
    if (!query.impacts.includes(event.impact)) continue;
    // If two sources have a row of one release, the first stream's is shown, unless only the other has the impact.
    if (twin !== null && query.impacts.includes(twin.event.impact)) continue;
    if (getWholeDay(event) === null) timed.push(event);
    else if (event.timeMs - query.beforeMs <= atMs && atMs < event.timeMs + DAY_MS + query.afterMs) untimed.push(event);
  }
  return {
    ...findWindows(joinWindows(timed, query), atMs),
    ...readCoverage(sorted, atMs, query.beforeMs),
    untimed,
    unlisted: [...unlisted],
  };
}
