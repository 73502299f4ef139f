import { MINUTE_MS } from "@/lib/time/units";

/**
 * Time as callers write it: ISO 8601 in its extended form, a date or a date with a time, which is UTC unless it names
 * its offset. Fractions of seconds may have any length.
 */
const PATTERN =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:[Zz]|([+\- ])(\d\d):?(\d\d)?)?)?$/;

const FIRST_YEAR = 1970;
const LAST_YEAR = 2100;

/**
 * Reads a moment as UTC milliseconds; null for what is not one: another notation, a day that no calendar has, or a
 * year outside 1970–2100. What is finer than a millisecond is rounded up, so that both ends of a half-open range keep
 * their meaning for whole milliseconds. A blank before the offset is a plus sign that a URL has swallowed.
 */
export function parseTime(text: string): number | null {
  const match = PATTERN.exec(text);
  if (match === null) return null;
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const [offsetHours, offsetMinutes] = [part(9), part(10)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return null;
  const dateMs = Date.UTC(year, month - 1, day);
  const date = new Date(dateMs);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const offsetMs = (offsetHours * 60 + offsetMinutes) * MINUTE_MS * (match[8] === "-" ? -1 : 1);
  const timeMs = dateMs + (hour * 60 + minute) * MINUTE_MS + second * 1000 + wholeMs(match[7] ?? "") - offsetMs;
  return timeMs >= Date.UTC(FIRST_YEAR, 0) && timeMs < Date.UTC(LAST_YEAR + 1, 0) ? timeMs : null;
}

function wholeMs(fraction: string): number {
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0"));
  return /[1-9]/.test(fraction.slice(3)) ? ms + 1 : ms;
}

/** A moment to the second as answers write the times of rows: "2026-11-20T13:00:00+00:00". */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
}

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
  ["s", 1],
] as const;

/** A length of time, exact to the second: "1h", "1h 1s", "2d 30m". What is left of a second counts as one. */
export function lengthText(ms: number): string {
  let rest = Math.ceil(ms / 1000);
  const words: string[] = [];
  for (const [unit, seconds] of UNITS) {
    if (rest >= seconds) words.push(`${Math.floor(rest / seconds)}${unit}`);
    rest %= seconds;
  }
  return words.join(" ") || "0s";
}
