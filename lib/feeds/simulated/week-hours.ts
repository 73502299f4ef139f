import type { SessionName } from "@/lib/market/sessions/session-hours";
import { getOpenSessions } from "@/lib/market/sessions/sessions";
import { DAY_MS, HOUR_MS, WEEK_MS } from "@/lib/time/units";

/** Weeks are counted from Sunday 1970-01-04 00:00 UTC, so that each begins and ends while most markets are closed. */
const FIRST_WEEK_MS = 3 * DAY_MS;
const HOURS = WEEK_MS / HOUR_MS;

export function findWeek(atMs: number): number {
  return Math.floor((atMs - FIRST_WEEK_MS) / WEEK_MS);
}

export function getWeekStartMs(week: number): number {
  return FIRST_WEEK_MS + week * WEEK_MS;
}

interface HourOfWeek {
  readonly open: readonly SessionName[];
  readonly isWeekend: boolean;
  /** Hours since New York closed; negative before the close, 24 when there is no close near. */
  readonly sinceNewYork: number;
}

function listHours(week: number): HourOfWeek[] {
  // Includes the hour before the week and the one after it.
  const opens = Array.from({ length: HOURS + 2 }, (_, at) =>
    getOpenSessions(getWeekStartMs(week) + (at - 1) * HOUR_MS),
  );
  const isNewYorkOpen = opens.map((open) => open.includes("new_york"));
  return Array.from({ length: HOURS }, (_, hour) => {
    const open = opens[hour + 1] as readonly SessionName[];
    const [before, now, after] = isNewYorkOpen.slice(hour, hour + 3);
    const day = Math.floor(hour / 24);
    // The weekday evenings between New York's close and Sydney's opening are quiet, but not a weekend.
    const isWeekend = open.length === 0 && (day === 0 || day === 6 || (day === 5 && hour % 24 > 12));
    return reuseEqualHour({ open, isWeekend, sinceNewYork: before && !now ? 0 : now && !after ? -1 : 24 });
  });
}

const differentHours = new Map<string, HourOfWeek>();

/** There are only a few dozen different hours, so thousands of cached weeks share them. */
function reuseEqualHour(hour: HourOfWeek): HourOfWeek {
  const kind = JSON.stringify(hour);
  const known = differentHours.get(kind) ?? hour;
  differentHours.set(kind, known);
  return known;
}

const MAX_CACHED_WEEKS = 2_000;
const hoursByWeek = new Map<number, HourOfWeek[]>();

/** The hours are the same for all assets, and expensive to compute: four cities' clocks are read for every hour. */
export function findHours(week: number): HourOfWeek[] {
  let hours = hoursByWeek.get(week);
  if (hours === undefined) {
    if (hoursByWeek.size >= MAX_CACHED_WEEKS) hoursByWeek.clear();
    hours = listHours(week);
    hoursByWeek.set(week, hours);
  }
  return hours;
}
