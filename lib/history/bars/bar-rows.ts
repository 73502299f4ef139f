import type { Pool, PoolClient } from "pg";
import { type HourColumns, MINUTES_PER_HOUR, SECONDS_PER_MINUTE } from "@/lib/history/hour-columns";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";
import type { Bar } from "@/lib/market/bar";
import { getBarEnd, getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { MINUTE_MS } from "@/lib/time/units";

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

export interface BarRange {
  readonly symbols: readonly string[];
  readonly timeframe: Timeframe;
  /** Bars that opened in [fromMs, toMs). */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Bars of each symbol. */
  readonly limit: number;
  readonly pick: "first" | "latest";
}

const MAX_SECOND = 2_147_483_647;
const PACKED_BYTES = 24;
/** Aggregates bars for `unpackBars`. */
export const PACKED_BARS = `string_agg(int4send(time) || int4send(open) || int4send(high) || int4send(low)
                      || int4send(close) || int4send(volume), ''::bytea ORDER BY time)`;

/** The table's number for the first second from a moment on; infinite moments have the least and the greatest. */
export function toSecond(ms: number): number {
  return Math.max(0, Math.min(MAX_SECOND, Math.ceil(ms / 1000)));
}

/**
 * Bars of each symbol that has any, oldest first. They are sent packed, one row per symbol: 160,000 bars as rows of
 * text would block this thread for half a second.
 */
export async function readBars(pool: Pool, range: BarRange): Promise<Map<string, PointBar[]>> {
  const { symbols, timeframe, fromMs = 0, toMs = Infinity, limit, pick } = range;
  const query = {
    text: `SELECT requested.symbol, packed.bars
             FROM unnest($1::text[]) AS requested (symbol), LATERAL (
                    SELECT ${PACKED_BARS} AS bars
                      FROM (SELECT * FROM bar
                             WHERE symbol = requested.symbol AND timeframe = $2 AND time >= $3 AND time < $4
                             ORDER BY time ${pick === "latest" ? "DESC" : "ASC"} LIMIT $5) AS chosen
                  ) AS packed
            WHERE packed.bars IS NOT NULL`,
    values: [symbols, TIMEFRAME_MINUTES[timeframe], toSecond(fromMs), toSecond(toMs), limit],
    query_timeout: symbols.length > 1 ? HOUR_WORK_TIMEOUT_MS : undefined,
  };
  const { rows } = await pool.query<{ symbol: string; bars: Buffer }>(query);
  return new Map(rows.map(({ symbol, bars }) => [symbol, unpackBars(bars)]));
}

export function unpackBars(packed: Buffer): PointBar[] {
  return Array.from({ length: packed.length / PACKED_BYTES }, (_, i) => {
    const at = i * PACKED_BYTES;
    return {
      timeMs: packed.readInt32BE(at) * 1000,
      open: packed.readInt32BE(at + 4),
      high: packed.readInt32BE(at + 8),
      low: packed.readInt32BE(at + 12),
      close: packed.readInt32BE(at + 16),
      volume: packed.readInt32BE(at + 20),
    };
  });
}

/** A bar whose prices are whole points (price × 10^digits), so that bars can be compared and joined exactly. */
export interface PointBar {
  /** When it opened: UTC milliseconds. */
  readonly timeMs: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** The M1 bars of an hour, oldest first. A minute without an update has none. */
export function toMinuteBars(hour: HourColumns): PointBar[] {
  const { updates, open, high, low, bid } = hour;
  const bars: PointBar[] = [];
  for (let minute = 0; minute < MINUTES_PER_HOUR; minute++) {
    let bar: PointBar | null = null;
    for (let at = minute * SECONDS_PER_MINUTE; at < (minute + 1) * SECONDS_PER_MINUTE; at++) {
      const volume = updates[at] as number;
      if (volume === 0) continue;
      const row = { high: high[at] as number, low: low[at] as number, close: bid[at] as number, volume };
      if (bar === null) bar = { timeMs: hour.hourMs + minute * MINUTE_MS, open: open[at] as number, ...row };
      else extend(bar, row);
    }
    if (bar !== null) bars.push(bar);
  }
  return bars;
}

/** Joins bars, oldest first, into bars of a longer timeframe. The last may be unfinished. */
export function joinBars(bars: readonly PointBar[], timeframe: Timeframe): PointBar[] {
  const joined: PointBar[] = [];
  let last: PointBar | null = null;
  let endMs = -Infinity;
  for (const bar of bars) {
    if (last !== null && bar.timeMs < endMs) {
      extend(last, bar);
      continue;
    }
    const timeMs = getBarStart(timeframe, bar.timeMs);
    endMs = getBarEnd(timeframe, timeMs);
    joined.push((last = { ...bar, timeMs }));
  }
  return joined;
}

function extend(bar: PointBar, { high, low, close, volume }: Omit<PointBar, "timeMs" | "open">): void {
  if (high > bar.high) bar.high = high;
  if (low < bar.low) bar.low = low;
  bar.close = close;
  bar.volume += volume;
}

/** A bar in prices. A whole number divided once by a power of ten is the double that prints as the intended decimal. */
export function toBar({ timeMs, open, high, low, close, volume }: PointBar, digits: number): Bar {
  const scale = 10 ** digits;
  return { timeMs, open: open / scale, high: high / scale, low: low / scale, close: close / scale, volume };
}
