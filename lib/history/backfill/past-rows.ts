import type { Pool, PoolClient } from "pg";
import { TIMEFRAME_MINUTES } from "@/lib/history/bars/bar-rows";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";
import { SERVED } from "@/lib/history/spreads/spread-hour";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";
import { HOUR_MS } from "@/lib/time/units";

/** What back-filling reads from the recorder's tables and adds to them. It never overwrites. */

/** Bars in one statement: it takes some tens of milliseconds, so that the journal's statements run in between. */
const BARS_PER_STATEMENT = 2_000;

/** The UTC milliseconds up to which a symbol's past was filled; null if it never was. */
export async function readFilledUntil(client: PoolClient, symbol: string): Promise<number | null> {
  const { rows } = await client.query<{ until: number }>("SELECT until FROM backfill WHERE symbol = $1", [symbol]);
  return rows[0] === undefined ? null : rows[0].until * 1000;
}

/** Returns those of the symbols whose past is not filled up to a moment, UTC milliseconds. */
export async function listUnfilled(pool: Pool, symbols: readonly string[], untilMs: number): Promise<string[]> {
  const { rows } = await pool.query<{ symbol: string }>("SELECT symbol FROM backfill WHERE until >= $1", [
    Math.ceil(untilMs / 1000),
  ]);
  const filled = new Set(rows.map(({ symbol }) => symbol));
  return symbols.filter((symbol) => !filled.has(symbol));
}

export async function writeFilledUntil(client: PoolClient, symbol: string, untilMs: number): Promise<void> {
  await client.query(
    "INSERT INTO backfill (symbol, until) VALUES ($1, $2) ON CONFLICT (symbol) DO UPDATE SET until = excluded.until",
    [symbol, untilMs / 1000],
  );
}

/** The start of each of one symbol's hours in the database: UTC milliseconds. */
export interface ExistingHours {
  readonly bars: ReadonlySet<number>;
  readonly ticks: ReadonlySet<number>;
  readonly spreads: ReadonlySet<number>;
}

export async function readExistingHours(client: PoolClient, symbol: string, fromMs: number): Promise<ExistingHours> {
  const readHours = async (text: string, ...more: unknown[]) => {
    const { rows } = await client.query<{ hour: number }>(text, [symbol, ...more]);
    return new Set(rows.map(({ hour }) => hour * HOUR_MS));
  };
  const from = fromMs / HOUR_MS;
  return {
    bars: await readHours(
      "SELECT time / 3600 AS hour FROM bar WHERE symbol = $1 AND timeframe = 60 AND time >= $2::int4",
      from * 3600,
    ),
    // Bars of an hour may be imported without ticks and spreads: those of another source are not added to them.
    ticks: await readHours(
      `SELECT hour FROM tick_hour WHERE symbol = $1 AND hour >= $2::int4
       UNION SELECT hour FROM import_hour WHERE symbol = $1 AND hour >= $2::int4`,
      from,
    ),
    spreads: await readHours(
      `SELECT (extract(epoch FROM hour) / 3600)::int4 AS hour FROM spread_hour
        WHERE symbol = $1 AND source = $2 AND hour >= to_timestamp($3::float8)
       UNION SELECT hour FROM import_hour WHERE symbol = $1 AND hour >= $4::int4`,
      SERVED,
      from * 3600,
      from,
    ),
  };
}

/** Adds the bars that do not exist yet, and returns when they opened: UTC milliseconds. */
export async function addBars(
  client: PoolClient,
  { symbol, digits }: Pick<Instrument, "symbol" | "digits">,
  timeframe: Timeframe,
  bars: readonly Bar[],
): Promise<number[]> {
  const added: number[] = [];
  const scale = 10 ** digits;
  const points = (price: number) => Math.round(price * scale);
  for (let at = 0; at < bars.length; at += BARS_PER_STATEMENT) {
    const some = bars.slice(at, at + BARS_PER_STATEMENT);
    const query = {
      text: `INSERT INTO bar (symbol, timeframe, time, open, high, low, close, volume)
             SELECT $1, $2::int2, * FROM unnest($3::int4[], $4::int4[], $5::int4[], $6::int4[], $7::int4[], $8::int4[])
             ON CONFLICT DO NOTHING RETURNING time`,
      values: [
        symbol,
        TIMEFRAME_MINUTES[timeframe],
        some.map(({ timeMs }) => timeMs / 1000),
        some.map(({ open }) => points(open)),
        some.map(({ high }) => points(high)),
        some.map(({ low }) => points(low)),
        some.map(({ close }) => points(close)),
        some.map(({ volume }) => volume),
      ],
      query_timeout: HOUR_WORK_TIMEOUT_MS,
    };
    const { rows } = await client.query<{ time: number }>(query);
    for (const { time } of rows) added.push(time * 1000);
  }
  return added;
}
