import type { Calendar } from "@/lib/calendar/calendar";
import { type Entry, findFirstAt, queryEvents } from "@/lib/calendar/sorted-events";
import type { Clock } from "@/lib/platform/timing/clock";

/** More than a calendar has events, so that revisions of different events do not collide. */
const MAX_EVENTS = 10_000_000;
/** Fields that are only known once an event is released. */
const RELEASED_FIELDS = new Set(["actual", "revised"]);

/**
 * Returns the calendar as it is at a clock that runs in the past, as in a replay: later events have no released figure,
 * and no previous one if that is released later too.
 */
export function hideUnreleased(calendar: Calendar, marketNow: Clock): Calendar {
  let shown: {
    readonly revision: number;
    readonly events: readonly Entry[];
    readonly byId: Map<string, Entry>;
  } | null = null;

  /** Changes with the calendar, and whenever the clock reaches an event. */
  function getRevision(): number {
    return calendar.revision * MAX_EVENTS + findFirstAt(calendar.events, marketNow() + 1);
  }

  function show() {
    const revision = getRevision();
    if (shown?.revision !== revision) {
      const events = hideFigures(calendar.events, revision % MAX_EVENTS);
      shown = { revision, events, byId: new Map(events.map((entry) => [entry.event.id, entry])) };
    }
    return shown;
  }

  return {
    query: (query) => queryEvents(show().events, query),
    find: (id) => show().byId.get(id),
    async readChanges(ids) {
      const nowMs = marketNow();
      const isReleased = (id: string) => (calendar.find(id)?.event.timeMs ?? Infinity) <= nowMs;
      const changes = await calendar.readChanges(ids);
      return new Map(
        Array.from(changes, ([id, list]) => [
          id,
          isReleased(id) ? list : list.filter(({ field }) => !RELEASED_FIELDS.has(field)),
        ]),
      );
    },
    readEditions: calendar.readEditions,
    readSeriesAbout: calendar.readSeriesAbout,
    get events() {
      return show().events;
    },
    get revision() {
      return getRevision();
    },
    refresh: calendar.refresh,
    start: calendar.start,
    stop: calendar.stop,
  };
}

/** @param first the index of the first event that is not released */
function hideFigures(sorted: readonly Entry[], first: number): readonly Entry[] {
  const series = new Set<string>();
  const copies = new Map<Entry, Entry>();
  for (const entry of sorted.slice(first)) {
    const { event } = entry;
    const name = event.seriesId ?? `${event.stream} ${event.currency} ${event.title}`;
    const previous = series.has(name) ? "" : event.previous;
    series.add(name);
    const hidden = { ...event, actual: null, revised: null, previous };
    copies.set(entry, { ...entry, event: hidden, json: null, jsonWithoutActual: null });
  }
  for (const copy of copies.values()) if (copy.twin !== null) copy.twin = copies.get(copy.twin) ?? copy.twin;
  return [...sorted.slice(0, first), ...copies.values()];
}
