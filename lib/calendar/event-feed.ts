import type { ICalCalendar } from "ical-generator";
import ical, { ICalEventStatus, ICalEventTransparency } from "ical-generator";
import type { CalendarEvent, Impact } from "@/lib/calendar/event";
import type { Edition } from "@/lib/calendar/event-rows";
import { getWholeDay } from "@/lib/calendar/whole-day";

/**
 * The calendar as iCalendar (RFC 5545) for calendar programs. The same events have the same text: without METHOD,
 * DTSTAMP is the time of the event's last change, not of the request.
 */
interface FeedEntry {
  readonly event: CalendarEvent;
  readonly edition: Edition;
}

/** RFC 5545: 1 is the most urgent, 5 the middle, 9 the least. */
const PRIORITIES: Readonly<Record<Impact, number>> = { high: 1, medium: 5, low: 9 };
const REFRESH_S = 15 * 60;

/** Writes the feed. @param withActual whether it may contain released figures */
export function writeEventFeed(entries: readonly FeedEntry[], withActual: boolean): string {
  const hasSimulated = entries.some(({ event }) => isSimulated(event));
  const feed = ical({
    name: `Economic calendar${hasSimulated ? " (simulated)" : ""}`,
    prodId: { company: "Spotline", product: "Economic calendar", language: "EN" },
    ttl: REFRESH_S,
  });
  for (const entry of entries) addEvent(feed, entry, withActual);
  return feed.toString();
}

function addEvent(feed: ICalCalendar, { event, edition }: FeedEntry, withActual: boolean): void {
  const { id, certainty, currency, title, impact } = event;
  const actual = withActual ? event.actual : null;
  const changedAt = new Date(edition.atMs);
  const day = getWholeDay(event);
  feed.createEvent({
    id: `${id}@calendar.spotline`,
    stamp: changedAt,
    lastModified: changedAt,
    sequence: edition.changes,
    start: new Date(day === null ? event.timeMs : Date.UTC(day.year, day.month - 1, day.day)),
    allDay: day !== null,
    summary: `${currency} ${title}${actual === null ? "" : `: ${actual}`}`,
    description: formatDescription(event, actual),
    status: certainty === "tentative" ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
    // A release must not mark the user as busy.
    transparency: ICalEventTransparency.TRANSPARENT,
    priority: PRIORITIES[impact],
    categories: [{ name: currency }, { name: `${impact} impact` }],
  });
}

function formatDescription(event: CalendarEvent, actual: string | null): string {
  const { forecast, previous, revised, certainty, impact } = event;
  const lines = [
    actual === null ? "" : `Actual: ${actual}`,
    forecast === "" ? "" : `Forecast: ${forecast}`,
    previous === "" ? "" : `Previous: ${previous}${revised === null ? "" : `, revised to ${revised}`}`,
    `Impact: ${impact}`,
    certainty === "tentative" ? "The time is not certain." : "",
    isSimulated(event) ? "Simulated: its figures are made up." : "",
  ];
  return lines.filter((line) => line !== "").join("\n");
}

function isSimulated({ provider }: CalendarEvent): boolean {
  return provider === "simulated";
}
