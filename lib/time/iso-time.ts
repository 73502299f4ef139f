import { MINUTE_MS } from "@/lib/time/units";

/**
 * Times in requests: ISO 8601 in its extended form, a date or a date with a time, in UTC unless it has an offset.
 * Fractions of seconds may have up to nine digits.
 */
const ISO_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+\- ])(\d\d):?(\d\d)?)?)?$/;

/** What comes first in dates like 06/08/2025. */
export const DATE_ORDERS = ["day-month", "month-day"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const FIRST_YEAR = 1970;
const LAST_YEAR = 2100;

/**
 * Reads a moment as UTC milliseconds; null for another notation, a day that does not exist, or a year outside
 * 1970–2100. Fractions of a millisecond are rounded up, so that both ends of a half-open range have the same meaning in
 * whole milliseconds. A blank before the offset is a plus sign that a URL has decoded.
 */
export function parseTime(text: string): number | null {
  const match = ISO_TIME.exec(text);
  if (match === null) return null;
  const part = (index: number) => Number(match[index] ?? 0);
  const [hour, minute, second, offsetHours, offsetMinutes] = [part(4), part(5), part(6), part(9), part(10)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return null;
  const dayMs = toDayMs(part(1), part(2), part(3));
  if (dayMs === null) return null;
  const offsetMs = (offsetHours * 60 + offsetMinutes) * MINUTE_MS * (match[8] === "-" ? -1 : 1);
  const timeMs = dayMs + (hour * 60 + minute) * MINUTE_MS + second * 1000 + parseFraction(match[7] ?? "") - offsetMs;
  return timeMs >= Date.UTC(FIRST_YEAR, 0) && timeMs < Date.UTC(LAST_YEAR + 1, 0) ? timeMs : null;
}

/** Reads a moment in ISO 8601, in Unix seconds (9 or 10 digits) or in Unix milliseconds (12 or 13), like `parseTime`. */
export function parseMoment(text: string): number | null {
  const match = /^(?:(\d{9,10})|(\d{12,13}))$/.exec(text);
  if (match === null) return parseTime(text);
  const timeMs = match[1] === undefined ? Number(match[2]) : Number(match[1]) * 1000;
  return timeMs < Date.UTC(LAST_YEAR + 1, 0) ? timeMs : null;
}

function parseFraction(digits: string): number {
  const ms = Number(digits.slice(0, 3).padEnd(3, "0"));
  return /[1-9]/.test(digits.slice(3)) ? ms + 1 : ms;
}

/** Midnight UTC of a date like "2027-01-31", in milliseconds; null for other texts and for days that do not exist. */
export function parseDay(text: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  return match === null ? null : toDayMs(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** Midnight UTC of a day in milliseconds, or null if the calendar has no such day. `month` is 1–12. */
export function toDayMs(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : null;
}

/** Milliseconds by which an offset like "Z", "+05:30" or "-0800" is ahead of UTC. The caller has matched its form. */
export function parseOffset(text: string): number {
  if (/^z$/i.test(text)) return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return (text.startsWith("-") ? -minutes : minutes) * MINUTE_MS;
}

/** A time in answers, to the second: "2026-11-20T13:00:00+00:00". Rows of bars have `formatBarTime`. */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
}

/** The same to the millisecond: "2026-11-20T13:00:00.123+00:00". */
export function formatMilliseconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}+00:00`;
}

/** A time in names of files, to the second: "20261120T130000Z". */
export function formatStamp(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, "");
}

/** The time of a bar in answers and files, to the second: "2026-11-20T13:00:00Z". */
export function formatBarTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
