import type { CalendarEvent, Impact, Stream } from "@/lib/calendar/event";
import { matchTwins } from "@/lib/calendar/twins";
import { MINUTE_MS } from "@/lib/time/units";

/** An event in memory. */
export interface Entry {
  readonly event: CalendarEvent;
  readonly titleLower: string;
  /** The twin of a secondary row in the primary stream. */
  twin: Entry | null;
  /** The event as JSON with and without its actual, cached on first use. */
  json: string | null;
  jsonWithoutActual: string | null;
}

/** Sorts by time, then by currency and title, so that twins are neighbours. */
function compare({ event: a }: Entry, { event: b }: Entry): number {
  return (
    a.timeMs - b.timeMs ||
    compareText(a.currency, b.currency) ||
    compareText(a.title, b.title) ||
    compareText(a.id, b.id)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the visible events after some changes, sorted, as a new array. Any number of changes costs one pass. */
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
      touched.add(getMinute(before));
      byId.delete(event.id);
    }
    if (event.withdrawn) continue;
    const titleLower = event.title.toLowerCase();
    const entry: Entry = { event, titleLower, twin: null, json: null, jsonWithoutActual: null };
    byId.set(event.id, entry);
    touched.add(getMinute(entry));
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

function getMinute({ event }: Entry): number {
  return Math.floor(event.timeMs / MINUTE_MS);
}

function pairMinute(sorted: readonly Entry[], minute: number): void {
  const first = findFirstAt(sorted, minute * MINUTE_MS);
  let end = first;
  for (; end < sorted.length && getMinute(sorted[end] as Entry) === minute; end++) (sorted[end] as Entry).twin = null;
  if (end - first < 2) return;
  const entries = sorted.slice(first, end);
  const byEvent = new Map(entries.map((entry) => [entry.event, entry]));
  for (const { primary, secondary } of matchTwins([...byEvent.keys()])) {
    const hidden = byEvent.get(secondary);
    if (hidden !== undefined) hidden.twin = byEvent.get(primary) ?? null;
  }
}

/** Returns the index of the first event at or after a moment. */
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

/** A query of the calendar. */
export interface EventQuery {
  /** Both ends are inclusive, UTC milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly newestFirst: boolean;
  /** Upper-case codes; null for all. */
  readonly currencies: ReadonlySet<string> | null;
  readonly impact: Impact | null;
  /** Part of the title, case-insensitive; null for all. */
  readonly search: string | null;
  /** Null for both streams, with twins hidden. */
  readonly stream: Stream | null;
  readonly offset: number;
  readonly limit: number;
}

export interface EventPage {
  /** The events of the page, without secondary rows whose twin is on the same page. */
  readonly shown: readonly Entry[];
  /** All matching rows, hidden twins included. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** Returns one page of the matching events. The list must be sorted by time. */
export function queryEvents(sorted: readonly Entry[], query: EventQuery): EventPage {
  const { offset, limit, newestFirst } = query;
  const first = findFirstAt(sorted, query.fromMs);
  const last = findFirstAt(sorted, query.toMs + 1);
  const matching = findMatches(sorted, first, last, query);
  const total = matching === null ? Math.max(0, last - first) : matching.length;
  const at = (index: number): Entry => {
    const forward = newestFirst ? total - 1 - index : index;
    return (matching === null ? sorted[first + forward] : matching[forward]) as Entry;
  };
  const page: Entry[] = [];
  for (let index = offset; index < Math.min(offset + limit, total); index++) page.push(at(index));
  return { shown: query.stream === null ? hideTwins(page) : page, total, hasMore: offset + limit < total };
}

/** Null if every event in the span matches. */
function findMatches(sorted: readonly Entry[], first: number, last: number, query: EventQuery): Entry[] | null {
  const { currencies, impact, stream } = query;
  const search = query.search?.toLowerCase() ?? null;
  if (currencies === null && impact === null && search === null && stream === null) return null;
  const matching: Entry[] = [];
  for (let index = first; index < last; index++) {
    const entry = sorted[index] as Entry;
    const { event } = entry;
    if (stream !== null && event.stream !== stream) continue;
    if (impact !== null && event.impact !== impact) continue;
    if (currencies !== null && !currencies.has(event.currency)) continue;
    if (search !== null && !entry.titleLower.includes(search)) continue;
    matching.push(entry);
  }
  return matching;
}

function hideTwins(page: readonly Entry[]): readonly Entry[] {
  const onPage = new Set(page);
  return page.filter(({ twin }) => twin === null || !onPage.has(twin));
}
