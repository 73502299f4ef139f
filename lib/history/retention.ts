import type { Pool } from "pg";
import { rememberBars, rememberUntil } from "@/lib/history/bars/bar-memory";
import { TIMEFRAME_MINUTES } from "@/lib/history/bars/bar-rows";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import { expireUndo } from "@/lib/history/import/import-runs";
import type { Instrument } from "@/lib/market/instrument";
import { findParts, isStored, type StoredTimeframe, type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { repeat } from "@/lib/platform/timing/repeat";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** For how many days records are retained. Bars of an hour and longer, and imported ticks and bars, are never removed. */
export interface RetentionDays {
  readonly ticks: number;
  readonly m1: number;
  /** M5, M15 and M30. */
  readonly m5: number;
  readonly spreads: number;
}

interface RemovalOptions {
  readonly pool: Pool;
  readonly instruments: readonly Pick<Instrument, "symbol" | "tradingHours">[];
  readonly keepDays: RetentionDays;
  /** UTC milliseconds on the market clock. */
  readonly nowMs: number;
  readonly rowsPerStatement?: number;
}

interface RetentionOptions extends Pick<RemovalOptions, "pool" | "instruments" | "keepDays"> {
  readonly keeper: Pick<HistoryKeeper, "onRewritten" | "findGrowthStarts">;
  /** Whether the past is being filled. Its bars are remembered afterwards. */
  readonly isFilling: () => boolean;
  readonly marketNow: Clock;
  readonly log: Logger;
}

/** The expired rows of one table. */
interface ExpiredRows {
  readonly table: string;
  readonly where: string;
  readonly values: readonly (string | number)[];
}

/** The expired rows of a symbol, which is `$1` before the values. */
interface Removal extends ExpiredRows {
  /** For bars: when the oldest retained one opened. What indicators remember of the others stays. */
  readonly bars?: { readonly timeframe: StoredTimeframe; readonly startMs: number; readonly fromMs: number };
}

/** Rows in one statement: it takes some milliseconds, so that other statements run in between. */
const ROWS_PER_STATEMENT = 5_000;

/** When the oldest retained bars of a timeframe opened, UTC milliseconds; null if they are never removed. */
export function getBarRetentionStart(timeframe: Timeframe, keepDays: RetentionDays, nowMs: number): number | null {
  const days = getBarRetentionDays(timeframe, keepDays);
  return days === null ? null : getRetentionStart(days, nowMs);
}

/** For how many days bars of a timeframe are retained; null if they are never removed. */
export function getBarRetentionDays(timeframe: Timeframe, keepDays: RetentionDays): number | null {
  const part = isStored(timeframe) ? timeframe : findParts(timeframe);
  if (part === "S1") return keepDays.ticks;
  if (part === "M1") return keepDays.m1;
  return TIMEFRAME_MINUTES[part] < 60 ? keepDays.m5 : null;
}

export function getRetentionStart(days: number, nowMs: number): number {
  return Math.floor((nowMs - days * DAY_MS) / HOUR_MS) * HOUR_MS;
}

/**
 * Removes expired rows, symbol by symbol, in statements of a bounded size, and returns their number. The next run
 * continues an interrupted one. What indicators remember of removed bars is stored first, so that no value changes.
 */
export async function removeExpired(options: RemovalOptions): Promise<number> {
  const { pool, instruments, keepDays, nowMs, rowsPerStatement = ROWS_PER_STATEMENT } = options;
  const marks = await readMarks(pool);
  const removals = listRemovals(keepDays, nowMs, marks);
  let removed = 0;
  for (const instrument of instruments) {
    for (const removal of removals) {
      if (removal.bars !== undefined) await rememberUntil(pool, instrument, removal.bars);
      const values = [instrument.symbol, ...removal.values];
      removed += await removeRows(pool, { ...removal, values }, rowsPerStatement);
    }
  }
  removed += await removeRows(pool, listChainRemoval(keepDays, nowMs, marks), rowsPerStatement);
  const ticksStartMs = getRetentionStart(keepDays.ticks, nowMs);
  for (const expired of listLogs(ticksStartMs)) removed += await removeRows(pool, expired, rowsPerStatement);
  await writeMarks(pool, keepDays, nowMs);
  return removed;
}

/**
 * Stores what indicators remember of new bars, and removes expired rows: once per hour of the market clock, the first
 * time after a minute.
 */
export function startRetention(options: RetentionOptions): { stop(): void } {
  const { keeper, pool, instruments, isFilling, marketNow, log } = options;
  let lastHour: number | null = null;
  const work = async () => {
    const nowMs = marketNow();
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour === lastHour || isFilling()) return;
    await rememberBars(pool, instruments, keeper.findGrowthStarts());
    const rows = await removeExpired({ ...options, nowMs });
    await expireUndo(pool);
    lastHour = hour;
    if (rows === 0) return;
    keeper.onRewritten();
    log.info({ rows }, "expired rows removed");
  };
  const repetition = repeat(work, {
    pauseMs: MINUTE_MS,
    onFailure: (error) => log.warn({ err: error }, "retention failed"),
    onRecovery: () => log.info("retention resumed"),
  });
  repetition.start();
  return repetition;
}

