import { type Impact, IMPACTS } from "@/lib/calendar/event";
import { isZone } from "@/lib/time/zone";

/** The range, zone and filters of the calendar page. They are in the address, and in a cookie for the next visit. */
export interface CalendarChoice {
  readonly range: CalendarRange;
  readonly zone: string;
  /** Empty shows all. */
  readonly currencies: readonly string[];
  readonly impacts: readonly Impact[];
  readonly search: string;
}

export const RANGES = ["near", "today", "week", "next", "month"] as const;
export type CalendarRange = (typeof RANGES)[number];

/** The first and last day of a range, counted from today in the chosen zone, both included. */
export const RANGE_DAYS: Readonly<Record<CalendarRange, readonly [first: number, last: number]>> = {
  near: [-1, 3],
  today: [0, 0],
  week: [-3, 6],
  next: [1, 14],
  month: [-14, 14],
};

export const CURRENCIES = ["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"] as const;
export const CHOICE_COOKIE = "spotline-calendar";

const LONGEST_SEARCH = 100;

/** Reads a choice from a query string. Invalid values are replaced by their defaults. */
export function readChoice(search: string): CalendarChoice {
  const params = new URLSearchParams(search);
  const words = (name: string) => (params.get(name) ?? "").split(",");
  const zone = params.get("zone") ?? "UTC";
  return {
    range: RANGES.find((each) => each === params.get("range")) ?? "week",
    zone: isZone(zone) ? zone : "UTC",
    currencies: [...new Set(words("currencies").map((code) => code.toUpperCase()))].filter((c) => /^[A-Z]{3}$/.test(c)),
    impacts: IMPACTS.filter((impact) => words("impact").includes(impact)),
    search: (params.get("q") ?? "").slice(0, LONGEST_SEARCH),
  };
}

/** Reads a choice from a page's search parameters. */
export function readParams(params: Readonly<Record<string, string | string[] | undefined>>): CalendarChoice {
  const pairs = Object.entries(params).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  return readChoice(new URLSearchParams(pairs).toString());
}

/** Writes a choice as a query string, without the defaults. */
export function writeChoice({ range, zone, currencies, impacts, search }: CalendarChoice): string {
  const params = new URLSearchParams();
  if (range !== "week") params.set("range", range);
  if (zone !== "UTC") params.set("zone", zone);
  if (currencies.length > 0) params.set("currencies", currencies.join(","));
  if (impacts.length > 0) params.set("impact", impacts.join(","));
  if (search.trim() !== "") params.set("q", search);
  return params.toString().replaceAll("%2C", ",").replaceAll("%2F", "/");
}
