import type { Pool, PoolClient } from "pg";
import { type SecondRow, SECONDS_PER_HOUR } from "@/lib/history/hour-columns";
import { PackedRows, packPrices, toPriceColumns, toStoredPrices } from "@/lib/history/points";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import { instruments, isBuiltIn } from "@/lib/market/catalog";

/**
 * The recorder's journal in the database: the seconds of the hours that are still filling. A row is absolute: writing
 * it twice changes nothing. A second only gains updates, so an older version that arrives late, for example from a
 * statement that timed out, cannot replace a newer one.
 */

/** The timeout of work on a whole hour or a backlog, which may take longer than a read. */
export const HOUR_WORK_TIMEOUT_MS = 30_000;

/**
 * Writes rows, each second at most once, in one atomic statement. Throws LeaseLost unless `fence` holds the lease.
 *
 * @param cause the number of what wrote them, if not the recorder: they replace nothing, and the recorder's replace them
 */
export async function appendSeconds(
  pool: Pool,
  fence: number,
  rows: readonly SecondRow[],
  cause: number | null = null,
): Promise<void> {
  const { prices, digits, wide } = toPriceColumns(rows.map(toStored));
  const query = {
    text: `WITH lease AS (SELECT FROM recorder_lease WHERE fence = $1 FOR KEY SHARE),
     written AS (
       INSERT INTO tick_second (symbol, second, updates, digits, wide, bid, ask, open, high, low, cause)
       SELECT symbol, second, updates, digits, wide::int8[], bid, ask, open, high, low, $12::int4
         FROM lease, unnest($2::text[], $3::int4[], $4::int4[], $5::int2[], $6::text[], $7::int4[], $8::int4[],
                            $9::int4[], $10::int4[], $11::int4[])
                     AS row (symbol, second, updates, digits, wide, bid, ask, open, high, low)
       ON CONFLICT (symbol, second) DO UPDATE
          SET bid = excluded.bid, ask = excluded.ask, open = excluded.open, high = excluded.high, low = excluded.low,
              updates = excluded.updates, digits = excluded.digits, wide = excluded.wide, cause = NULL
        WHERE excluded.cause IS NULL AND (tick_second.updates <= excluded.updates OR tick_second.cause IS NOT NULL))
     SELECT FROM lease`,
    values: [
      fence,
      rows.map(({ symbol }) => symbol),
      rows.map(({ second }) => second),
      rows.map(({ updates }) => updates),
      digits,
      wide,
      ...(rows.length === 0 ? PRICES.map(() => []) : prices),
      cause,
    ],
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  const { rowCount } = await pool.query(query);
  if (rowCount === 0) throw new LeaseLost();
}

const PRICES = ["bid", "ask", "open", "high", "low"] as const;

function toStored({ symbol, digits, bid, ask, open, high, low }: SecondRow) {
  return toStoredPrices(symbol, digits, [bid, ask, open, high, low]);
}

/** Creates the partition for an hour's rows if it does not exist. `hourMs` is in UTC milliseconds, as below. */
export async function openJournalHour(pool: Pool, hourMs: number): Promise<void> {
  const from = hourMs / 1000;
  const query = {
    text: `CREATE TABLE IF NOT EXISTS ${formatPartition(hourMs)} PARTITION OF tick_second
           FOR VALUES FROM (${from}) TO (${from + SECONDS_PER_HOUR})`,
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  await pool.query(query);
}

/**
 * Marks an hour as closed and removes its rows, inside the caller's transaction, after it has passed them to `onRows`, some
 * symbols at a time. Returns false, and does nothing, if the hour was closed before.
 */
export async function closeJournalHour(
  client: PoolClient,
  hourMs: number,
  onRows: (packed: readonly PackedSeconds[]) => Promise<void>,
): Promise<boolean> {
  const from = hourMs / 1000;
  const marked = await client.query("INSERT INTO closed_hour VALUES ($1) ON CONFLICT DO NOTHING", [from]);
  if (marked.rowCount === 0) return false;
  for await (const packed of readHour(client, from)) await onRows(packed);
  const query = { text: `DROP TABLE IF EXISTS ${formatPartition(hourMs)}`, query_timeout: HOUR_WORK_TIMEOUT_MS };
  await client.query(query);
  return true;
}

/** So many symbols are read at once. A busy hour of 160 symbols has 16 MB, and twice that as the text of a result. */
const SYMBOLS_AT_ONCE = 20;

async function* readHour(client: PoolClient, from: number): AsyncGenerator<PackedSeconds[]> {
  const hour = [from, from + SECONDS_PER_HOUR];
  const isInHour = "second >= $1 AND second < $2";
  const query = {
    text: `SELECT DISTINCT symbol FROM tick_second WHERE ${isInHour}`,
    values: hour,
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  const { rows } = await client.query<{ symbol: string }>(query);
  const symbols = rows.map(({ symbol }) => symbol);
  for (let first = 0; first < symbols.length; first += SYMBOLS_AT_ONCE) {
    const some = symbols.slice(first, first + SYMBOLS_AT_ONCE);
    yield await readPacked(client, `${isInHour} AND symbol = ANY ($3)`, [...hour, some]);
  }
}

const IS_OPEN = `second - second % ${SECONDS_PER_HOUR} NOT IN (SELECT second FROM closed_hour)`;

/** All rows of the journal except those of closed hours, and those of earlier versions whose symbol is no longer known. */
export async function readJournal(pool: Pool): Promise<SecondRow[]> {
  const builtIn = instruments.flatMap(({ symbol }) => (isBuiltIn(symbol) ? symbol : []));
  const packed = await readPacked(pool, `${IS_OPEN} AND (digits IS NOT NULL OR symbol = ANY ($1))`, [builtIn]);
  return packed.flatMap(unpackRows);
}

/** The rows of these symbols from `fromSecond` (Unix time) on, except those of closed hours. */
export async function readRecentRows(pool: Pool, symbols: readonly string[], fromSecond: number): Promise<SecondRow[]> {
  // With the symbols, the database reads by the primary key: a tenth of the time of reading the hour.
  const packed = await readPacked(pool, `symbol = ANY ($1) AND second >= $2 AND ${IS_OPEN}`, [symbols, fromSecond]);
  return packed.flatMap(unpackRows);
}

/** The rows of one symbol, packed: half a million rows of text would take seconds. */
export interface PackedSeconds {
  readonly symbol: string;
  readonly rows: Buffer;
}

async function readPacked(client: Pool | PoolClient, where: string, values: unknown[]): Promise<PackedSeconds[]> {
  const query = {
    text: `SELECT symbol, string_agg(int4send(second) || int4send(updates) || int4send(coalesce(cause, 0)) ||
                               ${packPrices(PRICES)}, ''::bytea) AS rows
             FROM tick_second
            WHERE ${where}
            GROUP BY symbol`,
    values,
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  const { rows } = await client.query<PackedSeconds>(query);
  return rows;
}

/** A row of the journal, with the number of what wrote it; 0 for the recorder. */
export interface JournalRow extends SecondRow {
  readonly cause: number;
}

export function unpackRows({ symbol, rows }: PackedSeconds): JournalRow[] {
  const packed = new PackedRows(symbol, rows);
  const unpacked: JournalRow[] = [];
  while (!packed.isAtEnd) {
    unpacked.push({
      symbol,
      second: packed.readInteger(),
      updates: packed.readInteger(),
      cause: packed.readInteger(),
      digits: packed.readDigits(),
      bid: packed.readPrice(),
      ask: packed.readPrice(),
      open: packed.readPrice(),
      high: packed.readPrice(),
      low: packed.readPrice(),
    });
  }
  return unpacked;
}

/** When each closed hour began: UTC milliseconds. */
export async function readClosedHours(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ second: number }>("SELECT second FROM closed_hour");
  return rows.map(({ second }) => second * 1000);
}

function formatPartition(hourMs: number): string {
  return `tick_second_${hourMs / 1000}`;
}
