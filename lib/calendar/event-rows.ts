import type { Pool } from "pg";
import type { CalendarEvent, FieldChange } from "@/lib/calendar/event";
import { EVENT_COLUMNS } from "@/lib/calendar/event-columns";
import { MINUTE_MS } from "@/lib/time/units";

/** Reads the calendar with the driver directly, because both processes poll several times a second. */

/** The revision of the latest committed change; 0 before the first. */
export async function readCalendarRevision(pool: Pool): Promise<bigint> {
  const { rows } = await pool.query<{ value: string }>("SELECT value FROM calendar_revision WHERE id = 1");
  return BigInt(rows[0]?.value ?? 0);
}

const PAGE_ROWS = 20_000;

/** Reads every row that changed after revision `since`, one page at a time. */
export async function* readChangedEvents(pool: Pool, since: bigint): AsyncGenerator<CalendarEvent[]> {
  let lastId = "";
  for (;;) {
    const { rows } = await pool.query<CalendarEvent>({
      text: `SELECT ${EVENT_COLUMNS} FROM calendar_event
              WHERE revision > $1 AND id > $2 ORDER BY id LIMIT ${PAGE_ROWS}`,
      values: [String(since), lastId],
      query_timeout: MINUTE_MS,
    } as { text: string; values: string[] });
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) return;
    lastId = rows.at(-1)?.id ?? "";
  }
}

export interface RecordedChange extends FieldChange {
  /** UTC milliseconds. */
  readonly atMs: number;
  readonly origin: string;
}

/** Reads the recorded changes of some rows, oldest first, by row id. */
export async function readChanges(pool: Pool, ids: readonly string[]): Promise<Map<string, RecordedChange[]>> {
  const { rows } = await pool.query<RecordedChange & { id: string }>(
    `SELECT event_id AS id, (extract(epoch FROM at) * 1000)::float8 AS "atMs", origin, field, before, after
       FROM calendar_change WHERE event_id = ANY($1) ORDER BY calendar_change.id`,
    [ids],
  );
  const changes = new Map<string, RecordedChange[]>();
  for (const { id, ...change } of rows) {
    const list = changes.get(id);
    if (list === undefined) changes.set(id, [change]);
    else list.push(change);
  }
  return changes;
}

/** How often a row has changed since its creation, and when it last changed. */
export interface Edition {
  /** Reports that changed the row. A report counts once, even if it changed several fields. */
  readonly changes: number;
  /** UTC milliseconds: the latest change, or the creation if there was none. */
  readonly atMs: number;
}

/** Reads the editions of some rows, by row id. Changes of `ignoredFields` do not count. */
export async function readEditions(
  pool: Pool,
  ids: readonly string[],
  ignoredFields: readonly string[],
): Promise<Map<string, Edition>> {
  const { rows } = await pool.query<Edition & { id: string }>(
    `SELECT event.id, count(DISTINCT change.at)::int AS changes,
            (extract(epoch FROM coalesce(max(change.at), event.first_seen_at)) * 1000)::float8 AS "atMs"
       FROM calendar_event event
       LEFT JOIN calendar_change change ON change.event_id = event.id AND change.field <> ALL($2)
      WHERE event.id = ANY($1) GROUP BY event.id`,
    [ids, ignoredFields],
  );
  return new Map(rows.map(({ id, ...edition }) => [id, edition]));
}
