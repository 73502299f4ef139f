import type { Pool, PoolClient } from "pg";
import { decodeBars, type PointBar, raiseBar } from "@/lib/history/bars/bar-block";
import { type HourColumns, MINUTES_PER_HOUR, SECONDS_PER_MINUTE } from "@/lib/history/hour-columns";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";
import { MOST_NARROW, PackedRows, packPrices, toPriceColumns, toStoredPrices } from "@/lib/history/points";
import type { Bar } from "@/lib/market/bar";
import { getBuiltInDigits } from "@/lib/market/catalog";
import { MAX_POINTS, toPrice } from "@/lib/market/price";
import { getBarEnd, getBarStart, type StoredTimeframe } from "@/lib/market/timeframe";
import { MINUTE_MS } from "@/lib/time/units";

/** Bars in the database. Times are UTC milliseconds here and whole seconds there. */

export interface BarRow extends PointBar {
  readonly symbol: string;
  readonly timeframe: StoredTimeframe;
  /** The source that it was imported from; left out for one that was recorded. */
  readonly origin?: string | null;
}

/** The table's number for a timeframe: minutes. */
export const TIMEFRAME_MINUTES: Readonly<Record<StoredTimeframe, number>> = {
  M1: 1,
  M5: 5,
  M15: 15,
  M30: 30,
  H1: 60,
  H4: 240,
  D1: 1_440,
  W1: 10_080,
};

const PRICES = ["open", "high", "low", "close"] as const;

/** The columns of a bar that is written again. */
const REPLACED = `open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
                  volume = excluded.volume, digits = excluded.digits, wide = excluded.wide`;

/** What becomes of a stored bar of the same symbol, timeframe and time. `replace` keeps its origin. */
export const ON_CONFLICT = {
  replace: `ON CONFLICT (symbol, timeframe, time) DO UPDATE SET ${REPLACED}`,
  replaceOrigin: `ON CONFLICT (symbol, timeframe, time) DO UPDATE SET ${REPLACED}, origin = excluded.origin`,
  keep: "ON CONFLICT (symbol, timeframe, time) DO NOTHING",
} as const;

