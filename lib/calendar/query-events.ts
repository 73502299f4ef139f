import type { Impact, Stream } from "@/lib/calendar/event";
import { type Entry, findFirstAt } from "@/lib/calendar/sorted-events";

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
