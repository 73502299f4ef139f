import { toCivilTime } from "@/lib/time/civil-time";
import { parseDay } from "@/lib/time/iso-time";
import { DAY_MS } from "@/lib/time/units";
import { isZone } from "@/lib/time/zone";

/** The zone and the day of the sessions page. They are in its address. */
export interface SessionsChoice {
  /** IANA name. */
  readonly zone: string;
  /** A date such as "2026-11-23"; null for the day of the present. */
  readonly day: string | null;
}

/** The days that the page can show, counted from today. */
export const FIRST_DAY = -1;
export const LAST_DAY = 7;

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the page's address. Invalid values are replaced by their defaults. */
export function readSessionsChoice({ zone, day }: Params): SessionsChoice {
  return {
    zone: typeof zone === "string" && isZone(zone) ? zone : "UTC",
    day: typeof day === "string" && parseDay(day) !== null ? day : null,
  };
}

/** Writes the address of a choice, without its defaults. */
export function toSessionsHref({ zone, day }: SessionsChoice): string {
  const params = new URLSearchParams();
  if (zone !== "UTC") params.set("zone", zone);
  if (day !== null) params.set("day", day);
  return params.size === 0 ? "/sessions" : `/sessions?${params.toString().replaceAll("%2F", "/")}`;
}

/** Returns how many days a choice is ahead of today in its zone; 0 where the page cannot show its day. */
export function countDaysAhead({ zone, day }: SessionsChoice, nowMs: number): number {
  const dayMs = day === null ? null : parseDay(day);
  if (dayMs === null) return 0;
  const today = toCivilTime(zone, nowMs);
  const days = (dayMs - Date.UTC(today.year, today.month - 1, today.day)) / DAY_MS;
  return days < FIRST_DAY || days > LAST_DAY ? 0 : days;
}

/** Returns the date so many days ahead of today in a zone; null for today. */
export function findDay(zone: string, daysAhead: number, nowMs: number): string | null {
  if (daysAhead === 0) return null;
  const { year, month, day } = toCivilTime(zone, nowMs);
  return new Date(Date.UTC(year, month - 1, day + daysAhead)).toISOString().slice(0, 10);
}
