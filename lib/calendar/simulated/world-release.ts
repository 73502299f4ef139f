import type { Certainty, Impact } from "@/lib/calendar/event";
import { DAY_MS, WEEK_MS } from "@/lib/time/units";

/** One recurring release: when and where it is published, and the size of its numbers. */
export interface WorldRelease {
  readonly currency: string;
  /** The title in the primary stream, without its period; null if only the secondary stream lists it. */
  readonly primary: string | null;
  /** The title in the secondary stream; null if only the primary stream lists it. */
  readonly secondary: string | null;
  readonly impact: Impact;
  readonly zone: string;
  /** Local time of day, "08:30". */
  readonly at: string;
  readonly rule: ReleaseRule;
  readonly certainty: Certainty;
  /** Null for statements, speeches and holidays, which have no figure. */
  readonly figure: FigureModel | null;
}

/** A figure that varies around `middle`. */
export interface FigureModel {
  readonly middle: number;
  readonly swing: number;
  readonly decimals: number;
  readonly unit: string;
  readonly kind: "measure" | "policy rate" | "auction yield";
}

/** The titles of both streams: one for both, or one each; null for the stream that does not list the release. */
type Titles = string | readonly [primary: string | null, secondary: string | null];

type Line = readonly [
  titles: Titles,
  impact: Impact,
  at: string,
  rule: ReleaseRule,
  figure: FigureModel | null,
  certainty?: Certainty,
];

/** The months in which central banks meet, and those of quarterly figures. */
export const MEETINGS = {
  fed: [1, 3, 4, 6, 7, 9, 10, 12],
  ecb: [1, 3, 4, 6, 7, 9, 10, 12],
  boe: [2, 3, 5, 6, 8, 9, 11, 12],
  boc: [1, 3, 4, 6, 7, 9, 10, 12],
  boj: [1, 3, 4, 6, 7, 9, 10, 12],
  rba: [2, 3, 5, 6, 8, 9, 11, 12],
  rbnz: [2, 4, 5, 7, 8, 10, 11],
  quarters: [3, 6, 9, 12],
  midQuarters: [2, 5, 8, 11],
  quarterStarts: [1, 4, 7, 10],
};

/** Turns the lines of one currency, whose times are local to one zone, into releases. */
export function listReleases(currency: string, zone: string, lines: readonly Line[]): WorldRelease[] {
  return lines.map(([titles, impact, at, rule, model, certainty = "exact"]) => {
    const [primary, secondary] = typeof titles === "string" ? [titles, toSecondary(titles)] : titles;
    return { currency, zone, primary, secondary, impact, at, rule, certainty, figure: model };
  });
}

/** The streams write a comparison's base differently: "CPI (MoM)" in the primary is "CPI m/m" in the secondary. */
function toSecondary(title: string): string {
  return title.replace(/ \(([MQY])o([MQY])\)$/, (_, of: string, base: string) => ` ${of}/${base}`.toLowerCase());
}

export function day(date: number, months?: readonly number[]): ReleaseRule {
  return monthly({ day: date }, months);
}

export function nth(count: number, weekday: number, months?: readonly number[]): ReleaseRule {
  return monthly({ nth: count, weekday }, months);
}

export function workday(count: number): ReleaseRule {
  return monthly({ workday: count });
}

export function weekly(weekday: number): ReleaseRule {
  return { every: "week", weekday };
}

function monthly(on: DayOfMonth, months?: readonly number[]): ReleaseRule {
  return months === undefined ? { every: "month", on } : { every: "month", on, months };
}

export function figure(middle: number, swing: number, unit: string, decimals = 1): FigureModel {
  return { middle, swing, decimals, unit, kind: "measure" };
}

/** A central bank's rate: it moves by quarters of a percent. */
export function rate(middle: number): FigureModel {
  return { middle, swing: 0.25, decimals: 2, unit: "%", kind: "policy rate" };
}

/** The yield at which debt is sold. */
export function auction(middle: number): FigureModel {
  return { middle, swing: 0.12, decimals: 2, unit: "%", kind: "auction yield" };
}

/** The days on which a release is published. */
type ReleaseRule =
  | { readonly every: "week"; readonly weekday: number }
  | {
      readonly every: "month";
      /** 1–12; all months by default. */
      readonly months?: readonly number[];
      readonly on: DayOfMonth;
    };

type DayOfMonth =
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
