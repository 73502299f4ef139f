import type { CalendarEvent, FieldChange, Report, ReportedEvent } from "@/lib/calendar/event";
import { DAY_MS } from "@/lib/time/units";

/**
 * What a report changes in the calendar. Sources without names for their rows are followed by currency and title: what
 * they told before is recognised at the same minute, and else as the nearest row of that title that has lost its place,
 * which is how a release that moved to another time, or another day, keeps its id.
 */

export interface Reconciliation {
  readonly created: readonly ReportedEvent[];
  readonly changed: readonly {
    readonly before: CalendarEvent;
    readonly after: CalendarEvent;
    readonly changes: FieldChange[];
  }[];
  readonly withdrawn: readonly CalendarEvent[];
}

/** A release that reappears further away than this is another one: the next week's, or the next month's. */
const FARTHEST_MOVE_MS = 5 * DAY_MS;

/** @param known every row of the same stream and provider that the report may be about */
export function reconcile(known: readonly CalendarEvent[], told: Report): Reconciliation {
  const report = { ...told, events: withoutRepeats(told.events) };
  const pairs = pair(known, report);
  const paired = new Set(pairs.values());
  const created = report.events.filter((event) => !pairs.has(event));
  const changed = [...pairs].flatMap(([event, before]) => {
    const after = merge(before, event);
    const changes = changesBetween(before, after);
    return changes.length > 0 ? [{ before, after, changes }] : [];
  });
  const withdrawn = known.filter((row) => !row.withdrawn && !paired.has(row) && isMissing(row, report));
  return { created, changed, withdrawn };
}

/** Sources list the odd row twice. The later one counts, but a figure that only one of them has is not lost. */
function withoutRepeats(events: readonly ReportedEvent[]): ReportedEvent[] {
  const distinct = new Map<string, ReportedEvent>();
  for (const event of events) {
    const name = event.key ?? `${titleOf(event)}\n${event.timeMs}`;
    const before = distinct.get(name);
    distinct.set(name, before === undefined ? event : { ...event, actual: event.actual ?? before.actual });
  }
  return [...distinct.values()];
}

/** What is due and not listed any more was called off; what is past stays, since sources also forget. */
function isMissing(row: CalendarEvent, { complete, atMs }: Report): boolean {
  return complete !== undefined && isWithin(row.timeMs, complete) && row.timeMs > atMs && row.actual === null;
}

function isWithin(timeMs: number, { fromMs, toMs }: { fromMs: number; toMs: number }): boolean {
  return timeMs >= fromMs && timeMs <= toMs;
}

function pair(known: readonly CalendarEvent[], report: Report): Map<ReportedEvent, CalendarEvent> {
  const pairs = new Map<ReportedEvent, CalendarEvent>();
  const byKey = new Map(known.filter(({ key }) => key !== null).map((row) => [row.key, row]));
  const unnamed: ReportedEvent[] = [];
  for (const event of report.events) {
    const row = event.key === null ? undefined : byKey.get(event.key);
    if (row !== undefined) pairs.set(event, row);
    else if (event.key === null) unnamed.push(event);
  }
  const rowsByTitle = groupBy(
    known.filter(({ key }) => key === null),
    titleOf,
  );
  for (const [title, events] of groupBy(unnamed, titleOf))
    pairByTime(events, rowsByTitle.get(title) ?? [], report, pairs);
  return pairs;
}

function titleOf({ currency, title }: { currency: string; title: string }): string {
  return `${currency}\n${title}`;
}

function pairByTime(
  events: readonly ReportedEvent[],
  rows: readonly CalendarEvent[],
  report: Report,
  pairs: Map<ReportedEvent, CalendarEvent>,
): void {
  const left = new Set(rows);
  const moved: ReportedEvent[] = [];
  for (const event of events) {
    const row = [...left].find(({ timeMs }) => timeMs === event.timeMs);
    if (row === undefined) moved.push(event);
    else {
      pairs.set(event, row);
      left.delete(row);
    }
  }
  const candidates = moved.flatMap((event) =>
    [...left]
      .filter((row) => mayHaveMoved(row, event, report))
      .map((row) => ({ event, row, distanceMs: Math.abs(row.timeMs - event.timeMs) })),
  );
  candidates.sort(
    (a, b) => a.distanceMs - b.distanceMs || a.event.timeMs - b.event.timeMs || a.row.timeMs - b.row.timeMs,
  );
  for (const { event, row } of candidates) {
    if (pairs.has(event) || !left.has(row)) continue;
    pairs.set(event, row);
    left.delete(row);
  }
}

/**
 * A row has lost its place when the report covers that place and does not list it. One that is released stays where it
 * was, unless the correction is of the same day: sources mend a wrong hour afterwards.
 */
function mayHaveMoved(row: CalendarEvent, event: ReportedEvent, { complete }: Report): boolean {
  const distanceMs = Math.abs(row.timeMs - event.timeMs);
  if (distanceMs > FARTHEST_MOVE_MS) return false;
  const isReleased = row.actual !== null || event.actual != null;
  if (isReleased && distanceMs >= DAY_MS) return false;
  return row.withdrawn || (complete !== undefined && isWithin(row.timeMs, complete));
}

/** What the row is after the report. A figure once released is corrected by another one, never taken back by silence. */
function merge(row: CalendarEvent, event: ReportedEvent): CalendarEvent {
  const isPrimary = row.stream === "primary";
  return {
    ...row,
    timeMs: event.timeMs,
    zone: event.zone,
    certainty: event.certainty,
    currency: event.currency,
    title: event.title,
    impact: event.impact,
    forecast: event.forecast ?? row.forecast,
    previous: event.previous ?? row.previous,
    revised: event.revised ?? row.revised,
    actual: isPrimary ? (event.actual ?? row.actual) : null,
    seriesId: isPrimary ? (event.seriesId ?? row.seriesId) : null,
    withdrawn: false,
  };
}

const text: Readonly<Record<string, (row: CalendarEvent) => string | null>> = {
  time: ({ timeMs }) => new Date(timeMs).toISOString(),
  zone: ({ zone }) => zone,
  certainty: ({ certainty }) => certainty,
  currency: ({ currency }) => currency,
  title: ({ title }) => title,
  impact: ({ impact }) => impact,
  forecast: ({ forecast }) => forecast,
  previous: ({ previous }) => previous,
  revised: ({ revised }) => revised,
  actual: ({ actual }) => actual,
  series: ({ seriesId }) => seriesId,
  withdrawn: ({ withdrawn }) => String(withdrawn),
};

function changesBetween(before: CalendarEvent, after: CalendarEvent): FieldChange[] {
  return Object.entries(text).flatMap(([field, of]) => {
    const change = { field, before: of(before), after: of(after) };
    return change.before === change.after ? [] : [change];
  });
}

function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item));
    if (group === undefined) groups.set(nameOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
