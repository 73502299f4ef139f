"use client";

import { type EventFilter, matchesFilter } from "@/features/calendar/day-groups";
import type { PageEvent } from "@/features/calendar/types";
import { NOT_REMEMBERED, readChoice, writeChoice } from "@/features/calendar/url";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** The reminders of this browser: of single events, and of all events that a filter shows. */
export interface Reminders {
  /** When each event is, by its id: UTC milliseconds. */
  readonly events: Readonly<Record<string, number>>;
  /** Queries of the calendar's address: "currencies=USD&impact=high". */
  readonly filters: readonly string[];
  readonly hasSound: boolean;
  /** Reminders that were given, by event: when the event is, UTC milliseconds. */
  readonly given: Readonly<Record<string, number>>;
  /** The same for reminders that the visitor closed. */
  readonly closed: Readonly<Record<string, number>>;
}

/** How long before an event its reminder is given. */
const LEAD_MS = 5 * MINUTE_MS;
export const NO_REMINDERS: Reminders = { events: {}, filters: [], hasSound: false, given: {}, closed: {} };

const MOST_EVENTS = 100;
export const MOST_FILTERS = 5;
/** What is stored of an event is removed this long after it. */
const RETAINED_MS = HOUR_MS;

/** Reads stored reminders. Anything invalid is left out. */
export function parseReminders(text: string | null): Reminders {
  try {
    const { events, filters, hasSound, given, closed } = JSON.parse(text ?? "") as Record<string, unknown>;
    return {
      events: readTimes(events),
      filters: Array.isArray(filters) ? filters.filter((each) => typeof each === "string").slice(0, MOST_FILTERS) : [],
      hasSound: hasSound === true,
      given: readTimes(given),
      closed: readTimes(closed),
    };
  } catch {
    return NO_REMINDERS;
  }
}

function readTimes(value: unknown): Record<string, number> {
  if (typeof value !== "object" || value === null) return {};
  const pairs = Object.entries(value).filter((pair): pair is [string, number] => typeof pair[1] === "number");
  return Object.fromEntries(pairs.slice(-MOST_EVENTS));
}

/** Returns the reminders without those of events that are long over. */
export function dropOld(reminders: Reminders, nowMs: number): Reminders {
  const drop = (times: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(times).filter(([, timeMs]) => timeMs > nowMs - RETAINED_MS));
  const { events, given, closed } = reminders;
  return { ...reminders, events: drop(events), given: drop(given), closed: drop(closed) };
}

/** Writes a filter as it is stored; empty for all events. */
export function writeFilter(filter: EventFilter): string {
  const choice = writeChoice({ range: "week", ...NOT_REMEMBERED, zone: "UTC", ...filter }, "UTC");
  return choice.replace(/^range=week&?/, "");
}

/** Puts a filter in words: "High impact, USD and EUR". */
export function formatFilter(filter: string): string {
  const { currencies, impacts, kinds, search } = readChoice(filter, "UTC");
  const list = (words: readonly string[]) => new Intl.ListFormat("en-GB").format(words);
  const parts = [
    impacts.length > 0 ? `${list(impacts)} impact` : "",
    kinds.length > 0 ? list(kinds.map((kind) => `${kind}s`)) : "",
    list(currencies),
    search === "" ? "" : `“${search}” in the title`,
  ].filter((part) => part !== "");
  if (parts.length === 0) return "All events";
  const text = parts.join(", ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Returns the events whose reminder is due at a moment, and not closed. */
export function findDue(events: readonly PageEvent[], reminders: Reminders, nowMs: number): PageEvent[] {
  const filters = reminders.filters.map((filter) => readChoice(filter, "UTC"));
  return events.filter(
    (event) =>
      event.hasHour &&
      event.timeMs > nowMs &&
      event.timeMs <= nowMs + LEAD_MS &&
      reminders.closed[event.id] !== event.timeMs &&
      (event.id in reminders.events || filters.some((filter) => matchesFilter(event, filter))),
  );
}
