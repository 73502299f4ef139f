import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_HOUR_MS, WEEK_MS } from "@/lib/time/units";
import { getZoneOffsetMs } from "@/lib/time/zone-offset";

/** The timeframes, shortest first. */
export const TIMEFRAMES = ["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

/** How programs write the units of a timeframe. A capital M behind a number is a month elsewhere, and no minute. */
const UNITS: readonly (readonly [unit: string, spelling: RegExp])[] = [
  ["M", /^(?:m|min)$/],
  ["H", /^(?:h|hour)$/i],
  ["D", /^(?:d|day)$/i],
  ["W", /^(?:w|week)$/i],
];

/** Reads the spellings "H1", "h1", "1h" and "1hour" of a timeframe; undefined for other texts. */
export function readTimeframe(text: string): Timeframe | undefined {
  const exact = TIMEFRAMES.find((name) => name === text.toUpperCase());
  if (exact !== undefined) return exact;
  const [, count = "", unit = ""] = /^(\d{1,2})([a-z]{1,4})$/i.exec(text) ?? [];
  const letter = UNITS.find(([, spelling]) => spelling.test(unit))?.[0];
  return TIMEFRAMES.find((name) => name === `${letter}${count}`);
}

const H4_MS = 4 * HOUR_MS;

/** Lengths of the timeframes that are aligned to the UTC clock; the longer ones follow New York's clock. */
const FIXED_MS: Partial<Record<Timeframe, number>> = {
  M1: MINUTE_MS,
  M5: 5 * MINUTE_MS,
  M15: QUARTER_HOUR_MS,
  M30: 30 * MINUTE_MS,
  H1: HOUR_MS,
};

const NEW_YORK = "America/New_York";
/** The trading day changes at 17:00 in New York, so that a week of spot trading has five daily bars. */
const DAY_START_MS = 17 * HOUR_MS;
const LAST_H4 = 5;

/**
 * When the bar that contains `atMs` opened; UTC milliseconds in and out. H4 bars are counted from the start of the
 * trading day, so that the last one is an hour shorter or longer on the day of a clock change. Weeks begin on Sunday at
 * 17:00 in New York.
 */
export function getBarStart(timeframe: Timeframe, atMs: number): number {
  const fixed = FIXED_MS[timeframe];
  if (fixed !== undefined) return Math.floor(atMs / fixed) * fixed;
  if (timeframe === "W1") return findDayStart(atMs, true);
  const day = findDayStart(atMs, false);
  if (timeframe === "D1") return day;
  return day + Math.min(Math.floor((atMs - day) / H4_MS), LAST_H4) * H4_MS;
}

/** When the bar that opened at `startMs` ends and the next one opens. */
export function getBarEnd(timeframe: Timeframe, startMs: number): number {
  const fixed = FIXED_MS[timeframe];
  if (fixed !== undefined) return startMs + fixed;
  if (timeframe === "W1") return findLaterDayStart(startMs, 7);
  const nextDay = findLaterDayStart(findDayStart(startMs, false), 1);
  if (timeframe === "D1") return nextDay;
  const isLast = startMs + H4_MS + HOUR_MS >= nextDay;
  return isLast ? nextDay : startMs + H4_MS;
}

/** The length of a bar in a week without a clock change, in milliseconds. */
export function getUsualBarMs(timeframe: Timeframe): number {
  const known = FIXED_MS[timeframe];
  if (known !== undefined) return known;
  return timeframe === "H4" ? H4_MS : timeframe === "D1" ? DAY_MS : WEEK_MS;
}

/**
 * The time of the trading day at a moment, UTC milliseconds: as the milliseconds at which a UTC clock shows it, with
 * midnight at 17:00 in New York. The day from Sunday 17:00 to Monday 17:00 is Monday.
 */
export function toTradingClock(utcMs: number): number {
  return utcMs + getZoneOffsetMs(NEW_YORK, utcMs) + DAY_MS - DAY_START_MS;
}

/** The latest 17:00 in New York at or before a moment; with `ofWeek`, the latest on a Sunday. */
function findDayStart(atMs: number, ofWeek: boolean): number {
  const { year, month, day, weekday, msOfDay } = toCivilTime(NEW_YORK, atMs);
  const daysBack = msOfDay >= DAY_START_MS ? 0 : 1;
  const turnWeekday = (weekday - daysBack + 7) % 7;
  return zonedTimeToUtcMs(NEW_YORK, year, month, day - daysBack - (ofWeek ? turnWeekday : 0), DAY_START_MS);
}

function findLaterDayStart(turnMs: number, days: number): number {
  const { year, month, day } = toCivilTime(NEW_YORK, turnMs);
  return zonedTimeToUtcMs(NEW_YORK, year, month, day + days, DAY_START_MS);
}
