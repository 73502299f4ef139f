import type { Pool } from "pg";
import type { Dataset } from "@/lib/export/dataset";
import { type Column, RowList } from "@/lib/export/table";
import type { DataMode } from "@/lib/market/bar";
import { DAY_MS } from "@/lib/time/units";

/** The economic calendar as two tables: its events as they are now, and every change that was recorded of them. */

/** A month has some thousand events. */
const STEP_MS = 32 * DAY_MS;
const toMs = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

const EVENT_COLUMNS: readonly Column[] = [
  { name: "id", type: "text", about: "The event, as /v1/calendar names it." },
  { name: "time", type: "time", about: "When it is released, UTC." },
  { name: "currency", type: "text", about: "The currency that it is about." },
  { name: "event", type: "text", about: "Its title." },
  { name: "impact", type: "text", about: "high, medium or low." },
  { name: "forecast", type: "text", about: "As its publisher writes it, with its unit; empty without one." },
  { name: "previous", type: "text", about: "The value of the release before it." },
  {
    name: "revised",
    type: "text",
    optional: true,
    about: "What the previous value was revised to; null if it was not.",
  },
  { name: "actual", type: "text", optional: true, about: "The released value; null before the release." },
  { name: "source", type: "text", about: "primary or secondary." },
  { name: "series_id", type: "text", optional: true, about: "The series of a primary event." },
  { name: "certainty", type: "text", about: "exact, tentative or all_day." },
  { name: "provider", type: "text", about: "The publisher, or the name of the import." },
  { name: "first_seen", type: "instant", about: "When it was first reported, UTC." },
  {
    name: "withdrawn",
    type: "instant",
    optional: true,
    about: "When its publisher stopped to list it; null if it is listed.",
  },
];

interface EventRow {
  readonly id: string;
  readonly time: number;
  readonly currency: string;
  readonly event: string;
  readonly impact: string;
  readonly forecast: string;
  readonly previous: string;
  readonly revised: string | null;
  readonly actual: string | null;
  readonly source: string;
  readonly series_id: string | null;
  readonly certainty: string;
  readonly provider: string;
  readonly first_seen: number;
  readonly withdrawn: number | null;
}

/** Facts that both tables share. */
const COMMON = {
  resolution: "event",
  stepMs: STEP_MS,
  reaches: "future",
  leastGapMs: null,
  getEnd: (timeMs: number) => timeMs,
  listSymbols: null,
} as const;

export const CALENDAR_KINDS = ["calendar", "calendar_revisions"] as const;
export type CalendarKind = (typeof CALENDAR_KINDS)[number];

/** @param withActual whether the events have their released figures, and the changes those of them */
export function createCalendarDataset(kind: CalendarKind, withActual = true): Dataset {
  return kind === "calendar" ? createEvents(withActual) : createRevisions(withActual);
}

const createEvents = (withActual: boolean): Dataset => ({
  ...COMMON,
  name: "calendar",
  columns: EVENT_COLUMNS,
  findSpan: (pool) => findSpan(pool, "FROM calendar_event"),
  async read(pool, _symbol, range) {
    const { rows } = await pool.query<EventRow>(
      `SELECT id, ${toMs("time")} AS time, currency, title AS event, impact, forecast, previous, revised, actual,
              stream AS source, series_id, certainty, provider, ${toMs("first_seen_at")} AS first_seen,
              ${toMs("withdrawn_at")} AS withdrawn
         FROM calendar_event
        WHERE time >= to_timestamp($1::float8) AND time < to_timestamp($2::float8)
        ORDER BY calendar_event.time, id COLLATE "C"`,
      [range.fromMs / 1_000, range.toMs / 1_000],
    );
    const list = new RowList(EVENT_COLUMNS);
    for (const row of rows) {
      const actual = withActual ? row.actual : null;
      const cells = { ...row, actual, withdrawn: row.withdrawn ?? NaN };
      list.add(...EVENT_COLUMNS.map(({ name }) => cells[name as keyof EventRow]));
    }
    return list.build();
  },
});

const REVISION_COLUMNS: readonly Column[] = [
  { name: "event_id", type: "text", about: "The event that changed: id in the table of events." },
  { name: "event_time", type: "time", about: "When that event is released, as it is known now." },
  { name: "at", type: "instant", about: "When the change was received, UTC." },
  { name: "field", type: "text", about: "The field that changed, such as forecast, actual or time." },
  { name: "before", type: "text", optional: true, about: "Its value before; null for none." },
  { name: "after", type: "text", optional: true, about: "Its value from then on; null for none." },
  { name: "origin", type: "text", about: "The address, terminal or file that reported it." },
];

interface RevisionRow {
  readonly event_id: string;
  readonly event_time: number;
  readonly at: number;
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly origin: string;
}

/** The changes of the events of a range, by the time of their events. */
const createRevisions = (withActual: boolean): Dataset => ({
  ...COMMON,
  name: "calendar_revisions",
  columns: REVISION_COLUMNS,
  findSpan: (pool) =>
    findSpan(pool, "FROM calendar_event WHERE EXISTS (SELECT FROM calendar_change WHERE event_id = calendar_event.id)"),
  async read(pool, _symbol, range) {
    const { rows } = await pool.query<RevisionRow>(
      `SELECT event_id, ${toMs("event.time")} AS event_time, ${toMs("change.at")} AS at, field, before, after, origin
         FROM calendar_change AS change JOIN calendar_event AS event ON event.id = event_id
        WHERE event.time >= to_timestamp($1::float8) AND event.time < to_timestamp($2::float8)
        ORDER BY event.time, event_id COLLATE "C", change.id`,
      [range.fromMs / 1_000, range.toMs / 1_000],
    );
    const list = new RowList(REVISION_COLUMNS);
    for (const row of rows) {
      if (row.field === "actual" && !withActual) continue;
      list.add(...REVISION_COLUMNS.map(({ name }) => row[name as keyof RevisionRow]));
    }
    return list.build();
  },
});

async function findSpan(pool: Pool, from: string) {
  const { rows } = await pool.query<{ first: number | null; last: number | null }>(
    `SELECT min(${toMs("time")}) AS first, max(${toMs("time")}) AS last ${from}`,
  );
  const { first = null, last = null } = rows[0] ?? {};
  return first === null || last === null ? null : { firstMs: first, lastMs: last };
}

/** The data mode of the events of a span: simulated if any of them is. */
export async function findCalendarMode(pool: Pool, fromMs: number, toMs: number): Promise<DataMode> {
  const { rowCount } = await pool.query(
    `SELECT FROM calendar_event
      WHERE provider = 'simulated' AND time >= to_timestamp($1::float8) AND time < to_timestamp($2::float8) LIMIT 1`,
    [fromMs / 1_000, toMs / 1_000],
  );
  return rowCount === 0 ? "live" : "simulated";
}
