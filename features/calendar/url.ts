import { EVENT_KINDS, type EventKind, type Impact, IMPACTS } from "@/lib/calendar/event";
import { parseDay } from "@/lib/time/iso-time";
import { isZone } from "@/lib/time/zone-offset";

/**
 * The range, zone, filters and open event of the calendar page. They are in the address. The range and the filters are
 * also in a cookie for the next visit.
 */
export interface CalendarChoice {
  readonly range: CalendarRange;
  /** A day of the range, such as "2026-11-22"; null for the range that includes today. */
  readonly date: string | null;
  readonly zone: string;
  /** Empty shows all. */
  readonly currencies: readonly string[];
  readonly impacts: readonly Impact[];
  readonly kinds: readonly EventKind[];
  readonly search: string;
  /** Id of the open event. */
  readonly event: string | null;
  /** The symbol whose moves the open event shows; null for the first. */
  readonly pair: string | null;
}

export const RANGES = ["near", "today", "week", "month"] as const;
export type CalendarRange = (typeof RANGES)[number];

export const CURRENCIES = ["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"] as const;
export const CHOICE_COOKIE = "spotline-calendar";

const LONGEST_SEARCH = 100;

/**
 * Reads a choice from a query string. Invalid values are replaced by their defaults. `ownZone` is the zone of a query
 * without one.
 */
export function readChoice(search: string, ownZone: string): CalendarChoice {
  const params = new URLSearchParams(search);
  const words = (name: string) => (params.get(name) ?? "").split(",");
  const [zone, date] = [params.get("zone") ?? ownZone, params.get("date") ?? ""];
  const [event, pair] = [params.get("event") ?? "", params.get("pair") ?? ""];
  return {
    range: RANGES.find((each) => each === params.get("range")) ?? "week",
    date: parseDay(date) === null ? null : date,
    zone: isZone(zone) ? zone : ownZone,
    currencies: [...new Set(words("currencies").map((code) => code.toUpperCase()))].filter((c) => /^[A-Z]{3}$/.test(c)),
    impacts: IMPACTS.filter((impact) => words("impact").includes(impact)),
    kinds: EVENT_KINDS.filter((kind) => words("kind").includes(kind)),
    search: (params.get("q") ?? "").slice(0, LONGEST_SEARCH),
    event: /^[0-9a-f]{16}$/.test(event) ? event : null,
    pair: /^\w{1,20}$/.test(pair) ? pair : null,
  };
}

const NAMES = ["range", "date", "zone", "currencies", "impact", "kind", "q", "event", "pair"];

/**
 * Returns the choice of a page: that of its address if the address has any, else the one of the last visit. `remembered`
 * is the query string of that visit, undefined on the first one.
 */
export function findChoice(
  params: Readonly<Record<string, string | string[] | undefined>>,
  remembered: string | undefined,
  ownZone: string,
): { choice: CalendarChoice; isNamed: boolean } {
  const pairs = Object.entries(params).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  const isNamed = pairs.some(([name = ""]) => NAMES.includes(name));
  if (isNamed) return { choice: readChoice(new URLSearchParams(pairs).toString(), ownZone), isNamed };
  return { choice: { ...readChoice(remembered ?? "", ownZone), ...NOT_REMEMBERED, zone: ownZone }, isNamed };
}

/** What only an address has, apart from the zone. */
export const NOT_REMEMBERED = { date: null, event: null, pair: null } as const;

/** Writes a choice as a query string. It always has the range, so that the address has priority over the last visit. */
export function writeChoice(choice: CalendarChoice, ownZone: string): string {
  const { range, date, zone, currencies, impacts, kinds, search, event, pair } = choice;
  const params = new URLSearchParams({ range });
  if (date !== null) params.set("date", date);
  if (zone !== ownZone) params.set("zone", zone);
  if (currencies.length > 0) params.set("currencies", currencies.join(","));
  if (impacts.length > 0) params.set("impact", impacts.join(","));
  if (kinds.length > 0) params.set("kind", kinds.join(","));
  if (search.trim() !== "") params.set("q", search);
  if (event !== null) params.set("event", event);
  if (pair !== null) params.set("pair", pair);
  return params.toString().replaceAll("%2C", ",").replaceAll("%2F", "/");
}
