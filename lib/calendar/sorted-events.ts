import type { CalendarEvent } from "@/lib/calendar/event";
import { matchTwins } from "@/lib/calendar/twins/match-twins";
import { MINUTE_MS } from "@/lib/time/units";

/** An event in its place in memory. */
export interface Entry {
  readonly event: CalendarEvent;
  readonly titleLower: string;
  /** Of a secondary row: its twin in the primary stream. */
  twin: Entry | null;
  /** The event as answers write it, with and without its actual; written when first asked for. */
  json: string | null;
  jsonWithoutActual: string | null;
}

/** The order of every answer: by time, and in one minute by currency and title, so that twins stand together. */
function compare({ event: a }: Entry, { event: b }: Entry): number {
  return a.timeMs - b.timeMs || order(a.currency, b.currency) || order(a.title, b.title) || order(a.id, b.id);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * All events that are shown, sorted. Taking changes in costs one walk over the list, whatever their number, and leaves
 * the former array alone.
 */
export function applyChanges(
  sorted: readonly Entry[],
  byId: Map<string, Entry>,
  events: readonly CalendarEvent[],
): readonly Entry[] {
  const replaced = new Set<Entry>();
  const touched = new Set<number>();
  const fresh: Entry[] = [];
  for (const event of events) {
    const before = byId.get(event.id);
    if (before !== undefined) {
      replaced.add(before);
      touched.add(minuteOf(before));
      byId.delete(event.id);
    }
    if (event.withdrawn) continue;
    const entry: Entry = {
      ...{ event, titleLower: event.title.toLowerCase() },
      ...{ twin: null, json: null, jsonWithoutActual: null },
    };
    byId.set(event.id, entry);
    touched.add(minuteOf(entry));
    fresh.push(entry);
  }
  if (replaced.size === 0 && fresh.length === 0) return sorted;
  const result = merge(
    sorted.filter((entry) => !replaced.has(entry)),
    fresh.sort(compare),
  );
  for (const minute of touched) pairMinute(result, minute);
  return result;
}

function merge(a: readonly Entry[], b: readonly Entry[]): readonly Entry[] {
  if (a.length === 0) return b;
  const merged: Entry[] = [];
  let next = 0;
  for (const entry of a) {
    while (next < b.length && compare(b[next] as Entry, entry) < 0) merged.push(b[next++] as Entry);
    merged.push(entry);
  }
  while (next < b.length) merged.push(b[next++] as Entry);
  return merged;
}

function minuteOf({ event }: Entry): number {
  return Math.floor(event.timeMs / MINUTE_MS);
}

function pairMinute(sorted: readonly Entry[], minute: number): void {
  const entries = sorted.slice(findFirstAt(sorted, minute * MINUTE_MS), findFirstAt(sorted, (minute + 1) * MINUTE_MS));
  for (const entry of entries) entry.twin = null;
  const byEvent = new Map(entries.map((entry) => [entry.event, entry]));
  for (const { primary, secondary } of matchTwins([...byEvent.keys()])) {
    const hidden = byEvent.get(secondary);
    if (hidden !== undefined) hidden.twin = byEvent.get(primary) ?? null;
  }
}

/** The place of the first event at or after a moment. */
export function findFirstAt(sorted: readonly Entry[], timeMs: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as Entry).event.timeMs < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
