import type { PoolClient } from "pg";
import { PACKED_BARS, unpackBars } from "@/lib/history/bars/read-bars";
import { toRecordedTicks } from "@/lib/history/import/compose-hour";
import { type HourPart, type PackedPart, RECORDED, TICKS, unpackPart } from "@/lib/history/import/hour-parts";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";
import { decodeHour } from "@/lib/history/ticks/hour-block";
import { HOUR_MS } from "@/lib/time/units";

/** The parts of hours in the database. Hours are counted since 1970. */

/** Runs a statement that may take longer than a read. */
export async function query<Row extends object>(client: PoolClient, text: string, values: unknown[]): Promise<Row[]> {
  const statement = { text, values, query_timeout: HOUR_WORK_TIMEOUT_MS };
  const { rows } = await client.query<Row>(statement);
  return rows;
}

interface PartRow extends PackedPart {
  readonly hour: number;
}

/** The stored parts of each hour that has any. */
export async function readParts(
  client: PoolClient,
  symbol: string,
  hours: readonly number[],
): Promise<Map<number, PackedPart[]>> {
  const rows = await query<PartRow>(
    client,
    "SELECT hour, timeframe, source, block FROM import_hour WHERE symbol = $1 AND hour = ANY ($2::int4[])",
    [symbol, hours],
  );
  const found = new Map<number, PackedPart[]>();
  for (const { hour, ...part } of rows) {
    const parts = found.get(hour);
    if (parts === undefined) found.set(hour, [part]);
    else parts.push(part);
  }
  return found;
}

export async function writeParts(
  client: PoolClient,
  symbol: string,
  parts: readonly (PackedPart & { readonly hour: number })[],
): Promise<void> {
  if (parts.length === 0) return;
  await query(
    client,
    `INSERT INTO import_hour (symbol, hour, timeframe, source, block)
     SELECT $1, * FROM unnest($2::int4[], $3::int2[], $4::text[], $5::bytea[])
     ON CONFLICT (symbol, hour, timeframe, source) DO UPDATE SET block = excluded.block`,
    [
      symbol,
      parts.map(({ hour }) => hour),
      parts.map(({ timeframe }) => timeframe),
      parts.map(({ source }) => source),
      parts.map(({ block }) => block),
    ],
  );
}

/** The hours of these that the recorder has closed. */
export async function readClosed(client: PoolClient, hours: readonly number[]): Promise<Set<number>> {
  const rows = await query<{ hour: number }>(
    client,
    "SELECT second / 3600 AS hour FROM closed_hour WHERE second = ANY ($1::int4[])",
    [hours.map((hour) => hour * 3_600)],
  );
  return new Set(rows.map(({ hour }) => hour));
}

/** The hours of the journal: the recorder is still filling them. */
export async function readOpen(client: PoolClient): Promise<Set<number>> {
  const rows = await query<{ second: string }>(
    client,
    `SELECT substring(relname FROM '\\d+$') AS second FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'tick_second'::regclass`,
    [],
  );
  return new Set(rows.map(({ second }) => Number(second) / 3_600));
}

/** What the recorder has stored of these hours, as parts. */
export async function readRecorded(
  client: PoolClient,
  symbol: string,
  hours: readonly number[],
): Promise<Map<number, HourPart[]>> {
  const found = new Map<number, HourPart[]>();
  if (hours.length === 0) return found;
  const add = (hour: number, part: HourPart) => found.set(hour, [...(found.get(hour) ?? []), part]);
  const blocks = await query<{ hour: number; block: Buffer }>(
    client,
    "SELECT hour, block FROM tick_hour WHERE symbol = $1 AND hour = ANY ($2::int4[])",
    [symbol, hours],
  );
  for (const { hour, block } of blocks) {
    add(hour, { source: RECORDED, timeframe: TICKS, ticks: toRecordedTicks(decodeHour(block)) });
  }
  const bars = await query<{ hour: number; timeframe: number; bars: Buffer }>(
    client,
    `SELECT time / 3600 AS hour, timeframe, ${PACKED_BARS} AS bars FROM bar
      WHERE symbol = $1 AND timeframe = ANY (ARRAY[1, 5, 15, 30, 60]::int2[]) AND time >= $3::int4 AND time < $4::int4
        AND time / 3600 = ANY ($2::int4[])
      GROUP BY time / 3600, timeframe`,
    [symbol, hours, Math.min(...hours) * 3_600, (Math.max(...hours) + 1) * 3_600],
  );
  for (const row of bars) {
    add(row.hour, { source: RECORDED, timeframe: row.timeframe, bars: unpackBars(row.bars) });
  }
  return found;
}

/** Unpacks the parts of an hour. */
export function unpackParts(parts: readonly PackedPart[], hour: number): HourPart[] {
  return parts.map((part) => unpackPart(part, hour * HOUR_MS));
}
