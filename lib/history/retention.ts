import type { Pool } from "pg";
import { TIMEFRAME_MINUTES } from "@/lib/history/bars/bar-rows";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import type { Timeframe } from "@/lib/market/timeframe";
import type { Clock } from "@/lib/platform/clock";
import type { Logger } from "@/lib/platform/log";
import { repeat } from "@/lib/platform/repeat";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** How long what was recorded is kept, in days. Bars of an hour and longer are kept for good. */
export interface RetentionDays {
  readonly ticks: number;
  readonly m1: number;
  /** M5, M15 and M30. */
  readonly m5: number;
  readonly spreads: number;
}

const CHECK_MS = MINUTE_MS;
/** Rows in one statement: some milliseconds, so that others get in between. */
const ROWS_A_STATEMENT = 5_000;

interface Options {
  readonly pool: Pool;
  readonly symbols: readonly string[];
  readonly keepDays: RetentionDays;
  /** UTC milliseconds on the market clock. */
  readonly nowMs: number;
  readonly rowsAStatement?: number;
}

/** The moment before which bars of a timeframe are not kept, UTC milliseconds; null where they are kept for good. */
export function getBarRetentionStart(timeframe: Timeframe, keepDays: RetentionDays, nowMs: number): number | null {
  const days = timeframe === "M1" ? keepDays.m1 : TIMEFRAME_MINUTES[timeframe] < 60 ? keepDays.m5 : null;
  return days === null ? null : Math.floor((nowMs - days * DAY_MS) / HOUR_MS) * HOUR_MS;
}

/**
 * Removes what is older than it is to be kept, symbol by symbol, in statements of a bounded size; says how many rows
 * went. What was begun and cut short is finished by the next run.
 */
export async function removeExpired({
  pool,
  symbols,
  keepDays,
  nowMs,
  rowsAStatement = ROWS_A_STATEMENT,
}: Options): Promise<number> {
  const daysAgo = (days: number) => Math.floor((nowMs - days * DAY_MS) / HOUR_MS);
  const bars = (timeframe: Timeframe, days: number): Removal => ({
    table: "bar",
    where: "symbol = $1 AND timeframe = $2::int2 AND time < $3::int4",
    values: [TIMEFRAME_MINUTES[timeframe], daysAgo(days) * 3_600],
  });
  const removals: readonly Removal[] = [
    { table: "tick_hour", where: "symbol = $1 AND hour < $2::int4", values: [daysAgo(keepDays.ticks)] },
    {
      table: "spread_hour",
      where: "symbol = $1 AND hour < to_timestamp($2::float8)",
      values: [daysAgo(keepDays.spreads) * 3_600],
    },
    bars("M1", keepDays.m1),
    ...(["M5", "M15", "M30"] as const).map((timeframe) => bars(timeframe, keepDays.m5)),
  ];
  let removed = 0;
  for (const symbol of symbols) {
    for (const removal of removals) removed += await removeRows(pool, symbol, removal, rowsAStatement);
  }
  return removed;
}

interface RetentionOptions extends Pick<Options, "pool" | "symbols" | "keepDays"> {
  readonly keeper: Pick<HistoryKeeper, "onRewritten">;
  readonly marketNow: Clock;
  readonly log: Logger;
}

/** Removes what is old once an hour of the market clock, the first time a minute from now. */
export function startRetention({ keeper, marketNow, log, ...options }: RetentionOptions): { stop(): void } {
  let doneHour = NaN;
  const work = async () => {
    const nowMs = marketNow();
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour === doneHour) return;
    const removed = await removeExpired({ ...options, nowMs });
    doneHour = hour;
    if (removed === 0) return;
    keeper.onRewritten();
    log.info({ rows: removed }, "removed what is older than it is to be kept");
  };
  const working = repeat(work, {
    pauseMs: CHECK_MS,
    onFailure: (error) => log.warn({ err: error }, "what is old could not be removed"),
    onRecovery: () => log.info("what is old can be removed again"),
  });
  working.start();
  return working;
}

interface Removal {
  readonly table: string;
  readonly where: string;
  readonly values: readonly number[];
}

async function removeRows(pool: Pool, symbol: string, { table, where, values }: Removal, most: number) {
  const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${most}))`;
  let removed = 0;
  for (;;) {
    const { rowCount } = await pool.query(text, [symbol, ...values]);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < most) return removed;
  }
}
