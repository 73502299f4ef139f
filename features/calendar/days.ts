import type { CalendarChoice, CalendarRange } from "@/features/calendar/url";
import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { parseDay } from "@/lib/time/iso-time";
import { DAY_MS } from "@/lib/time/units";

/**
 * The days that the calendar shows. A day is a civil date of the chosen zone, written as in "2026-11-22", and counted
 * as that date's midnight in UTC.
 */

export interface Days {
  /** The first and the last day, both included. */
  readonly firstMs: number;
  readonly lastMs: number;
}

type Chosen = Pick<CalendarChoice, "range" | "date">;

/** How many days before and after the present "Up next" shows. */
const NEAR_DAYS = [1, 3] as const;

/** Returns today's date in a zone. */
export function getToday(zone: string, nowMs: number): number {
  const { year, month, day } = toCivilTime(zone, nowMs);
  return Date.UTC(year, month - 1, day);
}

/**
 * Returns the days of a choice. A week lasts from Sunday to Saturday, because trading begins on Sunday in every zone
 * west of Sydney.
 */
export function getDays({ range, date }: Chosen, todayMs: number): Days {
  const dayMs = (date === null ? null : parseDay(date)) ?? todayMs;
  const day = new Date(dayMs);
  switch (range) {
    case "near":
      return { firstMs: dayMs - NEAR_DAYS[0] * DAY_MS, lastMs: dayMs + NEAR_DAYS[1] * DAY_MS };
    case "today":
      return { firstMs: dayMs, lastMs: dayMs };
    case "week": {
      const sundayMs = dayMs - day.getUTCDay() * DAY_MS;
      return { firstMs: sundayMs, lastMs: sundayMs + 6 * DAY_MS };
    }
    case "month": {
      const at = (month: number) => Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + month, 1);
      return { firstMs: at(0), lastMs: at(1) - DAY_MS };
    }
  }
}

/** Returns when a date begins in a zone. `dayMs` is the date's midnight in UTC. */
export function toMidnight(zone: string, dayMs: number): number {
  const date = new Date(dayMs);
  return zonedTimeToUtcMs(zone, date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), 0);
}

/** Writes a day as a date: "2026-11-22". */
export function toDate(dayMs: number): string {
  return new Date(dayMs).toISOString().slice(0, 10);
}

/** Whether a choice shows the present. */
export function hasToday(choice: Chosen, todayMs: number): boolean {
  const { firstMs, lastMs } = getDays(choice, todayMs);
  return firstMs <= todayMs && todayMs <= lastMs;
}

/** Returns the date of the days before or after a choice; null where they include today. */
export function findStepDate(choice: Chosen, todayMs: number, step: -1 | 1): string | null {
  const { firstMs, lastMs } = getDays(choice, todayMs);
  const date = toDate(step === -1 ? firstMs - DAY_MS : lastMs + DAY_MS);
  return hasToday({ ...choice, date }, todayMs) ? null : date;
}

/** What the buttons beside a range step by. */
export const STEPS: Readonly<Record<CalendarRange, string>> = {
  near: "days",
  today: "day",
  week: "week",
  month: "month",
};

const write = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
const SHORT = write({ day: "numeric", month: "short" });
const DAY = write({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const MONTH = write({ month: "long", year: "numeric" });

/** Formats the days of a range: "22 Nov – 28 Nov 2026", "Sunday 22 November 2026", "November 2026". */
export function formatDays(range: CalendarRange, { firstMs, lastMs }: Days): string {
  if (range === "month") return MONTH.format(firstMs);
  if (firstMs === lastMs) return DAY.format(firstMs).replace(",", "");
  return `${SHORT.format(firstMs)} – ${SHORT.format(lastMs)} ${new Date(lastMs).getUTCFullYear()}`;
}