/** Up to which moment expired rows were removed before, by timeframe in minutes, or 0 for ticks: UTC milliseconds. */
type Marks = ReadonlyMap<number, number>;

const TICKS = 0;

async function readMarks(pool: Pool): Promise<Marks> {
  const { rows } = await pool.query<{ timeframe: number; until: number }>("SELECT * FROM retention_mark");
  return new Map(rows.map(({ timeframe, until }) => [timeframe, until * 1000]));
}

async function writeMarks(pool: Pool, keepDays: RetentionDays, nowMs: number): Promise<void> {
  const marks: [number, number][] = [[TICKS, getRetentionStart(keepDays.ticks, nowMs)]];
  for (const timeframe of TIMEFRAMES) {
    const startMs = getBarRetentionStart(timeframe, keepDays, nowMs);
    if (startMs !== null) marks.push([TIMEFRAME_MINUTES[timeframe], startMs]);
  }
  await pool.query(
    `INSERT INTO retention_mark SELECT * FROM unnest($1::int2[], $2::int4[])
     ON CONFLICT (timeframe) DO UPDATE SET until = excluded.until`,
    [marks.map(([timeframe]) => timeframe), marks.map(([, untilMs]) => untilMs / 1000)],
  );
}

/** The rows of no single symbol that end before a moment. */
function listLogs(startMs: number): ExpiredRows[] {
  return [
    {
      table: "book_log",
      where: "since < $1::int4 AND until <= $1::int4",
      values: [startMs / SECOND_MS],
    },
    { table: "tape_run", where: "until <= $1::int8", values: [startMs] },
  ];
}

/**
 * What retention removes at a moment of the market clock, UTC milliseconds.
 * @param marks up to when it was removed before; without them from the beginning
 */
export function listRemovals(keepDays: RetentionDays, nowMs: number, marks: Marks = new Map()): Removal[] {
  /** A mark after the start was made with another clock or setting. */
  const findFrom = (timeframe: number, startMs: number) => {
    const markMs = marks.get(timeframe) ?? 0;
    return markMs <= startMs ? markMs : 0;
  };
  const ticksStartMs = getRetentionStart(keepDays.ticks, nowMs);
  const removals: Removal[] = [
    {
      table: "tick_hour",
      where: `symbol = $1 AND hour < $2::int4 AND hour >= $3::int4
              AND NOT EXISTS (SELECT FROM import_hour WHERE import_hour.symbol = tick_hour.symbol
                                 AND import_hour.hour = tick_hour.hour AND timeframe = ${TICKS})`,
      values: [ticksStartMs / HOUR_MS, findFrom(TICKS, ticksStartMs) / HOUR_MS],
    },
    { table: "tape_hour", where: "symbol = $1 AND hour < $2::int4", values: [ticksStartMs / HOUR_MS] },
    {
      table: "quality_hour",
      where: "symbol = $1 AND hour < $2::int4",
      values: [ticksStartMs / HOUR_MS],
    },
    {
      table: "spread_hour",
      where: "symbol = $1 AND hour < to_timestamp($2::float8)",
      values: [getRetentionStart(keepDays.spreads, nowMs) / 1000],
    },
  ];
  for (const timeframe of TIMEFRAMES) {
    const startMs = getBarRetentionStart(timeframe, keepDays, nowMs);
    if (startMs === null) continue;
    const fromMs = findFrom(TIMEFRAME_MINUTES[timeframe], startMs);
    removals.push({
      table: "bar",
      where: "symbol = $1 AND timeframe = $2::int2 AND time < $3::int4 AND time >= $4::int4 AND origin IS NULL",
      values: [TIMEFRAME_MINUTES[timeframe], startMs / 1000, fromMs / 1000],
      bars: { timeframe, startMs, fromMs },
    });
    removals.push({
      table: "bar_pack",
      where: "symbol = $1 AND timeframe = $2::int2 AND until < $3::int4 AND origin IS NULL",
      values: [TIMEFRAME_MINUTES[timeframe], startMs / 1000],
    });
  }
  return removals;
}

/** The links of days without ticks, except the last of each chain, which the head of its day covers. */
function listChainRemoval(keepDays: RetentionDays, nowMs: number, marks: Marks): ExpiredRows {
  const startMs = getRetentionStart(keepDays.ticks, nowMs);
  const markMs = marks.get(TICKS) ?? 0;
  const fromMs = markMs <= startMs ? markMs : 0;
  return {
    table: "hour_proof",
    where: `day < $1::int4 AND day >= $2::int4
            AND EXISTS (SELECT FROM hour_proof AS later WHERE later.day = hour_proof.day
                           AND later.symbol = hour_proof.symbol AND later.seq > hour_proof.seq)
            AND NOT EXISTS (SELECT FROM tick_hour WHERE tick_hour.symbol = hour_proof.symbol
                               AND tick_hour.hour >= hour_proof.day * 24 AND tick_hour.hour < (hour_proof.day + 1) * 24)`,
    values: [Math.floor(startMs / DAY_MS), Math.floor(fromMs / DAY_MS) - 1],
  };
}

async function removeRows(pool: Pool, { table, where, values }: ExpiredRows, limit: number) {
  const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${limit}))`;
  let removed = 0;
  for (;;) {
    const { rowCount } = await pool.query(text, [...values]);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < limit) return removed;
  }
}
