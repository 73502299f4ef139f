import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Pool, PoolClient } from "pg";
import { MAX_VARINT_BYTES, readVarint, writeVarint } from "@/lib/history/block";
import { MINUTES_PER_HOUR } from "@/lib/history/hour-columns";
import { fromStoredDigits, isNarrow, toPriceColumns, toStoredDigits } from "@/lib/history/points";
import { type Histogram, rollUpMinutes, type SpreadHour, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";

/** Hours of spreads in the database: written in bulk, by raw SQL with `unnest`. */

/** A stored hour: its roll-up, and its minutes still encoded if they were requested. */
export interface StoredHour {
  readonly source: string;
  readonly hourMs: number;
  /** The digits of the points in both. */
  readonly digits: number;
  readonly rollup: SpreadRollup;
  readonly minutes: Uint8Array | null;
}

/** Hours encoded before the event loop continues: deflating all of them at once would delay answers. */
const HOURS_PER_TURN = 20;

/** An hour as its row has it. */
interface EncodedHour {
  readonly hour: SpreadHour;
  readonly rollup: SpreadRollup;
  readonly minutes: Uint8Array;
}

/** Writes hours, replacing existing ones; hours without a sample are left out. Writing again changes nothing. */
export async function writeSpreadHours(client: PoolClient, hours: readonly SpreadHour[]): Promise<void> {
  await writeEncodedHours(client, await encodeSpreadHours(hours));
}

/** Adds the hours that are not stored yet. A stored hour stays as it is. */
export async function addMissingSpreadHours(client: PoolClient, hours: readonly SpreadHour[]): Promise<void> {
  await insertHours(client, await encodeSpreadHours(hours), "DO NOTHING");
}

/** Encodes hours; those without a sample are left out. */
export async function encodeSpreadHours(hours: readonly SpreadHour[]): Promise<EncodedHour[]> {
  const rows: EncodedHour[] = [];
  for (const [index, hour] of hours.entries()) {
    if (index % HOURS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    // An hour that is being filled builds them at each access.
    const { minutes } = hour;
    const rollup = rollUpMinutes(minutes, hour.digits);
    if (rollup.n > 0) rows.push({ hour, rollup, minutes: encodeMinutes(minutes) });
  }
  return rows;
}

/** Writes hours, replacing existing ones. */
export async function writeEncodedHours(client: PoolClient, rows: readonly EncodedHour[]): Promise<void> {
  await insertHours(
    client,
    rows,
    `DO UPDATE SET n = excluded.n, sum = excluded.sum, sum_squares = excluded.sum_squares, min = excluded.min,
                   max = excluded.max, minutes = excluded.minutes, digits = excluded.digits, wide = excluded.wide
      WHERE (spread_hour.minutes, spread_hour.digits) IS DISTINCT FROM (excluded.minutes, excluded.digits)`,
  );
}

async function insertHours(client: PoolClient, rows: readonly EncodedHour[], onConflict: string): Promise<void> {
  if (rows.length === 0) return;
  const columns = toPriceColumns(
    rows.map(({ hour: { symbol }, rollup: { digits, min, max } }) => toStoredRange(symbol, digits, [min, max])),
  );
  await client.query(
    `INSERT INTO spread_hour (symbol, source, hour, n, sum, sum_squares, minutes, digits, wide, min, max)
     SELECT symbol, source, to_timestamp(hour_ms / 1000), n, sum, sum_squares, minutes, digits, wide::int8[], min, max
       FROM unnest($1::text[], $2::text[], $3::float8[], $4::int4[], $5::int8[], $6::numeric[], $7::bytea[], $8::int2[],
                   $9::text[], $10::int4[], $11::int4[])
            AS row (symbol, source, hour_ms, n, sum, sum_squares, minutes, digits, wide, min, max)
      ORDER BY symbol, source, hour_ms
     ON CONFLICT (symbol, source, hour) ${onConflict}`,
    [
      rows.map(({ hour }) => hour.symbol),
      rows.map(({ hour }) => hour.source),
      rows.map(({ hour }) => hour.hourMs),
      rows.map(({ rollup }) => rollup.n),
      rows.map(({ rollup }) => String(rollup.sum)),
      rows.map(({ rollup }) => String(rollup.sumSquares)),
      rows.map(({ minutes }) => Buffer.from(minutes)),
      columns.digits,
      columns.wide,
      ...columns.prices,
    ],
  );
}

/** The digits must stay those of the minutes. */
function toStoredRange(symbol: string, digits: number, range: readonly number[]) {
  const isWide = !range.every(isNarrow);
  const wide = isWide ? `{${range.join()}}` : null;
  return { digits: toStoredDigits(symbol, digits), prices: isWide ? range.map(() => 0) : range, wide };
}

interface HoursQuery {
  readonly symbol: string;
  /** The served quotes, or every source's own. */
  readonly kind: "served" | "sources";
  readonly fromMs: number;
  /** The time from which the minutes are read as well. */
  readonly minutesFromMs: number;
  /** Hours from this moment on are left out. */
  readonly untilMs?: number;
}

/** One symbol's stored hours from `fromMs` on, oldest first. */
export async function readSpreadHours(pool: Pool, query: HoursQuery): Promise<StoredHour[]> {
  const { rows } = await pool.query<HourRow>(
    `SELECT source, extract(epoch FROM hour)::float8 * 1000 AS "hourMs", n, sum::text AS sum,
            sum_squares::text AS "sumSquares", digits, coalesce(wide[1], min)::float8 AS min,
            coalesce(wide[2], max)::float8 AS max,
            CASE WHEN hour >= to_timestamp($3::float8 / 1000) THEN minutes END AS minutes
       FROM spread_hour
      WHERE symbol = $1 AND source ${query.kind === "served" ? "=" : ">"} '' AND hour >= to_timestamp($2::float8 / 1000)
        AND hour < to_timestamp($4::float8 / 1000)
      ORDER BY hour`,
    [query.symbol, query.fromMs, query.minutesFromMs, query.untilMs ?? Infinity],
  );
  return rows.map(({ source, hourMs, n, sum, sumSquares, min, max, minutes, ...row }) => {
    const digits = fromStoredDigits(query.symbol, row.digits);
    const rollup = { digits, n, sum: BigInt(sum), sumSquares: BigInt(sumSquares), min, max };
    return { source, hourMs, digits, rollup, minutes };
  });
}

/** Reads some of one symbol's stored hours of served quotes: the minutes of each hour, oldest first. */
export async function readServedMinutes(pool: Pool, symbol: string, hoursMs: readonly number[]) {
  const { rows } = await pool.query<{ hourMs: number; digits: number | null; minutes: Buffer }>(
    `SELECT extract(epoch FROM hour)::float8 * 1000 AS "hourMs", digits, minutes FROM spread_hour
      WHERE symbol = $1 AND source = '' AND hour IN (SELECT to_timestamp(ms / 1000) FROM unnest($2::float8[]) AS ms)
      ORDER BY hour`,
    [symbol, hoursMs],
  );
  return rows.map((row) => ({ ...row, digits: fromStoredDigits(symbol, row.digits) }));
}

interface HourRow {
  readonly source: string;
  readonly hourMs: number;
  readonly n: number;
  readonly sum: string;
  readonly sumSquares: string;
  readonly digits: number | null;
  readonly min: number;
  readonly max: number;
  readonly minutes: Buffer | null;
}

/** The hours of many symbols and sources from `fromMs` on, which a process that starts within an hour continues. */
export async function readRecentHours(
  pool: Pool,
  { symbols, sources, fromMs }: { symbols: readonly string[]; sources: readonly string[]; fromMs: number },
): Promise<SpreadHour[]> {
  const { rows } = await pool.query<
    Omit<SpreadHour, "minutes" | "digits"> & { digits: number | null; minutes: Buffer }
  >(
    `SELECT symbol, source, recent.*
       FROM unnest($1::text[]) AS symbol, unnest($2::text[]) AS source, LATERAL (
              SELECT extract(epoch FROM hour)::float8 * 1000 AS "hourMs", digits, minutes FROM spread_hour
               WHERE spread_hour.symbol = symbol.symbol AND spread_hour.source = source.source
                 AND hour >= to_timestamp($3::float8 / 1000)
            ) AS recent`,
    [symbols, sources, fromMs],
  );
  return rows.map((row) => ({
    ...row,
    digits: fromStoredDigits(row.symbol, row.digits),
    minutes: decodeMinutes(row.minutes),
  }));
}

/**
 * Encodes an hour's sixty histograms: for each minute the number of different spreads, then for each spread its distance
 * from the one below and its samples. All are variable-length integers, deflated: about a kilobyte per hour.
 */
export function encodeMinutes(minutes: readonly Histogram[]): Uint8Array {
  const most = minutes.reduce((sum, { size }) => sum + 1 + 2 * size, 0);
  const bytes = Buffer.allocUnsafe(MAX_VARINT_BYTES * most);
  let at = 0;
  for (const histogram of minutes) {
    at = writeVarint(bytes, at, histogram.size);
    let below = 0;
    for (const [spread, samples] of [...histogram].sort(([one], [other]) => one - other)) {
      at = writeVarint(bytes, at, spread - below);
      at = writeVarint(bytes, at, samples);
      below = spread;
    }
  }
  return deflateRawSync(bytes.subarray(0, at));
}

/** Decodes the bytes of `encodeMinutes`. Throws an Error for any other bytes. */
export function decodeMinutes(deflated: Uint8Array): Histogram[] {
  const reader = { payload: inflateRawSync(deflated), at: 0 };
  return Array.from({ length: MINUTES_PER_HOUR }, () => {
    const histogram = new Map<number, number>();
    let spread = 0;
    for (let left = readVarint(reader); left > 0; left--) {
      spread += readVarint(reader);
      histogram.set(spread, readVarint(reader));
    }
    return histogram;
  });
}
