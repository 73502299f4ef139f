import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { type BarMemory, MEMORY_VERSION, remember } from "@/lib/analytics/indicators/run";
import type { PointBar } from "@/lib/history/bars/bar-block";
import {
  countFirstBlocks,
  joinBlocks,
  LONGEST_BLOCK_S,
  MORE_BLOCKS,
  PACKED_BARS,
  PACKED_BLOCKS,
  readBars,
  TIMEFRAME_MINUTES,
  toBar,
  toSecond,
  unpackBars,
  unpackBlocks,
} from "@/lib/history/bars/bar-rows";
import type { RecordedInstrument } from "@/lib/history/bars/series";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";
import type { Bar } from "@/lib/market/bar";
import { findHoles } from "@/lib/market/expected-bars";
import { type StoredTimeframe, TIMEFRAMES } from "@/lib/market/timeframe";

/**
 * Memories of bars in the database: one after every `BARS_PER_MEMORY` finished bars, and one at the end of the bars that
 * retention has removed. A reader continues from the latest one before the bars it needs.
 */

/** Few, so that a reader has little to add; each takes as much room as 20 bars. */
const BARS_PER_MEMORY = 500;
/** A call may wait for it, so a database that has stopped answering is noticed well before its client gives up. */
const LOAD_TIMEOUT_MS = 10_000;
/** The pause before a memory is computed again. */
const RETRY_MS = 50;

type Symbols = readonly RecordedInstrument[];

/** Bars with what is remembered of all bars before them; null if they are the first. */
export interface RememberedBars {
  readonly past: BarMemory | null;
  /** When the latest of those opened: UTC milliseconds. */
  readonly pastMs: number | null;
  readonly bars: readonly Bar[];
}

interface LatestRange {
  readonly symbols: readonly string[];
  readonly timeframe: StoredTimeframe;
  /** Bars that opened before this moment. */
  readonly toMs: number;
  /** The least number of bars, where there are so many. */
  readonly limit: number;
}

/** The latest bars of each symbol that ever had any, oldest first, from a memory or the first bar on: often more than `limit`. */
export async function readRemembered(pool: Pool, range: LatestRange): Promise<Map<string, RememberedBars>> {
  const found = new Map<string, RememberedBars>();
  let { symbols } = range;
  for (let blocks = countFirstBlocks(range.limit); symbols.length > 0; blocks *= MORE_BLOCKS) {
    const short = [];
    for (const { symbol, isShort, remembered } of await readSome(pool, { ...range, symbols }, blocks)) {
      if (isShort) short.push(symbol);
      else found.set(symbol, remembered);
    }
    symbols = short;
  }
  return found;
}

/** Where the latest bars begin is looked for in so many blocks of each symbol. */
async function readSome(pool: Pool, { symbols, timeframe, toMs, limit }: LatestRange, blockLimit: number) {
  const query = {
    // One statement, because retention may remove bars between two.
    text: `SELECT requested.symbol, first.blocks = $6 AND first.bars < $4 AS short, memory.time, packed.bars, blocks.blocks,
                  (SELECT ${PACKED_NUMBERS} FROM unnest(memory.numbers) WITH ORDINALITY AS each (number, at)) AS numbers
             FROM unnest($1::text[]) AS requested (symbol),
                  LATERAL (WITH latest AS (
                             (SELECT time, 1 AS count, 0 AS blocks FROM bar
                               WHERE symbol = requested.symbol AND timeframe = $2 AND time < $3
                               ORDER BY time DESC LIMIT $4)
                             UNION ALL
                             (SELECT time, CASE WHEN until < $3 THEN count ELSE 0 END, 1 FROM bar_pack
                               WHERE symbol = requested.symbol AND timeframe = $2 AND time < $3
                               ORDER BY time DESC LIMIT $6)),
                           known AS (
                             SELECT * FROM latest
                              WHERE (SELECT sum(blocks) FROM latest) < $6
                                 OR time >= (SELECT min(time) FROM latest WHERE blocks = 1)),
                           summed AS (SELECT time, sum(count) OVER (ORDER BY time DESC) AS total FROM known)
                           SELECT (SELECT coalesce(max(time) FILTER (WHERE total >= $4), min(time)) FROM summed) AS time,
                                  (SELECT sum(count) FROM known) AS bars,
                                  (SELECT sum(blocks) FROM latest) AS blocks) AS first
                  LEFT JOIN LATERAL (SELECT time, numbers FROM bar_memory
                                      WHERE symbol = requested.symbol AND timeframe = $2 AND version = $5
                                        AND time < coalesce(first.time, $3)
                                      ORDER BY time DESC LIMIT 1) AS memory ON true,
                  LATERAL (SELECT ${PACKED_BARS} AS bars FROM bar
                            WHERE symbol = requested.symbol AND timeframe = $2 AND time < $3
                              AND time > coalesce(memory.time, -1)) AS packed,
                  LATERAL (SELECT ${PACKED_BLOCKS} AS blocks FROM bar_pack
                            WHERE symbol = requested.symbol AND timeframe = $2 AND time < $3
                              AND until > coalesce(memory.time, -1)
                              AND time > coalesce(memory.time, -1) - ${LONGEST_BLOCK_S}) AS blocks
            WHERE coalesce(memory.time, first.time) IS NOT NULL`,
    values: [symbols, TIMEFRAME_MINUTES[timeframe], toSecond(toMs), limit, MEMORY_VERSION, blockLimit],
    query_timeout: LOAD_TIMEOUT_MS,
  };
  const { rows } = await pool.query<{
    symbol: string;
    short: boolean | null;
    time: number | null;
    numbers: Buffer | null;
    bars: Buffer | null;
    blocks: Buffer | null;
  }>(query);
  return rows.map(({ symbol, short, time, numbers, bars, blocks }) => {
    const pastMs = time === null ? null : time * 1000;
    const isWithin = ({ timeMs }: PointBar) => timeMs < toMs && timeMs > (pastMs ?? -1);
    const decoded = unpackBlocks(blocks).map((block) => block.filter(isWithin));
    const all = joinBlocks(bars === null ? [] : unpackBars(symbol, bars), decoded);
    // At once, so that the bars in points of few symbols are in memory.
    const remembered = { past: unpackNumbers(numbers), pastMs, bars: all.map(toBar) };
    return { symbol, isShort: short === true, remembered };
  });
}

