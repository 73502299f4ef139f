import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { HOUR_MS, MINUTE_MS, QUARTER_HOUR_MS } from "@/lib/time/units";

/** The bar lengths of the field, shortest first. */
export const TIMEFRAMES = ["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

const H4_MS = 4 * HOUR_MS;

/** Lengths of the timeframes that are aligned to the UTC clock; the longer ones follow New York's. */
const FIXED_MS: Partial<Record<Timeframe, number>> = {
  M1: MINUTE_MS,
  M5: 5 * MINUTE_MS,
  M15: QUARTER_HOUR_MS,
  M30: 30 * MINUTE_MS,
  H1: HOUR_MS,
};

const NEW_YORK = "America/New_York";
/** The trading day ends, and the next begins, at 17:00 in New York, so that a week of spot trading has five daily bars. */
const DAY_TURN_MS = 17 * HOUR_MS;
const LAST_H4 = 5;

/**
 * When the bar that holds the moment `atMs` opened; UTC milliseconds in and out. H4 bars are counted from the day's
 * turn, so that on a day of a clock change the last one is an hour shorter or longer; weeks begin at Sunday's turn.
 */
export function getBarStart(timeframe: Timeframe, atMs: number): number {
  const fixed = FIXED_MS[timeframe];
  if (fixed !== undefined) return Math.floor(atMs / fixed) * fixed;
  if (timeframe === "W1") return turnOnOrBefore(atMs, true);
  const day = turnOnOrBefore(atMs, false);
  if (timeframe === "D1") return day;
  return day + Math.min(Math.floor((atMs - day) / H4_MS), LAST_H4) * H4_MS;
}

/** When the bar that opened at `startMs` ends, which is when the next one opens. */
export function getBarEnd(timeframe: Timeframe, startMs: number): number {
  const fixed = FIXED_MS[timeframe];
  if (fixed !== undefined) return startMs + fixed;
  if (timeframe === "W1") return turnAfter(startMs, 7);
  const nextDay = turnAfter(turnOnOrBefore(startMs, false), 1);
  if (timeframe === "D1") return nextDay;
  const isLast = startMs + H4_MS + HOUR_MS >= nextDay;
  return isLast ? nextDay : startMs + H4_MS;
}

/** The latest 17:00 in New York at or before a moment; of a Sunday, when a week is asked for. */
function turnOnOrBefore(atMs: number, ofWeek: boolean): number {
  const { year, month, day, weekday, msOfDay } = toCivilTime(NEW_YORK, atMs);
  const daysBack = msOfDay >= DAY_TURN_MS ? 0 : 1;
  const turnWeekday = (weekday - daysBack + 7) % 7;
  return zonedTimeToUtcMs(NEW_YORK, year, month, day - daysBack - (ofWeek ? turnWeekday : 0), DAY_TURN_MS);
}

function turnAfter(turnMs: number, days: number): number {
  const { year, month, day } = toCivilTime(NEW_YORK, turnMs);
  return zonedTimeToUtcMs(NEW_YORK, year, month, day + days, DAY_TURN_MS);
}
