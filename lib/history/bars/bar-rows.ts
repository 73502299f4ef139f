import type { PoolClient } from "pg";
import type { PointBar } from "@/lib/history/bars/point-bar";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";
import type { Timeframe } from "@/lib/market/timeframe";

/** Bars in the database. Times are UTC milliseconds here and whole seconds there. */

export interface BarRow extends PointBar {
  readonly symbol: string;
  readonly timeframe: Timeframe;
}

/** The table's number for a timeframe: minutes. */
export const TIMEFRAME_MINUTES: Readonly<Record<Timeframe, number>> = {
  M1: 1,
  M5: 5,
  M15: 15,
  M30: 30,
  H1: 60,
  H4: 240,
  D1: 1_440,
  W1: 10_080,
};

export async function insertBars(client: PoolClient, rows: readonly BarRow[]): Promise<void> {
  const column = <Value>(pick: (row: BarRow) => Value) => rows.map(pick);
  const query = {
    text: `INSERT INTO bar (symbol, timeframe, time, open, high, low, close, volume)
           SELECT * FROM unnest($1::text[], $2::int2[], $3::int4[], $4::int4[], $5::int4[], $6::int4[], $7::int4[], $8::int4[])
           ON CONFLICT (symbol, timeframe, time) DO UPDATE
              SET open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
                  volume = excluded.volume`,
    values: [
      column((row) => row.symbol),
      column((row) => TIMEFRAME_MINUTES[row.timeframe]),
      column((row) => row.timeMs / 1000),
      column((row) => row.open),
      column((row) => row.high),
      column((row) => row.low),
      column((row) => row.close),
      column((row) => row.volume),
    ],
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  await client.query(query);
}

/** Removes the bars of some symbols, H1 and shorter, that opened in [fromMs, toMs). */
export async function deleteBars(client: PoolClient, symbols: readonly string[], fromMs: number, toMs: number) {
  await client.query(
    "DELETE FROM bar WHERE symbol = ANY ($1) AND timeframe <= 60 AND time >= $2::int4 AND time < $3::int4",
    [symbols, fromMs / 1000, toMs / 1000],
  );
}

/** Rebuilds one longer bar of each symbol from the H1 bars that opened in [fromMs, toMs), its whole length. */
export async function joinHourBars(
  client: PoolClient,
  symbols: readonly string[],
  timeframe: Timeframe,
  fromMs: number,
  toMs: number,
): Promise<void> {
  const query = {
    text: `INSERT INTO bar (symbol, timeframe, time, open, high, low, close, volume)
           SELECT symbol, $2::int2, $3::int4, (array_agg(open ORDER BY time))[1], max(high), min(low),
                  (array_agg(close ORDER BY time DESC))[1], sum(volume)
             FROM bar
            WHERE symbol = ANY ($1) AND timeframe = 60 AND time >= $3::int4 AND time < $4::int4
            GROUP BY symbol
           ON CONFLICT (symbol, timeframe, time) DO UPDATE
              SET open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
                  volume = excluded.volume`,
    values: [symbols, TIMEFRAME_MINUTES[timeframe], fromMs / 1000, toMs / 1000],
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  await client.query(query);
}