/** The numbers of thousands of memories would be parsed slowly as an array. */
const PACKED_NUMBERS = "string_agg(float8send(number), ''::bytea ORDER BY at)";

function unpackNumbers(bytes: Buffer | null): BarMemory | null {
  if (bytes === null) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 8 }, (_, at) => view.getFloat64(at * 8));
}

/**
 * Removes what is out of date once a bar that opened at `sinceMs` has changed, and keeps memories that are being computed
 * from being stored.
 */
export async function forgetBars(
  client: PoolClient,
  symbols: readonly string[],
  changes: readonly { readonly timeframe: StoredTimeframe; readonly sinceMs: number }[],
): Promise<void> {
  await client.query(
    `WITH raised AS (UPDATE history_revision SET memories = memories + 1)
     DELETE FROM bar_memory USING unnest($2::int2[], $3::int4[]) AS changed (timeframe, since)
      WHERE symbol = ANY ($1) AND bar_memory.timeframe = changed.timeframe AND time >= since`,
    [
      symbols,
      changes.map(({ timeframe }) => TIMEFRAME_MINUTES[timeframe]),
      changes.map(({ sinceMs }) => sinceMs / 1000),
    ],
  );
}

/**
 * Adds the missing memories of bars that opened before the moment from which their timeframe's bars may still grow.
 * Call it where no hour is closed meanwhile; imports and back-filling may go on.
 */
export async function rememberBars(
  pool: Pool,
  instruments: Symbols,
  growthStarts: ReadonlyMap<StoredTimeframe, number>,
): Promise<void> {
  for (const timeframe of TIMEFRAMES) {
    const toMs = growthStarts.get(timeframe) ?? 0;
    for (;;) {
      const due = new Set(await listDue(pool, instruments, timeframe, toMs));
      if (due.size === 0) break;
      for (const instrument of instruments) {
        if (due.has(instrument.symbol)) await addMemory(pool, instrument, timeframe, { toMs, limit: BARS_PER_MEMORY });
        await nextTurn();
      }
    }
  }
}

/**
 * Adds a memory of all bars that opened before `startMs`, so that they can be removed, and removes earlier memories, but
 * not those of imported bars, which stay. `fromMs` is the `startMs` of the call before; 0 for the first.
 */
