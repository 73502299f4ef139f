import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { parseDay } from "@/lib/time/iso-time";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_HOUR_MS } from "@/lib/time/units";
import { isZone } from "@/lib/time/zone-offset";

/** The view in the address of the sessions page. */
export interface SessionsChoice {
  /** IANA name. */
  readonly zone: string;
  /** A date such as "2026-11-23"; null for the day of the present. */
  readonly day: string | null;
  /** A time of that day such as "14:30", on the zone's clock; null for the present's. */
  readonly at: string | null;
  /** The symbol whose spread and range are shown by hour. */
  readonly symbol: string;
}

/** The days that the page can show. */
export const FIRST_DAY = "2000-01-01";
export const LAST_DAY = "2099-12-31";
const DEFAULT_SYMBOL = "EURUSD";

type Params = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Reads the page's address. Invalid values are replaced by their defaults. `find` returns the symbol of a spelling;
 * `ownZone` is the zone of an address without one.
 */
export function readSessionsChoice(
  { zone, day, time, at: earlierName, symbol }: Params,
  find: (spelling: string) => string | undefined,
  ownZone: string,
): SessionsChoice {
  const at = time ?? earlierName;
  return {
    zone: typeof zone === "string" && isZone(zone) ? zone : ownZone,
    day: readDay(day),
    at: typeof at === "string" && /^([01]\d|2[0-3]):[0-5]\d$/.test(at) ? at : null,
    symbol: (typeof symbol === "string" ? find(symbol) : undefined) ?? DEFAULT_SYMBOL,
  };
}

/** Reads a date that the page can show; null for any other value. */
export function readDay(day: unknown): string | null {
  return typeof day === "string" && parseDay(day) !== null && FIRST_DAY <= day && day <= LAST_DAY ? day : null;
}

/** Writes the address of a choice, without its defaults. */
export function toSessionsHref({ zone, day, at, symbol }: SessionsChoice, ownZone: string): string {
  const params = new URLSearchParams();
  if (zone !== ownZone) params.set("zone", zone);
  if (day !== null) params.set("day", day);
  if (at !== null) params.set("time", at);
  if (symbol !== DEFAULT_SYMBOL) params.set("symbol", symbol);
  if (params.size === 0) return "/sessions";
  return `/sessions?${params.toString().replaceAll("%2F", "/").replaceAll("%3A", ":")}`;
}

/** Returns the date that a choice shows: "2026-11-23". */
export function getShownDay({ zone, day }: Pick<SessionsChoice, "zone" | "day">, nowMs: number): string {
  return day ?? formatDay(zone, nowMs);
}

/** Returns the date some days later; null for the day of the present. */
export function moveDay(choice: SessionsChoice, days: number, nowMs: number): string | null {
  const movedMs = (parseDay(getShownDay(choice, nowMs)) ?? 0) + days * DAY_MS;
  const moved = new Date(movedMs).toISOString().slice(0, 10);
  return moved === formatDay(choice.zone, nowMs) ? null : moved;
}

/** Returns the moment that a choice shows, in UTC milliseconds: the present unless it names a day or a time. */
export function findMoment(choice: Pick<SessionsChoice, "zone" | "day" | "at">, nowMs: number): number {
  const { zone, day, at } = choice;
  if (day === null && at === null) return nowMs;
  const [year = 0, month = 1, date = 1] = getShownDay(choice, nowMs).split("-").map(Number);
  return zonedTimeToUtcMs(zone, year, month, date, at === null ? floorToQuarter(zone, nowMs) : readClock(at));
}

/** Formats minutes after midnight: "14:30". */
export function formatMinutes(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

function floorToQuarter(zone: string, nowMs: number): number {
  return Math.floor(toCivilTime(zone, nowMs).msOfDay / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
}

function readClock(at: string): number {
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  return hours * HOUR_MS + minutes * MINUTE_MS;
}

function formatDay(zone: string, atMs: number): string {
  const { year, month, day } = toCivilTime(zone, atMs);
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
