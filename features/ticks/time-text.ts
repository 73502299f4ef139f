import type { Timeframe } from "@/lib/market/timeframe";
import { DAY_MS } from "@/lib/time/units";

/** "2026-11-21 13:05", UTC. */
export const formatDateTime = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");

/** "13:05", UTC. */
export const formatMinute = (ms: number) => new Date(ms).toISOString().slice(11, 16);

/** "13:05:09", UTC. */
export const formatSecond = (ms: number) => new Date(ms).toISOString().slice(11, 19);

/**
 * Formats the time of a bar on the axis: the time of day of short bars, the day of longer ones, or the month and the year
 * where all bars together are longer than a year: "13:05", "21 Nov", "Nov 2026".
 */
export function formatBarTime(ms: number, timeframe: Timeframe, spanMs: number): string {
  if (!["H4", "D1", "W1"].includes(timeframe)) return formatMinute(ms);
  return (spanMs > YEAR_MS ? monthYear : dayMonth).format(ms);
}

const YEAR_MS = 365 * DAY_MS;
const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const monthYear = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });
