import type { SeriesAbout } from "@/lib/calendar/event";
import {
  type Edition,
  readCalendarRevision,
  readChangedEvents,
  readChanges,
  readEditions,
  type RecordedChange,
} from "@/lib/calendar/event-rows";
import { readSeriesAbout } from "@/lib/calendar/series";
import { applyChanges, type Entry, type EventPage, type EventQuery, queryEvents } from "@/lib/calendar/sorted-events";
import type { Database } from "@/lib/platform/database/database";
import { BEFORE_ALL, createUpdate, follow } from "@/lib/platform/database/revision";
import type { Logger } from "@/lib/platform/log/log";

/**
 * The whole calendar in memory, sorted, so that queries do not use the database. It polls the database's revision, like
 * the directory of keys: every server and its pages show a new event within half a second.
 */
export interface Calendar {
  query(query: EventQuery): EventPage;
  find(id: string): Entry | undefined;
  /** Reads the recorded changes of some rows from the database, oldest first, by row id. */
  readChanges(ids: readonly string[]): Promise<ReadonlyMap<string, readonly RecordedChange[]>>;
  /** Reads the editions of some rows from the database, by row id. Changes of `ignoredFields` do not count. */
  readEditions(ids: readonly string[], ignoredFields: readonly string[]): Promise<ReadonlyMap<string, Edition>>;
  /** Reads what sources said about a series from the database; null if none did. */
  readSeriesAbout(seriesId: string): Promise<SeriesAbout | null>;
  /** All visible events by time. A change replaces the array. */
  readonly events: readonly Entry[];
  /** Raised by every change. Callers use it as the key of their caches. */
  readonly revision: number;
  /** Resolves once everything committed before this call is loaded. */
  refresh(): Promise<void>;
  start(): Promise<void>;
  stop(): void;
}

interface Options {
  readonly log: Logger;
  readonly pollMs?: number;
}

export function createCalendar({ pool }: Pick<Database, "pool">, { log, pollMs = 400 }: Options): Calendar {
  let events: readonly Entry[] = [];
  let byId = new Map<string, Entry>();
  let revision = 0;

  async function load(since: bigint): Promise<void> {
    const changed = [];
    for await (const rows of readChangedEvents(pool, since)) changed.push(...rows);
    const isWhole = since === BEFORE_ALL;
    if (changed.length === 0 && (!isWhole || events.length === 0)) return;
    if (isWhole) byId = new Map();
    events = applyChanges(isWhole ? [] : events, byId, changed);
    revision++;
  }

  const update = createUpdate(() => readCalendarRevision(pool), load);
  const follower = follow(update, {
    pauseMs: pollMs,
    onFailure: (error) => log.error({ err: error }, "calendar read failed; serving the cached events"),
    onRecovery: () => log.info("calendar read recovered"),
  });

  return {
    query: (query) => queryEvents(events, query),
    find: (id) => byId.get(id),
    readChanges: (ids) => readChanges(pool, ids),
    readEditions: (ids, ignoredFields) => readEditions(pool, ids, ignoredFields),
    readSeriesAbout: (seriesId) => readSeriesAbout(pool, seriesId),
    get events() {
      return events;
    },
    get revision() {
      return revision;
    },
    ...follower,
  };
}
