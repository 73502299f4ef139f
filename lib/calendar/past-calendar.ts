import type { Pool } from "pg";
import type { Calendar } from "@/lib/calendar/calendar";
import { readEventsAt, readNextChange, type RecordedChange } from "@/lib/calendar/event-rows";
import { applyChanges, type Entry, queryEvents } from "@/lib/calendar/sorted-events";
import { MINUTE_MS } from "@/lib/time/units";

/** A window of the calendar at a moment of the past: what its sources had reported until then. */
export type PastCalendar = Pick<Calendar, "query" | "find" | "readChanges" | "events" | "revision">;

/** Both ends are inclusive. All are UTC milliseconds. */
interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Reads a window of the calendar as it was at a moment: a figure is null before its receipt, and a date, a forecast or a
 * previous figure that was changed later is the one of then. Returns the moment of the first report if that was later;
 * null without any report.
 */
export async function readPastCalendar(
  pool: Pool,
  calendar: Pick<Calendar, "readChanges">,
  atMs: number,
  { fromMs, toMs }: Window,
): Promise<PastCalendar | number | null> {
  // Twins are found among the events of a minute.
  const window = { fromMs: fromMs - MINUTE_MS, toMs: toMs + MINUTE_MS };
  const { firstMs, events } = await readEventsAt(pool, atMs, window);
  if (firstMs === null || firstMs > atMs) return firstMs;
  const byId = new Map<string, Entry>();
  const entries = applyChanges([], byId, events);
  return {
    events: entries,
    revision: 0,
    find: (id) => byId.get(id),
    query: (query) => queryEvents(entries, query),
    async readChanges(ids) {
      const known = (changes: readonly RecordedChange[]) => changes.filter((change) => change.atMs <= atMs);
      return new Map(Array.from(await calendar.readChanges(ids), ([id, changes]) => [id, known(changes)]));
    },
  };
}

/** The whole calendar at a moment, with what does not change with time. */
export type WholePastCalendar = PastCalendar & Pick<Calendar, "readSeriesAbout">;

interface Kept {
  /** The calendar is the same in [fromMs, untilMs). */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly calendar: WholePastCalendar;
}

/** Calendars in memory: some ten megabytes each. */
const MOST_KEPT = 2;
const ALWAYS: Window = { fromMs: -Infinity, toMs: Infinity };

/** Reads whole calendars of the past, for pages: the seconds between two changes share one. */
export class PastCalendars {
  readonly #pool: Pool;
  readonly #calendar: Pick<Calendar, "readChanges" | "readSeriesAbout">;
  /** The newest last. */
  #kept: readonly Kept[] = [];
  #read = 0;

  constructor(pool: Pool, calendar: Pick<Calendar, "readChanges" | "readSeriesAbout">) {
    this.#pool = pool;
    this.#calendar = calendar;
  }

  /** Like `readPastCalendar`, of all events. */
  async open(atMs: number): Promise<WholePastCalendar | number | null> {
    const known = this.#kept.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
    if (known !== undefined) return known.calendar;
    const untilMs = await readNextChange(this.#pool, atMs);
    const read = await readPastCalendar(this.#pool, this.#calendar, atMs, ALWAYS);
    if (read === null || typeof read === "number") return read;
    // Pages ask whether they have the newest revision. Those of the present are positive.
    const revision = -++this.#read;
    const calendar = { ...read, revision, readSeriesAbout: this.#calendar.readSeriesAbout };
    this.#kept = [...this.#kept, { fromMs: atMs, untilMs, calendar }].slice(-MOST_KEPT);
    return calendar;
  }
}
