import type { Certainty } from "@/lib/calendar/event";
import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DATE_ORDERS, type DateOrder, parseOffset, toDayMs } from "@/lib/time/iso-time";
import { OFFSET_HOURS, readStatedZone, UNCLEAR } from "@/lib/time/stated-zone";
import { HOUR_MS } from "@/lib/time/units";

/** Times as sources write them: local to their own zone unless they contain an offset. */

export interface SourceTime {
  /** UTC milliseconds. */
  readonly timeMs: number;
  readonly certainty: Certainty;
  /** Whether the text itself says the offset from UTC, or is Unix time. The zone is then not used. */
  readonly hasOffset: boolean;
}

interface Notation {
  /** The IANA zone of times without an offset. */
  readonly zone: string;
  /** The year of dates without one. */
  readonly year?: number | undefined;
  /** The order of dates whose year comes last; the default is month-day. */
  readonly order?: DateOrder | undefined;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/**
 * Reads a date and a time of day: "2026-10-14" "08:30", "06-08-2025" "9:00pm", "May 1" "All Day", or both in one text,
 * as ISO 8601, "2026.10.14 08:30:00" or "2026, October 14, 08:30"; or Unix time in seconds or milliseconds. Without a time
 * of day, the time is midnight. Null for anything else, and for a date that is not on the weekday that it names.
 */
export function readSourceTime(dateText: string, timeText: string, notation: Notation): SourceTime | null {
  const unixMs = readUnixTime(dateText.trim());
  if (unixMs !== null) return { timeMs: unixMs, certainty: "exact", hasOffset: true };
  const { day: dayText, clock = timeText } = splitMoment(dateText);
  const day = parseDay(dayText, notation);
  if (day === null) return null;
  const [, plain = clock.trim(), place = ""] =
    /^(.*\d(?:\s*[ap]\.?m\.?)?)\s+\(?([a-z][a-z/_ ]+)\)?$/i.exec(clock.trim()) ?? [];
  // "EDT" is an offset, and "ET" or "US/Eastern" a zone.
  const hours = OFFSET_HOURS[place.toUpperCase()];
  const zone = place === "" || hours !== undefined ? notation.zone : readStatedZone(place);
  const time = parseTimeOfDay((zone === null ? clock.trim() : plain).toLowerCase());
  if (time === null || zone === UNCLEAR || (place !== "" && time.offsetMs !== null)) return null;
  const { msOfDay, certainty } = time;
  const offsetMs = hours === undefined ? time.offsetMs : hours * HOUR_MS;
  const timeMs =
    offsetMs === null
      ? zonedTimeToUtcMs(zone ?? notation.zone, day.year, day.month, day.day, msOfDay)
      : Date.UTC(day.year, day.month - 1, day.day) + msOfDay - offsetMs;
  return { timeMs, certainty, hasOffset: offsetMs !== null || (place !== "" && zone !== null) };
}

/** Seconds, with or without a fraction, have 9 or 10 digits, and milliseconds 12 or 13. */
function readUnixTime(text: string): number | null {
  if (/^\d{9,10}(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  return /^\d{12,13}$/.test(text) ? Number(text) : null;
}

/** Splits "2026-10-14T08:30" into its date and its time of day, which is undefined if the text has none. */
export function splitMoment(text: string): { readonly day: string; readonly clock: string | undefined } {
  const plain = text.replace(/\s+/g, " ").trim();
  const match = /^(.*?\d)(?:T|,? | - )(\d{1,2}:\d\d.*|\d{1,2} ?[ap]m.*|all day|tentative)$/i.exec(plain);
  return match === null ? { day: plain, clock: undefined } : { day: match[1] ?? "", clock: match[2] };
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const WEEKDAY = /^(sun|mon|tue|wed|thu|fri|sat)(?:(?:day|s|sday|nesday|rs|rsday|urday)?\.?,? |(?=[a-z]{3,9}\.? \d))/i;
const YEAR_LAST = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})$/;

function parseDay(text: string, notation: Notation): Day | null {
  const weekday = WEEKDAY.exec(text);
  const day = parseDate(weekday === null ? text : text.slice(weekday[0].length), notation);
  if (day === null) return null;
  const dayMs = toDayMs(day.year, day.month, day.day);
  if (dayMs === null) return null;
  const isNamed = weekday === null || WEEKDAYS[new Date(dayMs).getUTCDay()] === weekday[1]?.toLowerCase();
  return isNamed ? day : null;
}

/** The day may not exist. */
function parseDate(text: string, { year: defaultYear, order }: Notation): Day | null {
  const yearFirst = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? /^((?:19|20)\d\d)()(\d\d)(\d\d)$/.exec(text);
  if (yearFirst !== null) return { year: Number(yearFirst[1]), month: Number(yearFirst[3]), day: Number(yearFirst[4]) };
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast !== null) {
    const [first, second, year] = [Number(yearLast[1]), Number(yearLast[3]), Number(yearLast[4])];
    return order === "day-month" ? { year, month: second, day: first } : { year, month: first, day: second };
  }
  const named = readNamedDate(text);
  if (named === null) return null;
  const month = MONTHS.indexOf(named.month.slice(0, 3).toLowerCase()) + 1;
  return { year: Number(named.year ?? defaultYear), month, day: Number(named.day) };
}

/** "Nov 22, 2026", "22 November 2026", "22-Nov-2026" or "2026, November 22", each also without its year. */
function readNamedDate(text: string): { month: string; day: string; year: string | undefined } | null {
  const [, m = "", d = "", y] = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$/i.exec(text) ?? [];
  if (m !== "") return { month: m, day: d, year: y };
  const [, d2 = "", m2 = "", y2] =
    /^(\d{1,2})(?:st|nd|rd|th)?[- ]([a-z]{3,9})\.?(?:,? |-|$)(\d{4})?$/i.exec(text) ?? [];
  if (m2 !== "") return { month: m2, day: d2, year: y2 };
  const [, y3, m3 = "", d3 = ""] = /^(\d{4}),? ([a-z]{3,9})\.? (\d{1,2})$/i.exec(text) ?? [];
  return m3 === "" ? null : { month: m3, day: d3, year: y3 };
}

/** The weekday of a date that names another one: "Saturday". Null for other texts. */
export function findWeekday(text: string, notation: Notation): string | null {
  const { day } = splitMoment(text);
  if (!WEEKDAY.test(day) || parseDay(day, notation) !== null) return null;
  const date = parseDay(day.replace(WEEKDAY, ""), notation);
  if (date === null) return null;
  const midnight = new Date(Date.UTC(date.year, date.month - 1, date.day));
  return new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(midnight);
}

/** The month of a date that names no year, 1–12; null for other texts. */
export function findYearlessMonth(text: string): number | null {
  const { day } = splitMoment(text);
  const named = readNamedDate(day.replace(WEEKDAY, ""));
  if (named === null || named.year !== undefined) return null;
  return MONTHS.indexOf(named.month.slice(0, 3).toLowerCase()) + 1 || null;
}

/**
 * The orders that all dates like 06/08/2025 can have: both if none decides, none if they contradict each other. Null if
 * there are no such dates.
 */
export function findDateOrders(texts: Iterable<string>): readonly DateOrder[] | null {
  const days = new Set<string>();
  for (const text of texts) {
    const { day } = splitMoment(text);
    if (YEAR_LAST.test(day.replace(WEEKDAY, ""))) days.add(day);
  }
  if (days.size === 0) return null;
  return DATE_ORDERS.filter((order) => [...days].every((day) => parseDay(day, { zone: "UTC", order }) !== null));
}

const CLOCK =
  /^(\d{1,2})(?::(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?\s*(am|pm|a\.m\.|p\.m\.)?\s*((?:utc|gmt)?[+-]\d\d?(?::?\d\d)?|z|utc|gmt)?$/;

function parseTimeOfDay(text: string): { msOfDay: number; certainty: Certainty; offsetMs: number | null } | null {
  if (text === "" || /^(all[ -]?day|day \d+)$/.test(text)) return { msOfDay: 0, certainty: "all_day", offsetMs: null };
  // Some releases come on one of several days: "28th-2nd".
  if (/^(tentative|\d{1,2}(st|nd|rd|th) ?- ?\d{1,2}(st|nd|rd|th))$/.test(text))
    return { msOfDay: 0, certainty: "tentative", offsetMs: null };
  const match = CLOCK.exec(text);
  if (match === null) return null;
  const [, hourText = "", minute, second = "0", half, offset] = match;
  if (minute === undefined && half === undefined) return null;
  const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (half.startsWith("p") ? 12 : 0);
  if (hour > 23 || Number(minute ?? 0) > 59 || Number(second) > 59 || (half !== undefined && Number(hourText) > 12))
    return null;
  const msOfDay = ((hour * 60 + Number(minute ?? 0)) * 60 + Number(second)) * 1000;
  return { msOfDay, certainty: "exact", offsetMs: offset === undefined ? null : readOffset(offset) };
}

function readOffset(text: string): number {
  const [, sign = "+", hours = "0", minutes = "00"] = /^(?:z|utc|gmt)?([+-])?(\d\d?)?:?(\d\d)?$/.exec(text) ?? [];
  return parseOffset(`${sign}${hours.padStart(2, "0")}${minutes}`);
}
