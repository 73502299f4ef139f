import type { CalendarEvent, FieldChange, Report, ReportedEvent } from "@/lib/calendar/event";
import { listChanges } from "@/lib/calendar/event-rows";
import { DAY_MS } from "@/lib/time/units";

/**
 * Finds the changes in a report. Events without a key are matched by currency and title: first at the same minute, then
 * with the nearest row of that title that is no longer listed at its old time. So a release that moves keeps its id.
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

/** A release that reappears further away than this is another release, such as next week's. */
const MAX_MOVE_MS = 5 * DAY_MS;

/** @param rows every row of the same stream and provider that the report may concern */
export function reconcile(rows: readonly CalendarEvent[], rawReport: Report): Reconciliation {
  const report = { ...rawReport, events: removeRepeats(rawReport.events) };
  const pairs = pairEvents(rows, report);
  const paired = new Set(pairs.values());
  const created = report.events.filter((event) => !pairs.has(event));
  const changed = [...pairs].flatMap(([event, before]) => {
    const after = merge(before, event);
    const changes = listChanges(before, after);
    return changes.length > 0 ? [{ before, after, changes }] : [];
  });
  const withdrawn = rows.filter((row) => !row.withdrawn && !paired.has(row) && isMissing(row, report));
  return { created, changed, withdrawn };
}

/** Some sources list a row twice. The later one counts, and an actual that only one of them has is retained. */
function removeRepeats(events: readonly ReportedEvent[]): ReportedEvent[] {
  const distinct = new Map<string, ReportedEvent>();
  for (const event of events) {
    const name = event.key ?? `${getTitleKey(event)}\n${event.timeMs}`;
    const before = distinct.get(name);
    distinct.set(name, before === undefined ? event : { ...event, actual: event.actual ?? before.actual });
  }
  return [...distinct.values()];
}

/** A future row that is no longer listed was cancelled. Past rows stay, because sources drop them. */
function isMissing(row: CalendarEvent, { complete, atMs }: Report): boolean {
  return complete !== undefined && isWithin(row.timeMs, complete) && row.timeMs > atMs && row.actual === null;
}

function isWithin(timeMs: number, { fromMs, toMs }: { fromMs: number; toMs: number }): boolean {
  return timeMs >= fromMs && timeMs <= toMs;
}

function pairEvents(rows: readonly CalendarEvent[], report: Report): Map<ReportedEvent, CalendarEvent> {
  const pairs = new Map<ReportedEvent, CalendarEvent>();
  const byKey = new Map(rows.filter(({ key }) => key !== null).map((row) => [row.key, row]));
  const unnamed: ReportedEvent[] = [];
  for (const event of report.events) {
    const row = event.key === null ? undefined : byKey.get(event.key);
    if (row !== undefined) pairs.set(event, row);
    else if (event.key === null) unnamed.push(event);
  }
  const rowsByTitle = groupBy(
    rows.filter(({ key }) => key === null),
    getTitleKey,
  );
  for (const [title, events] of groupBy(unnamed, getTitleKey))
    pairByTime(events, rowsByTitle.get(title) ?? [], report, pairs);
  return pairs;
}

function getTitleKey({ currency, title }: { currency: string; title: string }): string {
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
 * A row may move if the report covers its old time and does not list it there. A released row moves only within a day:
 * sources correct a wrong hour afterwards.
 */
function mayHaveMoved(row: CalendarEvent, event: ReportedEvent, { complete }: Report): boolean {
  const distanceMs = Math.abs(row.timeMs - event.timeMs);
  if (distanceMs > MAX_MOVE_MS) return false;
  const isReleased = row.actual !== null || event.actual != null;
  if (isReleased && distanceMs >= DAY_MS) return false;
  return row.withdrawn || (complete !== undefined && isWithin(row.timeMs, complete));
}

/** Returns the row after the report. A released figure is replaced by another one, but never removed by a missing field. */
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

function groupBy<Item>(items: readonly Item[], getName: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(getName(item));
    if (group === undefined) groups.set(getName(item), [item]);
    else group.push(item);
  }
  return groups;
}
