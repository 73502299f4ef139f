import type { Pool } from "pg";
import type { CalendarEvent, FieldChange } from "@/lib/calendar/event";
import { MINUTE_MS } from "@/lib/time/units";

/** The calendar as it is read to be followed, straight from the driver: both processes ask several times a second. */

/** The revision of the latest committed change; 0 before the first. */
export async function readCalendarRevision(pool: Pool): Promise<bigint> {
  const { rows } = await pool.query<{ value: string }>("SELECT value FROM calendar_revision WHERE id = 1");
  return BigInt(rows[0]?.value ?? 0);
}

const PAGE_ROWS = 20_000;

/** Every row that has changed after revision `since`, a page at a time. */
export async function* readChangedEvents(pool: Pool, since: bigint): AsyncGenerator<CalendarEvent[]> {
  let lastId = "";
  for (;;) {
    const { rows } = await pool.query<CalendarEvent>({
      text: `SELECT id, stream, provider, key, (extract(epoch FROM time) * 1000)::float8 AS "timeMs", zone, certainty,
                    currency, title, impact, forecast, previous, revised, actual, series_id AS "seriesId",
                    withdrawn_at IS NOT NULL AS withdrawn
               FROM calendar_event WHERE revision > $1 AND id > $2 ORDER BY id LIMIT ${PAGE_ROWS}`,
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

/** What became of some rows since they were first seen, oldest first, by the row's id. */
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

/** How often a row has become another one since it was first heard of, and when last. */
export interface Edition {
  /** Reports that changed it; one counts once, however many fields it changed. */
  readonly changes: number;
  /** UTC milliseconds: of the latest change, else of when it was first heard of. */
  readonly atMs: number;
}

/** The edition of each of some rows, by the row's id. A change of a field in `unseen` counts for nothing. */
export async function readEditions(
  pool: Pool,
  ids: readonly string[],
  unseen: readonly string[],
): Promise<Map<string, Edition>> {
  const { rows } = await pool.query<Edition & { id: string }>(
    `SELECT event.id, count(DISTINCT change.at)::int AS changes,
            (extract(epoch FROM coalesce(max(change.at), event.first_seen_at)) * 1000)::float8 AS "atMs"
       FROM calendar_event event
       LEFT JOIN calendar_change change ON change.event_id = event.id AND change.field <> ALL($2)
      WHERE event.id = ANY($1) GROUP BY event.id`,
    [ids, unseen],
  );
  return new Map(rows.map(({ id, ...edition }) => [id, edition]));
}
