import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Returns UTC milliseconds as `20261122-00:50:00.000`. */
export function formatFixTime(timeMs: number): string {
  const iso = new Date(timeMs).toISOString();
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 10)}-${iso.slice(11, -1)}`;
}

/** Reads `20261122-00:50:00` with any number of decimals as UTC milliseconds, rounded down; null for anything else. */
export function readFixTime(text: string | undefined): number | null {
  if (text === undefined || text[8] !== "-") return null;
  return add(readDate(text), readClock(text, 9));
}

/**
 * Returns the time of an entry of market data in UTC milliseconds; null if it has none.
 *
 * @param date MDEntryDate, `20261122`; left out by some venues
 * @param time MDEntryTime, `00:50:01.119`, or a date and a time at some venues
 * @param sentMs when the message was sent, for a time without a date
 */
export function readEntryTime(
  date: string | undefined,
  time: string | undefined,
  sentMs: number | null,
): number | null {
  if (time === undefined) return null;
  if (time[8] === "-") return readFixTime(time);
  const clockMs = readClock(time, 0);
  if (date !== undefined) return add(date.length === 8 ? readDate(date) : NaN, clockMs);
  if (sentMs === null || Number.isNaN(clockMs)) return null;
  const sameDayMs = sentMs - (sentMs % DAY_MS) + clockMs;
  // The entry is older than its message, so a much later time is of the day before. Just after midnight is the next day.
  if (sameDayMs - sentMs > DAY_MS / 2) return sameDayMs - DAY_MS;
  return sentMs - sameDayMs > DAY_MS - MINUTE_MS ? sameDayMs + DAY_MS : sameDayMs;
}

const add = (dateMs: number, clockMs: number) => (Number.isNaN(dateMs + clockMs) ? null : dateMs + clockMs);

/** Reads `20261122` at the start of a text. NaN if it is no date. */
function readDate(text: string): number {
  const year = readDigits(text, 0, 4);
  const month = readDigits(text, 4, 6);
  const day = readDigits(text, 6, 8);
  const dateMs = Date.UTC(year, month - 1, day);
  return month >= 1 && month <= 12 && day >= 1 && dateMs < Date.UTC(year, month, 1) ? dateMs : NaN;
}

/** Reads `00:50:01.119` at the end of a text as milliseconds since midnight. NaN if it is no time. */
function readClock(text: string, from: number): number {
  const hour = readDigits(text, from, from + 2);
  const minute = readDigits(text, from + 3, from + 5);
  const second = readDigits(text, from + 6, from + 8);
  const isClock = text[from + 2] === ":" && text[from + 5] === ":" && hour < 24 && minute < 60 && second <= 60;
  if (!isClock) return NaN;
  // A leap second is the first of the next minute.
  return hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + readDecimals(text, from + 8);
}

/** Reads the milliseconds of `.119048`; 0 if nothing follows the seconds. */
function readDecimals(text: string, from: number): number {
  if (text.length === from) return 0;
  if (text[from] !== "." || Number.isNaN(readDigits(text, from + 1, text.length))) return NaN;
  const digits = Math.min(text.length - from - 1, 3);
  return readDigits(text, from + 1, from + 1 + digits) * 10 ** (3 - digits);
}

/** NaN if there is no digit, or something else. */
function readDigits(text: string, from: number, to: number): number {
  let value = from < to ? 0 : NaN;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : NaN;
  }
  return value;
}
