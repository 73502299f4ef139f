import type { Pool, PoolClient } from "pg";
import { decodeBars, encodeBars, type PointBar } from "@/lib/history/bars/bar-block";
import { insertBars, LONGEST_BLOCK_S, PACKED_BARS, TIMEFRAME_MINUTES, unpackBars } from "@/lib/history/bars/bar-rows";
import { inTransaction } from "@/lib/history/hour-store";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";
import type { Instrument } from "@/lib/market/instrument";
import type { StoredTimeframe } from "@/lib/market/timeframe";
import type { Logger } from "@/lib/platform/log/log";
import { type Clock, monotonicClock } from "@/lib/platform/timing/clock";
import { repeat } from "@/lib/platform/timing/repeat";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * Bars of closed days are packed into blocks, which take a twentieth of the room: M1 by the day, M5 to M30 by the week. A
 * bar is either a row or in a block. A writer of bars makes rows of their blocks first, and they are packed again
 * later, so that only readers and `openBlocks` know of blocks.
 */

const BLOCK_DAYS = { M1: 1, M5: 7, M15: 7, M30: 7 } as const satisfies Partial<Record<StoredTimeframe, number>>;
type PackedTimeframe = keyof typeof BLOCK_DAYS;
const PACKED = Object.keys(BLOCK_DAYS) as readonly PackedTimeframe[];
const timeframeByMinutes = new Map(PACKED.map((timeframe) => [TIMEFRAME_MINUTES[timeframe], timeframe]));

/** The last days are written and read as rows: hours are closed, gaps are filled. */
const OPEN_DAYS = 2;
/** The number of the lock that keeps packing and writing apart, until the end of a transaction. */
const LOCK = 1_650_551_411;
const SYMBOLS_PER_QUERY = 200;
const ROWS_PER_STATEMENT = 2_000;

/**
 * Makes rows of the blocks of some symbols that have a bar in [fromMs, toMs), and keeps them from being packed until the
 * end of the transaction. Call it in the transaction that writes bars, before their rows are read.
 */
export async function openBlocks(
  client: PoolClient,
  symbols: readonly string[],
  fromMs: number,
  toMs: number,
): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock_shared($1)", [LOCK]);
  await deletePacks(client, symbols, PACKED, fromMs, toMs);
}

/** Makes rows of blocks. */
async function deletePacks(
  client: PoolClient,
  symbols: readonly string[],
  timeframes: readonly PackedTimeframe[],
  fromMs: number,
  toMs: number,
): Promise<void> {
  const query = {
    text: `DELETE FROM bar_pack
            WHERE symbol = ANY ($1) AND timeframe = ANY ($2::int2[]) AND time < $4::int4 AND until >= $3::int4
              AND time >= $3::int8 - ${LONGEST_BLOCK_S}
           RETURNING symbol, timeframe, origin, bars`,
    values: [symbols, timeframes.map((each) => TIMEFRAME_MINUTES[each]), fromMs / 1000, toMs / 1000],
    query_timeout: HOUR_WORK_TIMEOUT_MS,
  };
  const { rows } = await client.query<{ symbol: string; timeframe: number; origin: string | null; bars: Buffer }>(
    query,
  );
  for (const { symbol, timeframe: minutes, origin, bars } of rows) {
    const timeframe = timeframeByMinutes.get(minutes);
    if (timeframe === undefined) throw new Error(`A block of bars has the unknown timeframe ${minutes}.`);
    const unpacked = decodeBars(bars).map((bar) => ({ ...bar, symbol, timeframe, origin }));
    for (let at = 0; at < unpacked.length; at += ROWS_PER_STATEMENT) {
      await insertBars(client, unpacked.slice(at, at + ROWS_PER_STATEMENT), "replace");
    }
  }
}

/**
 * Packs bars of closed days, oldest first, at most `limit` blocks. Returns their number: fewer than `limit` once
 * everything is packed. Bars that are being written are left to the next call.
 *
 * @param nowMs UTC milliseconds on the market clock
 */