/** Inserts bars. With `keep`, returns when those opened that were not stored before: UTC milliseconds. */
export async function insertBars(
  client: PoolClient,
  rows: readonly BarRow[],
  onConflict: keyof typeof ON_CONFLICT,
): Promise<number[]> {
  if (rows.length === 0) return [];
  const { prices, digits, wide } = toPriceColumns(
    rows.map(({ symbol, digits, open, high, low, close }) => toStoredPrices(symbol, digits, [open, high, low, close])),
  );
  const query = {
    text: `INSERT INTO bar (symbol, timeframe, time, volume, origin, digits, wide, open, high, low, close)
           SELECT symbol, timeframe, time, volume, origin, digits, wide::int8[], open, high, low, close
             FROM unnest($1::text[], $2::int2[], $3::int4[], $4::int4[], $5::text[], $6::int2[], $7::text[], $8::int4[],
                         $9::int4[], $10::int4[], $11::int4[])
                  AS row (symbol, timeframe, time, volume, origin, digits, wide, open, high, low, close)
           ${ON_CONFLICT[onConflict]} ${onConflict === "keep" ? "RETURNING time" : ""}`,
    values: [
      rows.map(({ symbol }) => symbol),
      rows.map(({ timeframe }) => TIMEFRAME_MINUTES[timeframe]),
      rows.map(({ timeMs }) => timeMs / 1000),
      rows.map(({ volume }) => volume),
      rows.map(({ origin = null }) => origin),
      digits,
      wide,
      ...prices,
    ],
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  const { rows: added } = await client.query<{ time: number }>(query);
  return added.map(({ time }) => time * 1000);
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
  timeframe: StoredTimeframe,
  fromMs: number,
  toMs: number,
): Promise<void> {
  const query = {
    text: `INSERT INTO bar (symbol, timeframe, time, ${JOINED_COLUMNS})
           SELECT symbol, $3::int2, $4::int4, ${formatJoined("built_in")}
             FROM unnest($1::text[], $2::int2[]) AS requested (symbol, built_in),
                  LATERAL (${joinHours("bar.symbol = requested.symbol AND time >= $4::int4 AND time < $5::int4", "built_in")}) AS joined
           ${ON_CONFLICT.replace}`,
    values: [symbols, symbols.map(getBuiltInDigits), TIMEFRAME_MINUTES[timeframe], fromMs / 1000, toMs / 1000],
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  await client.query(query);
}

/** The columns of a joined bar, in the order of `formatJoined`. */
export const JOINED_COLUMNS = "open, high, low, close, volume, digits, wide";

/**
 * SQL for the columns of the bar that `joinHours` gives as `joined`. `builtIn` is SQL for the digits of the built-in
 * instrument, or null.
 */
export function formatJoined(builtIn: string): string {
  const isNarrow = `joined.high <= ${MOST_NARROW}`;
  const narrow = PRICES.map((name) => `CASE WHEN ${isNarrow} THEN joined.${name} ELSE 0 END`).join(", ");
  return `${narrow}, joined.volume,
          CASE WHEN ${isNarrow} THEN nullif(joined.digits, ${builtIn}) ELSE joined.digits END,
          CASE WHEN ${isNarrow} THEN NULL ELSE ARRAY[joined.open, joined.high, joined.low, joined.close]::int8[] END`;
}

/**
 * SQL that joins H1 bars of one symbol into one, with prices in the finest digits among them; no row without bars. A
 * price has at most `MAX_POINTS`, so bars of prices that grew a thousandfold may be joined in fewer digits.
 */
export function joinHours(where: string, builtIn: string): string {
  const bars = `bar WHERE timeframe = 60 AND ${where}`;
  const aligned = (column: string, at: number) =>
    `CASE WHEN coalesce(digits, ${builtIn}) = finest THEN coalesce(wide[${at}], ${column})
          ELSE round(coalesce(wide[${at}], ${column}) * 10::numeric ^ (finest - coalesce(digits, ${builtIn})))::int8 END`;
  const highest = `greatest(max(high) FILTER (WHERE digits IS NULL) / 10::float8 ^ ${builtIn},
                            max(coalesce(wide[2], high) / 10::float8 ^ digits) FILTER (WHERE digits IS NOT NULL))`;
  return `SELECT (array_agg(${aligned("open", 1)} ORDER BY time))[1] AS open,
                 max(${aligned("high", 2)}) AS high, min(${aligned("low", 3)}) AS low,
                 (array_agg(${aligned("close", 4)} ORDER BY time DESC))[1] AS close,
                 sum(volume)::int4 AS volume, max(finest)::int2 AS digits,
                 (array_agg(origin ORDER BY time) FILTER (WHERE origin IS NOT NULL))[1] AS origin
            FROM (SELECT least(max(coalesce(digits, ${builtIn})),
                               floor(log(${MAX_POINTS}::float8 / nullif(${highest}, 0)))::int4) AS finest
                    FROM ${bars}) AS measured, ${bars}
          HAVING count(*) > 0`;
}

export interface BarRange {
  readonly symbols: readonly string[];
  readonly timeframe: StoredTimeframe;
  /** Bars that opened in [fromMs, toMs). */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Bars of each symbol. */
  readonly limit: number;
  readonly pick: "first" | "latest";
}

const MAX_SECOND = 2_147_483_647;
/** No block of bars is longer. */
export const LONGEST_BLOCK_S = 7 * 86_400;
/** Aggregates bars for `unpackBars`. */
export const PACKED_BARS = `string_agg(int4send(time) || int4send(volume) || ${packPrices(PRICES)}, ''::bytea ORDER BY time)`;

/** Aggregates blocks of bars for `unpackBlocks`. An array of them would be parsed slowly. */
export const PACKED_BLOCKS = "string_agg(int4send(octet_length(bars)) || bars, ''::bytea ORDER BY time)";

/** The table's number for the first second from a moment on; infinite moments have the least and the greatest. */
export function toSecond(ms: number): number {
  return Math.max(0, Math.min(MAX_SECOND, Math.ceil(ms / 1000)));
}

/** A reading that needs more blocks asks for so many times as many. */
export const MORE_BLOCKS = 8;

/** The blocks that a reading asks for at first. Most have more bars, and the first and the last are cut. */
export function countFirstBlocks(limit: number): number {
  return Math.ceil(limit / 1_000) + 1;
}

/**
 * Bars of each symbol that has any, oldest first. They are sent packed, one row per symbol: 160,000 bars as rows of
 * text would block this thread for half a second.
 */
export async function readBars(pool: Pool | PoolClient, range: BarRange): Promise<Map<string, readonly PointBar[]>> {
  const found = new Map<string, readonly PointBar[]>();
  let { symbols } = range;
  for (let blocks = countFirstBlocks(range.limit); symbols.length > 0; blocks *= MORE_BLOCKS) {
    const short = [];
    for (const { symbol, bars, hasMore } of await readSome(pool, { ...range, symbols }, blocks)) {
      // Blocks may have fewer bars than are needed, as those of a market with few trades.
      if (hasMore && bars.length < range.limit) short.push(symbol);
      else found.set(symbol, bars);
    }
    symbols = short;
  }
  return found;
}

/** Reads at most so many blocks of each symbol. Where there may be more, bars beyond those are left out. */
async function readSome(pool: Pool | PoolClient, range: BarRange, blockLimit: number) {
  const { symbols, timeframe, fromMs = 0, toMs = Infinity, limit, pick } = range;
  const order = pick === "latest" ? "DESC" : "ASC";
  const query = {
    text: `SELECT requested.symbol, packed.bars, blocks.blocks
             FROM unnest($1::text[]) AS requested (symbol), LATERAL (
                    SELECT ${PACKED_BARS} AS bars
                      FROM (SELECT * FROM bar
                             WHERE symbol = requested.symbol AND timeframe = $2 AND time >= $3 AND time < $4
                             ORDER BY time ${order} LIMIT $5) AS chosen
                  ) AS packed, LATERAL (
                    SELECT ${PACKED_BLOCKS} AS blocks
                      FROM (SELECT time, bars FROM bar_pack
                             WHERE symbol = requested.symbol AND timeframe = $2 AND until >= $3 AND time < $4
                               AND time >= $3::int8 - ${LONGEST_BLOCK_S}
                             ORDER BY time ${order} LIMIT $6) AS chosen
                  ) AS blocks
            WHERE packed.bars IS NOT NULL OR blocks.blocks IS NOT NULL`,
    values: [symbols, TIMEFRAME_MINUTES[timeframe], toSecond(fromMs), toSecond(toMs), limit, blockLimit],
    query_timeout: symbols.length > 1 ? HOUR_WORK_TIMEOUT_MS : undefined,
  };
  const { rows } = await pool.query<{ symbol: string; bars: Buffer | null; blocks: Buffer | null }>(query);
  return rows.map(({ symbol, bars: packed, blocks: found }) => {
    const blocks = unpackBlocks(found);
    const hasMore = blocks.length === blockLimit;
    const [sinceMs, untilMs] = hasMore ? limitToBlocks(blocks, pick) : [-Infinity, Infinity];
    const all = joinBlocks(packed === null ? [] : unpackBars(symbol, packed), blocks).filter(
      ({ timeMs }) => timeMs >= Math.max(fromMs, sinceMs) && timeMs < toMs && timeMs <= untilMs,
    );
    return { symbol, hasMore, bars: pick === "latest" ? all.slice(-limit) : all.slice(0, limit) };
  });
}

/** The first and the last moment of which all bars are known, where there are more blocks than these. */
function limitToBlocks(blocks: readonly (readonly PointBar[])[], pick: BarRange["pick"]): [number, number] {
  const times = blocks.flatMap((bars) => [bars[0]?.timeMs ?? 0, bars.at(-1)?.timeMs ?? 0]);
  return pick === "latest" ? [Math.min(...times), Infinity] : [-Infinity, Math.max(...times)];
}

/** The bars of each block, oldest first. */
export function unpackBlocks(bytes: Buffer | null): PointBar[][] {
  const blocks: PointBar[][] = [];
  for (let at = 0; bytes !== null && at < bytes.length;) {
    const start = at + 4;
    at = start + bytes.readInt32BE(at);
    blocks.push(decodeBars(bytes.subarray(start, at)));
  }
  return blocks;
}

/** The bars of rows and of blocks, oldest first; both are in that order. */
export function joinBlocks(rows: readonly PointBar[], blocks: readonly (readonly PointBar[])[]): readonly PointBar[] {
  if (blocks.length === 0) return rows;
  const packed = blocks.flat();
  if (rows.length === 0) return packed;
  const all = [...packed, ...rows];
  // Rows are mostly the newest bars.
  const isOrdered = (rows[0]?.timeMs ?? 0) > (packed.at(-1)?.timeMs ?? -1);
  return isOrdered ? all : all.sort((a, b) => a.timeMs - b.timeMs);
}

export function unpackBars(symbol: string, bytes: Buffer): PointBar[] {
  const packed = new PackedRows(symbol, bytes);
  const bars: PointBar[] = [];
  while (!packed.isAtEnd) {
    bars.push({
      timeMs: packed.readInteger() * 1000,
      volume: packed.readInteger(),
      digits: packed.readDigits(),
      open: packed.readPrice(),
      high: packed.readPrice(),
      low: packed.readPrice(),
      close: packed.readPrice(),
    });
  }
  return bars;
}

/** The M1 bars of an hour, oldest first. A minute without an update has none. */
export function toMinuteBars(hour: HourColumns): PointBar[] {
  const { digits, updates, open, high, low, bid } = hour;
  const bars: PointBar[] = [];
  for (let minute = 0, seen = 0; minute < MINUTES_PER_HOUR && seen < hour.count; minute++) {
    let bar: PointBar | null = null;
    for (let at = minute * SECONDS_PER_MINUTE; at < (minute + 1) * SECONDS_PER_MINUTE; at++) {
      const volume = updates[at] as number;
      if (volume === 0) continue;
      seen++;
      const [top, bottom, close] = [high[at] as number, low[at] as number, bid[at] as number];
      if (bar === null) {
        const timeMs = hour.hourMs + minute * MINUTE_MS;
        bar = { timeMs, digits, open: open[at] as number, high: top, low: bottom, close, volume };
        continue;
      }
      if (top > bar.high) bar.high = top;
      if (bottom < bar.low) bar.low = bottom;
      bar.close = close;
      bar.volume += volume;
    }
    if (bar !== null) bars.push(bar);
  }
  return bars;
}

/** Joins bars, oldest first, into bars of a longer timeframe. The last may be unfinished. */
export function joinBars(bars: readonly PointBar[], timeframe: StoredTimeframe): PointBar[] {
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

/** Adds a later bar, or the rest of an hour, in the finer digits of the two. */
function extend(bar: PointBar, added: Omit<PointBar, "timeMs">): void {
  if (added.digits > bar.digits) Object.assign(bar, raiseBar(bar, added.digits));
  const { high, low, close, volume } = raiseBar(added, bar.digits);
  if (high > bar.high) bar.high = high;
  if (low < bar.low) bar.low = low;
  bar.close = close;
  bar.volume += volume;
}

/** A bar in prices. A whole number divided once by a power of ten is the double that prints as the intended decimal. */
export function toBar({ timeMs, digits, open, high, low, close, volume }: PointBar): Bar {
  return {
    timeMs,
    open: toPrice(open, digits),
    high: toPrice(high, digits),
    low: toPrice(low, digits),
    close: toPrice(close, digits),
    volume,
  };
}
