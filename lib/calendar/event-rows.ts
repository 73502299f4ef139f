import type { Pool } from "pg";
import type { CalendarEvent, FieldChange } from "@/lib/calendar/event";
import { MINUTE_MS } from "@/lib/time/units";
import type { CalendarEvent as EventRow } from "@/prisma/generated/client";

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

/**
 * Reads the events that were in a window at a moment, as they were then, and the moment of the first report of any; null
 * without one. All are UTC milliseconds; both ends of the window are inclusive.
 */
export async function readEventsAt(
  pool: Pool,
  atMs: number,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<{ readonly firstMs: number | null; readonly events: readonly CalendarEvent[] }> {
  const first = await pool.query<{ firstMs: number | null }>(
    `SELECT (extract(epoch FROM min(first_seen_at)) * 1000)::float8 AS "firstMs" FROM calendar_event`,
  );
  const { rows } = await pool.query<CalendarEvent & { undone: Undone[] | null }>({
    text: `SELECT ${EVENT_COLUMNS},
                  (SELECT json_agg(json_build_array(field, before) ORDER BY later.id DESC) FROM calendar_change later
                    WHERE later.event_id = calendar_event.id AND later.at > to_timestamp($1::float8 / 1000)) AS undone
             FROM calendar_event
            WHERE first_seen_at <= to_timestamp($1::float8 / 1000)
              AND (time BETWEEN to_timestamp($2::float8 / 1000) AND to_timestamp($3::float8 / 1000)
                   OR id IN (SELECT event_id FROM calendar_change
                              WHERE field = 'time' AND at > to_timestamp($1::float8 / 1000)))`,
    values: [atMs, fromMs, toMs],
    query_timeout: MINUTE_MS,
  } as { text: string; values: number[] });
  const events = rows.map(({ undone, ...row }) => (undone ?? []).reduce(undoChange, row as CalendarEvent));
  return { firstMs: first.rows[0]?.firstMs ?? null, events };
}

/** A figure as it was released or corrected. */
export interface PastRelease {
  /** When it was received, UTC milliseconds. */
  readonly atMs: number;
  /** The event as it was then. */
  readonly event: CalendarEvent;
}

/** Reads the figures of the primary stream that were received in (afterMs, untilMs], UTC milliseconds, oldest first. */
export async function readReleases(pool: Pool, afterMs: number, untilMs: number): Promise<PastRelease[]> {
  const { rows } = await pool.query<CalendarEvent & { atMs: number; undone: Undone[] | null }>({
    text: `SELECT ${EVENT_COLUMNS}, (extract(epoch FROM received.at) * 1000)::float8 AS "atMs",
                  (SELECT json_agg(json_build_array(field, before) ORDER BY later.id DESC) FROM calendar_change later
                    WHERE later.event_id = calendar_event.id AND later.at > received.at) AS undone
             FROM (SELECT event_id, at FROM calendar_change WHERE field = 'actual' AND after <> ''
                   UNION SELECT id, first_seen_at FROM calendar_event) AS received (event_id, at)
             JOIN calendar_event ON calendar_event.id = received.event_id
            WHERE received.at > to_timestamp($1::float8 / 1000) AND received.at <= to_timestamp($2::float8 / 1000)
              AND stream = 'primary'
            ORDER BY received.at, calendar_event.id`,
    values: [afterMs, untilMs],
    query_timeout: MINUTE_MS,
  } as { text: string; values: number[] });
  return rows
    .map(({ atMs, undone, ...row }) => ({ atMs, event: (undone ?? []).reduce(undoChange, row as CalendarEvent) }))
    .filter(({ event }) => !event.withdrawn && event.actual !== null && event.actual !== "");
}

/** When the calendar changed next after a moment, as far as it has: else now. UTC milliseconds. */
export async function readNextChange(pool: Pool, atMs: number): Promise<number> {
  const { rows } = await pool.query<{ nextMs: number }>(
    `SELECT (extract(epoch FROM least(
              (SELECT min(first_seen_at) FROM calendar_event WHERE first_seen_at > to_timestamp($1::float8 / 1000)),
              (SELECT min(at) FROM calendar_change WHERE at > to_timestamp($1::float8 / 1000)),
              now())) * 1000)::float8 AS "nextMs"`,
    [atMs],
  );
  return rows[0]?.nextMs ?? atMs;
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

/** The mapping between an event's fields and its columns. */

/** The columns of an event, for a SELECT whose rows are CalendarEvents. */
const EVENT_COLUMNS = `id, stream, provider, key, (extract(epoch FROM time) * 1000)::float8 AS "timeMs", zone,
  certainty, currency, title, impact, forecast, previous, revised, actual, series_id AS "seriesId",
  withdrawn_at IS NOT NULL AS withdrawn`;

/** The columns that a report may change. */
export function toColumns(event: Omit<CalendarEvent, "id" | "stream" | "provider" | "key" | "withdrawn">) {
  return {
    time: new Date(event.timeMs),
    zone: event.zone,
    certainty: event.certainty,
    currency: event.currency,
    title: event.title,
    impact: event.impact,
    forecast: event.forecast,
    previous: event.previous,
    revised: event.revised,
    actual: event.actual,
    seriesId: event.seriesId,
  };
}

export function fromRow(row: EventRow): CalendarEvent {
  return {
    id: row.id,
    stream: row.stream,
    provider: row.provider,
    key: row.key,
    timeMs: row.time.getTime(),
    zone: row.zone,
    certainty: row.certainty,
    currency: row.currency,
    title: row.title,
    impact: row.impact,
    forecast: row.forecast,
    previous: row.previous,
    revised: row.revised,
    actual: row.actual,
    seriesId: row.seriesId,
    withdrawn: row.withdrawnAt !== null,
  };
}

/** The fields whose changes are recorded, in the order in which they are listed: the name in a record and in an event. */
const RECORDED_FIELDS = Object.entries({
  time: "timeMs",
  zone: "zone",
  certainty: "certainty",
  currency: "currency",
  title: "title",
  impact: "impact",
  forecast: "forecast",
  previous: "previous",
  revised: "revised",
  actual: "actual",
  series: "seriesId",
  withdrawn: "withdrawn",
} as const satisfies Readonly<Record<string, keyof CalendarEvent>>);

/** Lists the fields that differ between two versions of a row, as text. */
export function listChanges(before: CalendarEvent, after: CalendarEvent): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const [field, name] of RECORDED_FIELDS) {
    if (before[name] === after[name]) continue;
    changes.push({ field, before: writeField(before, name), after: writeField(after, name) });
  }
  return changes;
}

type Undone = readonly [field: string, before: string | null];

/** The event before a change of one of its fields. */
function undoChange(event: CalendarEvent, [field, before]: Undone): CalendarEvent {
  const name = RECORDED_FIELDS.find(([recorded]) => recorded === field)?.[1];
  if (name === undefined) return event;
  if (name === "timeMs") return { ...event, timeMs: Date.parse(before ?? "") };
  return { ...event, [name]: name === "withdrawn" ? before === "true" : before };
}

function writeField(event: CalendarEvent, name: (typeof RECORDED_FIELDS)[number][1]): string | null {
  if (name === "timeMs") return new Date(event.timeMs).toISOString();
  return name === "withdrawn" ? String(event.withdrawn) : event[name];
}
