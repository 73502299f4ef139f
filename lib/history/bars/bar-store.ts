import { forgetBars } from "@/lib/history/bars/bar-memory";
import { type BarRow, deleteBars, insertBars, joinHourBars } from "@/lib/history/bars/bar-rows";
import { joinBars, toMinuteBars } from "@/lib/history/bars/point-bar";
import type { HourColumns } from "@/lib/history/hour-columns";
import type { HourStore } from "@/lib/history/hour-store";
import { getBarEnd, getBarStart, type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { HOUR_MS } from "@/lib/time/units";

/** Timeframes whose bars lie within an hour. */
const WITHIN_AN_HOUR = ["M5", "M15", "M30", "H1"] as const satisfies readonly Timeframe[];
/** Timeframes whose bars grow with each hour. */
const BEYOND_AN_HOUR = ["H4", "D1", "W1"] as const satisfies readonly Timeframe[];

/** Statements are built on the thread that serves prices, so each has a bounded number of rows. */
const ROWS_PER_STATEMENT = 2_000;

/** Stores an hour's bars of every timeframe. */
export const barStore: HourStore = {
  async writeHour(client, columns) {
    const hourMs = columns[0]?.hourMs;
    if (hourMs === undefined) return;
    const symbols = columns.map(({ symbol }) => symbol);
    const rows = columns.flatMap(toBarRows);
    const changes = TIMEFRAMES.map((timeframe) => ({ timeframe, sinceMs: getBarStart(timeframe, hourMs) }));
    await forgetBars(client, symbols, changes);
    await deleteBars(client, symbols, hourMs, hourMs + HOUR_MS);
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
      await insertBars(client, rows.slice(at, at + ROWS_PER_STATEMENT));
    }
    for (const timeframe of BEYOND_AN_HOUR) {
      const startMs = getBarStart(timeframe, hourMs);
      await joinHourBars(client, symbols, timeframe, startMs, getBarEnd(timeframe, startMs));
    }
  },
};

function toBarRows(hour: HourColumns): BarRow[] {
  const { symbol } = hour;
  const minutes = toMinuteBars(hour);
  const rows: BarRow[] = minutes.map((bar) => ({ ...bar, symbol, timeframe: "M1" }));
  for (const timeframe of WITHIN_AN_HOUR) {
    for (const bar of joinBars(minutes, timeframe)) rows.push({ ...bar, symbol, timeframe });
  }
  return rows;
}