export async function packBars(
  pool: Pool,
  instruments: readonly Pick<Instrument, "symbol">[],
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<number> {
  const closedMs = Math.floor(nowMs / DAY_MS - OPEN_DAYS) * DAY_MS;
  let packed = 0;
  for (let at = 0; at < instruments.length && packed < limit; at += SYMBOLS_PER_QUERY) {
    const symbols = instruments.slice(at, at + SYMBOLS_PER_QUERY).map(({ symbol }) => symbol);
    for (const { symbol, timeframe, fromMs } of await listUnpacked(pool, symbols, closedMs)) {
      let nextMs: number | null = fromMs;
      while (nextMs !== null && packed < limit) {
        nextMs = await packBlock(pool, symbol, timeframe, nextMs, closedMs);
        packed++;
      }
    }
  }
  return packed;
}

const getBlockStart = (timeframe: PackedTimeframe, timeMs: number) => {
  const lengthMs = BLOCK_DAYS[timeframe] * DAY_MS;
  return Math.floor(timeMs / lengthMs) * lengthMs;
};

/** The oldest row of each symbol and timeframe that has a row in a closed block. */
async function listUnpacked(pool: Pool, symbols: readonly string[], closedMs: number) {
  const { rows } = await pool.query<{ symbol: string; timeframe: number; time: number | null }>(
    `SELECT symbol, timeframe,
            (SELECT min(time) FROM bar WHERE bar.symbol = listed.symbol AND bar.timeframe = length.timeframe) AS time
       FROM unnest($1::text[]) AS listed (symbol), unnest($2::int2[]) AS length (timeframe)`,
    [symbols, [...timeframeByMinutes.keys()]],
  );
  return rows.flatMap(({ symbol, timeframe: minutes, time }) => {
    const timeframe = timeframeByMinutes.get(minutes);
    if (time === null || timeframe === undefined) return [];
    const fromMs = time * 1000;
    return isClosed(timeframe, fromMs, closedMs) ? [{ symbol, timeframe, fromMs }] : [];
  });
}

function isClosed(timeframe: PackedTimeframe, timeMs: number, closedMs: number): boolean {
  return getBlockStart(timeframe, timeMs) + BLOCK_DAYS[timeframe] * DAY_MS <= closedMs;
}

/** Packs the block that has a moment. Returns when the next row opened that can be packed; null if there is none. */
function packBlock(
  pool: Pool,
  symbol: string,
  timeframe: PackedTimeframe,
  timeMs: number,
  closedMs: number,
): Promise<number | null> {
  const fromMs = getBlockStart(timeframe, timeMs);
  const toMs = fromMs + BLOCK_DAYS[timeframe] * DAY_MS;
  const minutes = TIMEFRAME_MINUTES[timeframe];
  return inTransaction(pool, async (client) => {
    const { rows: locks } = await client.query<{ free: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS free", [
      LOCK,
    ]);
    if (locks[0]?.free !== true) return null;
    await deletePacks(client, [symbol], [timeframe], fromMs, toMs);
    const { rows } = await client.query<{ origin: string | null; bars: Buffer }>(
      `WITH gone AS (DELETE FROM bar WHERE symbol = $1 AND timeframe = $2::int2 AND time >= $3::int4 AND time < $4::int4
                     RETURNING *)
       SELECT origin, ${PACKED_BARS} AS bars FROM gone GROUP BY origin`,
      [symbol, minutes, fromMs / 1000, toMs / 1000],
    );
    const bars = rows
      .flatMap(({ origin, bars }) => unpackBars(symbol, bars).map((bar) => ({ bar, origin })))
      .sort((a, b) => a.bar.timeMs - b.bar.timeMs);
    for (const { origin, run } of splitRuns(bars)) {
      await client.query(
        "INSERT INTO bar_pack (symbol, timeframe, time, until, count, origin, bars) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        [
          symbol,
          minutes,
          (run[0]?.timeMs ?? 0) / 1000,
          (run.at(-1)?.timeMs ?? 0) / 1000,
          run.length,
          origin,
          encodeBars(run, minutes),
        ],
      );
    }
    const { rows: next } = await client.query<{ time: number | null }>(
      "SELECT min(time) AS time FROM bar WHERE symbol = $1 AND timeframe = $2::int2",
      [symbol, minutes],
    );
    const nextMs = next[0]?.time == null ? null : next[0].time * 1000;
    return nextMs !== null && isClosed(timeframe, nextMs, closedMs) ? nextMs : null;
  });
}

/** Bars of one origin after the other, so that the times of two blocks never overlap. */
function splitRuns(bars: readonly { readonly bar: PointBar; readonly origin: string | null }[]) {
  const runs: { readonly origin: string | null; readonly run: PointBar[] }[] = [];
  for (const { bar, origin } of bars) {
    const last = runs.at(-1);
    if (last?.origin === origin) last.run.push(bar);
    else runs.push({ origin, run: [bar] });
  }
  return runs;
}

/** Servers of the previous version, which do not read blocks, are upgraded by then. */
const FIRST_AFTER_MS = 15 * MINUTE_MS;
/** A run takes some seconds at most, and the next one follows after a minute. */
const BLOCKS_PER_RUN = 500;

interface PackingOptions {
  readonly pool: Pool;
  readonly instruments: readonly Pick<Instrument, "symbol">[];
  /** Whether the past is being filled, which writes bars without a transaction. */
  readonly isFilling: () => boolean;
  readonly marketNow: Clock;
  readonly log: Logger;
}

/** Packs bars once per hour of the market clock, and goes on after a minute while some are left. */
export function startPacking({ pool, instruments, isFilling, marketNow, log }: PackingOptions): { stop(): void } {
  const startedAtMs = monotonicClock();
  let doneHour: number | null = null;
  const work = async () => {
    const nowMs = marketNow();
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour === doneHour || isFilling() || monotonicClock() - startedAtMs < FIRST_AFTER_MS) return;
    const blocks = await packBars(pool, instruments, { nowMs, limit: BLOCKS_PER_RUN });
    if (blocks < BLOCKS_PER_RUN) doneHour = hour;
    if (blocks > 0) log.info({ blocks }, "bars of closed days packed");
  };
  const repetition = repeat(work, {
    pauseMs: MINUTE_MS,
    onFailure: (error) => log.warn({ err: error }, "bars cannot be packed"),
    onRecovery: () => log.info("bars can be packed again"),
  });
  repetition.start();
  return repetition;
}
