import {
  type Edition,
  readCalendarRevision,
  readChangedEvents,
  readChanges,
  readEditions,
  type RecordedChange,
} from "@/lib/calendar/event-rows";
import { type EventPage, type EventQuery, queryEvents } from "@/lib/calendar/query-events";
import { type Entry, applyChanges } from "@/lib/calendar/sorted-events";
import type { Database } from "@/lib/platform/database";
import type { Logger } from "@/lib/platform/log";
import { repeat, shareRuns } from "@/lib/platform/repetition";

/**
 * The whole calendar in memory, sorted, so that answering touches no database. It follows the database by revision,
 * like the directory of keys: whoever writes an event, all servers and their pages show it within half a second.
 */
export interface Calendar {
  query(query: EventQuery): EventPage;
  find(id: string): Entry | undefined;
  /** What became of some rows since they were first seen, oldest first, by the row's id. Asks the database. */
  readChanges(ids: readonly string[]): Promise<ReadonlyMap<string, readonly RecordedChange[]>>;
  /** Which edition of each row this is, by the row's id; changes of `unseen` fields count for nothing. Asks the database. */
  readEditions(ids: readonly string[], unseen: readonly string[]): Promise<ReadonlyMap<string, Edition>>;
  /** All events that are shown, by time. The array is replaced, never changed. */
  readonly events: readonly Entry[];
  /** Raised with every change: what was made of the events may be kept under it. */
  readonly revision: number;
  /** Resolves once everything committed before this call is known here. */
  refresh(): Promise<void>;
  start(): Promise<void>;
  stop(): void;
}

interface Options {
  readonly log: Logger;
  readonly pollMs?: number;
}

const nothingYet = -1n;

export function createCalendar({ pool }: Pick<Database, "pool">, { log, pollMs = 400 }: Options): Calendar {
  let events: readonly Entry[] = [];
  let byId = new Map<string, Entry>();
  let known = nothingYet;
  let revision = 0;

  async function load(): Promise<void> {
    const latest = await readCalendarRevision(pool);
    if (latest === known) return;
    // A database put back from a backup has forgotten revisions: what is known of them is wrong, so start over.
    const startOver = latest < known;
    const changed = [];
    for await (const rows of readChangedEvents(pool, startOver ? nothingYet : known)) changed.push(...rows);
    if (changed.length === 0 && !startOver) return void (known = latest);
    if (startOver) byId = new Map();
    events = applyChanges(startOver ? [] : events, byId, changed);
    known = latest;
    revision++;
  }

  const refresh = shareRuns(load);
  const following = repeat(refresh, {
    pauseMs: pollMs,
    onLost: (error) => log.error({ err: error }, "the calendar cannot be read; serving what is known"),
    onBack: () => log.info("the calendar can be read again"),
  });

  return {
    query: (query) => queryEvents(events, query),
    find: (id) => byId.get(id),
    readChanges: (ids) => readChanges(pool, ids),
    readEditions: (ids, unseen) => readEditions(pool, ids, unseen),
    get events() {
      return events;
    },
    get revision() {
      return revision;
    },
    refresh,
    async start() {
      await refresh();
      following.start();
    },
    stop: following.stop,
  };
}
