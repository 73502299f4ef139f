import type { Certainty, Impact } from "@/lib/calendar/event";
import type { DayOfMonth, ReleaseRule } from "@/lib/calendar/simulated/release-rule";

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
