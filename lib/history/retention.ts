import type { Pool } from "pg";
import { TIMEFRAME_MINUTES } from "@/lib/history/bars/bar-rows";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import type { Clock } from "@/lib/platform/clock";
import type { Logger } from "@/lib/platform/log";
import { repeat } from "@/lib/platform/repeat";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** For how many days records are retained. Bars of an hour and longer are never removed. */
export interface RetentionDays {
  readonly ticks: number;
  readonly m1: number;
  /** M5, M15 and M30. */
  readonly m5: number;
  readonly spreads: number;
}

interface RemovalOptions {
  readonly pool: Pool;
  readonly symbols: readonly string[];
  readonly keepDays: RetentionDays;
  /** UTC milliseconds on the market clock. */
  readonly nowMs: number;
  readonly rowsPerStatement?: number;
}

interface RetentionOptions extends Pick<RemovalOptions, "pool" | "symbols" | "keepDays"> {
  readonly keeper: Pick<HistoryKeeper, "onRewritten">;
  readonly marketNow: Clock;
  readonly log: Logger;
}

/** The expired rows of one table, for the symbol `$1`. */
interface Removal {
  readonly table: string;
  readonly where: string;
  readonly values: readonly number[];
}

/** Rows in one statement: it takes some milliseconds, so that other statements run in between. */
const ROWS_PER_STATEMENT = 5_000;

/** When the oldest retained bars of a timeframe opened, UTC milliseconds; null if they are never removed. */
export function getBarRetentionStart(timeframe: Timeframe, keepDays: RetentionDays, nowMs: number): number | null {
  if (timeframe === "M1") return getRetentionStart(keepDays.m1, nowMs);
  return TIMEFRAME_MINUTES[timeframe] < 60 ? getRetentionStart(keepDays.m5, nowMs) : null;
}

function getRetentionStart(days: number, nowMs: number): number {
  return Math.floor((nowMs - days * DAY_MS) / HOUR_MS) * HOUR_MS;
}

/**
 * Removes expired rows, symbol by symbol, in statements of a bounded size, and returns their number. The next run
 * continues an interrupted one.
 */
export async function removeExpired(options: RemovalOptions): Promise<number> {
  const { pool, symbols, keepDays, nowMs, rowsPerStatement = ROWS_PER_STATEMENT } = options;
  const removals = listRemovals(keepDays, nowMs);
  let removed = 0;
  for (const symbol of symbols) {
    for (const removal of removals) removed += await removeRows(pool, symbol, removal, rowsPerStatement);
  }
  return removed;
}

/** Removes expired rows once per hour of the market clock, the first time after a minute. */
export function startRetention({ keeper, marketNow, log, ...options }: RetentionOptions): { stop(): void } {
  let lastHour: number | null = null;
  const work = async () => {
    const nowMs = marketNow();
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour === lastHour) return;
    const rows = await removeExpired({ ...options, nowMs });
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

function listRemovals(keepDays: RetentionDays, nowMs: number): Removal[] {
  const removals: Removal[] = [
    {
      table: "tick_hour",
      where: "symbol = $1 AND hour < $2::int4",
      values: [getRetentionStart(keepDays.ticks, nowMs) / HOUR_MS],
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
    const where = "symbol = $1 AND timeframe = $2::int2 AND time < $3::int4";
    removals.push({ table: "bar", where, values: [TIMEFRAME_MINUTES[timeframe], startMs / 1000] });
  }
  return removals;
}

async function removeRows(pool: Pool, symbol: string, { table, where, values }: Removal, limit: number) {
  const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${limit}))`;
  let removed = 0;
  for (;;) {
    const { rowCount } = await pool.query(text, [symbol, ...values]);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < limit) return removed;
  }
}
