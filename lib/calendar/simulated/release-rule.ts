import { DAY_MS, WEEK_MS } from "@/lib/time/units";

/** The days on which a release is published. */
export type ReleaseRule =
  | { readonly every: "week"; readonly weekday: number }
  | {
      readonly every: "month";
      /** 1–12; all months by default. */
      readonly months?: readonly number[];
      readonly on: DayOfMonth;
    };

export type DayOfMonth =
  /** The nth of a weekday, 0 being Sunday: `nth: 1, weekday: 5` is the first Friday. */
  | { readonly nth: number; readonly weekday: number }
  /** A date, or the Monday after a date on a weekend. */
  | { readonly day: number }
  /** The nth day from Monday to Friday. */
  | { readonly workday: number };

/** A civil day, as its midnight in UTC milliseconds. It has no time zone. */
export type Day = number;

/** Every day from `fromDay` to `toDay`, both inclusive, on which the rule has a release. */
export function listReleaseDays(rule: ReleaseRule, fromDay: Day, toDay: Day): Day[] {
  const days: Day[] = [];
  if (rule.every === "week") {
    const first = fromDay + ((rule.weekday - getWeekday(fromDay) + 7) % 7) * DAY_MS;
    for (let day = first; day <= toDay; day += WEEK_MS) days.push(day);
    return days;
  }
  const from = new Date(fromDay);
  for (let month = from.getUTCMonth(), year = from.getUTCFullYear(); Date.UTC(year, month) <= toDay; month++) {
    const first = Date.UTC(year, month);
    if (rule.months !== undefined && !rule.months.includes(new Date(first).getUTCMonth() + 1)) continue;
    const day = findDayInMonth(rule.on, first);
    if (day >= fromDay && day <= toDay) days.push(day);
  }
  return days;
}

function findDayInMonth(on: DayOfMonth, first: Day): Day {
  if ("nth" in on) return first + (((on.weekday - getWeekday(first) + 7) % 7) + (on.nth - 1) * 7) * DAY_MS;
  if ("day" in on) return skipWeekend(first + (on.day - 1) * DAY_MS);
  let day = skipWeekend(first);
  for (let left = on.workday - 1; left > 0; left--) day = skipWeekend(day + DAY_MS);
  return day;
}

function skipWeekend(day: Day): Day {
  const weekday = getWeekday(day);
  return day + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0) * DAY_MS;
}

function getWeekday(day: Day): number {
  return new Date(day).getUTCDay();
}
