import type { SessionHours } from "@/lib/market/sessions/session-hours";
import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { cutOut, DAY_MS, HOUR_MS, MINUTE_MS, type Span, WEEK_MS } from "@/lib/time/units";

/**
 * Computes one session's hours week by week. A week begins and ends on Sunday at 22:00 UTC and is closed from Friday
 * 22:00 on.
 */

/** Sunday 1970-01-04 22:00 UTC. */
const FIRST_WEEK_MS = 3 * DAY_MS + 22 * HOUR_MS;
const WEEKEND_MS = 2 * DAY_MS;

export function getWeek(atMs: number): number {
  return Math.floor((atMs - FIRST_WEEK_MS) / WEEK_MS);
}

export function getWeekStart(week: number): number {
  return FIRST_WEEK_MS + week * WEEK_MS;
}

/**
 * Friday 22:00 to Sunday 22:00 UTC at the end of a week: all sessions are closed, even if a local clock says otherwise.
 */
export function getWeekend(week: number): Span {
  const untilMs = getWeekStart(week + 1);
  return { fromMs: untilMs - WEEKEND_MS, untilMs };
}

export function isWeekend(atMs: number): boolean {
  return getWeekend(getWeek(atMs)).fromMs <= atMs;
}

export interface SessionWeek {
  readonly open: readonly Span[];
  /** The hours that holidays removed. */
  readonly holidays: readonly Span[];
}

/** A session's spans in a week, in order. `isHoliday` receives local dates such as "2026-05-04". */
export function findSessionWeek(
  { zone, opensAtMinute, closesAtMinute }: SessionHours,
  isHoliday: (date: string) => boolean,
  week: number,
): SessionWeek {
  const startMs = getWeekStart(week);
  const endMs = getWeekend(week).fromMs;
  const { year, month, day } = toCivilTime(zone, startMs);
  const open: Span[] = [];
  const holidays: Span[] = [];
  const closures = [year, year + 1].flatMap(getMarketHolidays);
  for (let ahead = -1; ahead <= 6; ahead++) {
    const local = new Date(Date.UTC(year, month - 1, day + ahead));
    if (local.getUTCDay() === 0 || local.getUTCDay() === 6) continue;
    const fromMs = Math.max(startMs, zonedTimeToUtcMs(zone, year, month, day + ahead, opensAtMinute * MINUTE_MS));
    const untilMs = Math.min(endMs, zonedTimeToUtcMs(zone, year, month, day + ahead, closesAtMinute * MINUTE_MS));
    if (fromMs >= untilMs) continue;
    const usual = { fromMs, untilMs };
    if (isHoliday(local.toISOString().slice(0, 10))) {
      holidays.push(usual);
      continue;
    }
    const left = closures.reduce<Span[]>((spans, gap) => spans.flatMap((span) => cutOut(span, gap)), [usual]);
    open.push(...left);
    holidays.push(...left.reduce<Span[]>((spans, gap) => spans.flatMap((span) => cutOut(span, gap)), [usual]));
  }
  return { open, holidays };
}

/**
 * The two days on which the whole market is closed, 1 January and 25 December: from 22:00 UTC of the evening before to
 * 22:00 UTC of the day, the hour at which the week closes too.
 */
export function getMarketHolidays(year: number): Span[] {
  return [Date.UTC(year, 0, 1, 22), Date.UTC(year, 11, 25, 22)].map((untilMs) => ({
    fromMs: untilMs - DAY_MS,
    untilMs,
  }));
}
