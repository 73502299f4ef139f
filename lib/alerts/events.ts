import type { EventFilter } from "@/lib/alerts/conditions";
import { type Entry, findFirstAt } from "@/lib/calendar/sorted-events";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** Figures are published late now and then, and the server may have been down. Older ones are no news. */
const RELEASED_WITHIN_MS = 6 * HOUR_MS;
/** A source may report a figure a little before its time. */
const EARLY_MS = 5 * MINUTE_MS;

function matches({ event, titleLower }: Entry, { currencies, impacts, search }: EventFilter): boolean {
  return (
    (currencies.length === 0 || currencies.includes(event.currency)) &&
    (impacts.length === 0 || impacts.includes(event.impact)) &&
    (search === "" || titleLower.includes(search.toLowerCase()))
  );
}

/** The events of the last hours whose figure is published. Only primary rows have figures. */
export function findReleased(sorted: readonly Entry[], filter: EventFilter, nowMs: number): Entry[] {
  const found: Entry[] = [];
  for (let at = findFirstAt(sorted, nowMs - RELEASED_WITHIN_MS); at < sorted.length; at++) {
    const entry = sorted[at] as Entry;
    if (entry.event.timeMs > nowMs + EARLY_MS) break;
    if (entry.event.stream === "primary" && entry.event.actual !== null && matches(entry, filter)) found.push(entry);
  }
  return found;
}

/** The events that begin within some minutes from now. Those without an exact time and second twins are left out. */
export function findDue(
  sorted: readonly Entry[],
  filter: EventFilter,
  { nowMs, minutes }: { readonly nowMs: number; readonly minutes: number },
): Entry[] {
  const found: Entry[] = [];
  for (let at = findFirstAt(sorted, nowMs); at < sorted.length; at++) {
    const entry = sorted[at] as Entry;
    if (entry.event.timeMs > nowMs + minutes * MINUTE_MS) break;
    if (entry.event.certainty === "exact" && entry.twin === null && matches(entry, filter)) found.push(entry);
  }
  return found;
}

/** The key of a firing: an event that moves is due again, and a figure is published once. */
export function formatEventKey(type: "release" | "upcoming", { event }: Entry): string {
  return type === "release" ? `release ${event.id}` : `upcoming ${event.id} ${event.timeMs}`;
}