export async function rememberUntil(
  pool: Pool,
  instrument: Symbols[number],
  {
    timeframe,
    startMs,
    fromMs,
  }: { readonly timeframe: StoredTimeframe; readonly startMs: number; readonly fromMs: number },
): Promise<void> {
  const range = { toMs: startMs, limit: BARS_PER_MEMORY };
  while ((await addMemory(pool, instrument, timeframe, range)) === BARS_PER_MEMORY) await nextTurn();
  const query = {
    text: `WITH known AS (
             SELECT time, lead(time) OVER (ORDER BY time) AS next FROM bar_memory
              WHERE symbol = $1 AND timeframe = $2 AND version = $3 AND time < $4
                AND time >= coalesce((SELECT max(time) FROM bar_memory
                                       WHERE symbol = $1 AND timeframe = $2 AND version = $3 AND time < $5), 0))
           DELETE FROM bar_memory
            WHERE symbol = $1 AND timeframe = $2
              AND time IN (SELECT time FROM known
                            WHERE next IS NOT NULL
                              AND NOT EXISTS (SELECT FROM bar
                                               WHERE symbol = $1 AND timeframe = $2 AND bar.time > known.time
                                                 AND bar.time <= known.next AND origin IS NOT NULL)
                              AND NOT EXISTS (SELECT FROM bar_pack
                                               WHERE symbol = $1 AND timeframe = $2 AND until > known.time
                                                 AND bar_pack.time <= known.next AND origin IS NOT NULL))
               OR symbol = $1 AND timeframe = $2 AND version <> $3 AND time < (SELECT max(time) FROM known)`,
    values: [
      instrument.symbol,
      TIMEFRAME_MINUTES[timeframe],
      MEMORY_VERSION,
      toSecond(startMs),
      toSecond(Math.min(fromMs, startMs)),
    ],
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  await pool.query(query);
}

/** The symbols that have enough bars for another memory. */
async function listDue(pool: Pool, instruments: Symbols, timeframe: StoredTimeframe, toMs: number): Promise<string[]> {
  const query = {
    text: `SELECT requested.symbol
             FROM unnest($1::text[]) AS requested (symbol)
                  LEFT JOIN LATERAL (SELECT max(time) AS time FROM bar_memory
                                      WHERE symbol = requested.symbol AND timeframe = $2 AND version = $4
                                    ) AS memory ON true
            -- A block that the memory has a part of is not counted; there are enough bars soon.
            WHERE (SELECT count(*) FROM (SELECT FROM bar
                                          WHERE symbol = requested.symbol AND timeframe = $2 AND time < $3
                                            AND time > coalesce(memory.time, -1) LIMIT $5) AS rows)
                  + (SELECT coalesce(sum(count), 0) FROM (SELECT count FROM bar_pack
                                          WHERE symbol = requested.symbol AND timeframe = $2 AND until < $3
                                            AND time > coalesce(memory.time, -1) LIMIT $5) AS blocks) >= $5`,
    values: [
      instruments.map(({ symbol }) => symbol),
      TIMEFRAME_MINUTES[timeframe],
      toSecond(toMs),
      MEMORY_VERSION,
      BARS_PER_MEMORY,
    ],
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  const { rows } = await pool.query<{ symbol: string }>(query);
  return rows.map(({ symbol }) => symbol);
}

/** Adds a memory after the next bars before `toMs`, `limit` at most, and returns their number. */
async function addMemory(
  pool: Pool,
  instrument: Symbols[number],
  timeframe: StoredTimeframe,
  range: { readonly toMs: number; readonly limit: number },
): Promise<number> {
  for (;;) {
    const added = await tryToAddMemory(pool, instrument, timeframe, range);
    if (added !== null) return added;
    await pause(RETRY_MS);
  }
}

/** Returns null if bars were imported or back-filled meanwhile: the memory would not contain them. */
async function tryToAddMemory(
  pool: Pool,
  instrument: Symbols[number],
  timeframe: StoredTimeframe,
  { toMs, limit }: { readonly toMs: number; readonly limit: number },
): Promise<number | null> {
  const { symbol } = instrument;
  const key = [symbol, TIMEFRAME_MINUTES[timeframe], MEMORY_VERSION];
  const { rows } = await pool.query<{ memories: number; time: number | null; numbers: BarMemory | null }>(
    `SELECT memories, last.time, last.numbers
       FROM history_revision
            LEFT JOIN LATERAL (SELECT time, numbers FROM bar_memory
                                WHERE symbol = $1 AND timeframe = $2 AND version = $3 AND time < $4
                                ORDER BY time DESC LIMIT 1) AS last ON true`,
    [...key, toSecond(toMs)],
  );
  const { memories, time = null, numbers: past = null } = rows[0] ?? {};
  const fromMs = time === null ? 0 : (time + 1) * 1000;
  const range = { symbols: [symbol], timeframe, fromMs, toMs, limit, pick: "first" } as const;
  const bars = (await readBars(pool, range)).get(symbol) ?? [];
  const newest = bars.at(-1);
  if (newest === undefined) return 0;
  const numbers = remember(
    past,
    bars.map(toBar),
    findHoles(instrument, timeframe, bars, time === null ? null : time * 1000),
  );
  const { rowCount } = await pool.query(
    `WITH current AS (SELECT FROM history_revision WHERE memories = $6 FOR SHARE SKIP LOCKED)
     INSERT INTO bar_memory (symbol, timeframe, version, time, numbers)
     SELECT $1, $2::int2, $3::int2, $4::int4, $5::float8[] FROM current
     ON CONFLICT (symbol, timeframe, time) DO UPDATE SET version = excluded.version, numbers = excluded.numbers`,
    [...key, newest.timeMs / 1000, numbers, memories],
  );
  return rowCount === 0 ? null : bars.length;
}
