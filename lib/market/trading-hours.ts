import { type TradingHours, type Weekday, WEEKDAYS } from "@/lib/market/instrument";
import { getMarketHolidays } from "@/lib/market/sessions/session-week";
import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { cutOut, DAY_MS, HOUR_MS, MINUTE_MS, type Span } from "@/lib/time/units";

/**
 * Whether a market trades at a moment, from its civil hours: exact at clock changes, half-open at both ends, and closed
 * on the two holidays of the whole market (25 December, 1 January). A market that never closes, such as coins, has no
 * holidays.
 */

/** Longer than any closure of these hours: a weekend, a holiday and the nights around them. */
const LOOK_AHEAD_DAYS = 14;

interface Stretch extends Span {
  readonly isOpen: boolean;
}

/** The last stretch of each market. Hours are shared constants and the clock mostly advances, so it usually matches. */
const lastStretch = new WeakMap<TradingHours, Stretch>();

/** Whether the market is open at `atMs` (UTC milliseconds): from the opening up to but not at the close. */
export function isMarketOpen(hours: TradingHours, atMs: number): boolean {
  return getStretch(hours, atMs).isOpen;
}

/** When the market is open next: `atMs` itself while it is open, null if these hours never open. */
export function getNextOpening(hours: TradingHours, atMs: number): number | null {
  const stretch = getStretch(hours, atMs);
  if (stretch.isOpen) return atMs;
  return isNeverOpen(hours) ? null : stretch.untilMs;
}

/** The last millisecond before `atMs` in which the market was open; null if it was closed for two weeks. */
export function getLastOpenMoment(hours: TradingHours, atMs: number): number | null {
  if (isNeverClosed(hours)) return atMs - 1;
  const started = findOpenSpans(hours, atMs - LOOK_AHEAD_DAYS * DAY_MS).filter((span) => span.fromMs < atMs);
  const last = started.at(-1);
  return last === undefined ? null : Math.min(last.untilMs, atMs) - 1;
}

/** Each weekday's hours as text: "00:00-17:00, 18:00-24:00 America/New_York", or "closed". */
export function formatTradingHours(hours: TradingHours): Record<Weekday, string> {
  const text = (day: Weekday) => {
    const spans = hours.days[day].map(({ from, to }) => `${from}-${to}`);
    return spans.length === 0 ? "closed" : `${spans.join(", ")} ${hours.zone}`;
  };
  return {
    sunday: text("sunday"),
    monday: text("monday"),
    tuesday: text("tuesday"),
    wednesday: text("wednesday"),
    thursday: text("thursday"),
    friday: text("friday"),
    saturday: text("saturday"),
  };
}

function getStretch(hours: TradingHours, atMs: number): Stretch {
  const last = lastStretch.get(hours);
  if (last !== undefined && last.fromMs <= atMs && atMs < last.untilMs) return last;
  const stretch = findStretch(hours, atMs);
  lastStretch.set(hours, stretch);
  return stretch;
}

/** The open stretch around a moment, or the closed one after it; an endless one is returned a day at a time. */
function findStretch(hours: TradingHours, atMs: number): Stretch {
  const untilMs = atMs + DAY_MS;
  if (isNeverClosed(hours)) return { isOpen: true, fromMs: atMs, untilMs };
  const next = findOpenSpans(hours, atMs).find((span) => atMs < span.untilMs);
  if (next === undefined) return { isOpen: false, fromMs: atMs, untilMs };
  return next.fromMs <= atMs ? { isOpen: true, ...next } : { isOpen: false, fromMs: atMs, untilMs: next.fromMs };
}

/** Open spans in UTC from the local day before `atMs` on, in order, joined where they touch, holidays cut out. */
function findOpenSpans(hours: TradingHours, atMs: number): Span[] {
  const { year, month, day } = toCivilTime(hours.zone, atMs);
  const joined: Span[] = [];
  for (let ahead = -1; ahead <= LOOK_AHEAD_DAYS; ahead++) {
    for (const span of listDaySpans(hours, year, month, day + ahead)) {
      const previous = joined.at(-1);
      if (previous?.untilMs === span.fromMs) joined.splice(-1, 1, { fromMs: previous.fromMs, untilMs: span.untilMs });
      else joined.push(span);
    }
  }
  const holidays = [year - 1, year, year + 1].flatMap(getMarketHolidays);
  return holidays.reduce((spans, holiday) => spans.flatMap((span) => cutOut(span, holiday)), joined);
}

function listDaySpans(hours: TradingHours, year: number, month: number, day: number): Span[] {
  const weekday = WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? "sunday";
  return hours.days[weekday].map(({ from, to }) => ({
    fromMs: zonedTimeToUtcMs(hours.zone, year, month, day, parseTime(from)),
    untilMs: zonedTimeToUtcMs(hours.zone, year, month, day, parseTime(to)),
  }));
}

function isNeverClosed(hours: TradingHours): boolean {
  return WEEKDAYS.every((day) => hours.days[day].some(({ from, to }) => from === "00:00" && to === "24:00"));
}

function isNeverOpen(hours: TradingHours): boolean {
  return WEEKDAYS.every((day) => hours.days[day].length === 0);
}

function parseTime(time: string): number {
  const [hour, minute] = time.split(":").map(Number);
  return (hour ?? 0) * HOUR_MS + (minute ?? 0) * MINUTE_MS;
}
