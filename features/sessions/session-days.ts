import type { SessionName } from "@/lib/market/sessions/session-hours";
import { isWeekend } from "@/lib/market/sessions/session-week";
import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { HOUR_MS, MINUTE_MS, type Span } from "@/lib/time/units";

/** The sessions of some days around the shown one. */
export interface SessionDays {
  /** The market's time: UTC milliseconds. */
  readonly nowMs: number;
  readonly sessions: readonly SessionLine[];
  /** Clock changes of all cities in this season, in order. */
  readonly clockChanges: readonly ClockChange[];
}

export interface SessionLine {
  readonly name: SessionName;
  readonly zone: string;
  readonly open: readonly Span[];
  /** The usual hours on bank holidays. */
  readonly holidays: readonly Span[];
}

export interface ClockChange {
  readonly name: SessionName;
  readonly atMs: number;
  /** The local date: "8 March". */
  readonly date: string;
  /** The session's hours in UTC before and after the change: "13:00–22:00". */
  readonly before: string;
  readonly after: string;
}

/** The usual hours of one symbol: 24 medians each, in pips; null for an hour without data. */
export interface Activity {
  readonly symbol: string;
  readonly spreads: readonly (number | null)[];
  readonly ranges: readonly (number | null)[];
}

export type Status = "open" | "closed" | "holiday" | "weekend";

/** Returns the status of a session at a time, and when it opens or closes next; null beyond the known days. */
export function getStatus({ open, holidays }: SessionLine, atMs: number) {
  const next = open.find(({ untilMs }) => atMs < untilMs);
  const isOpen = next !== undefined && next.fromMs <= atMs;
  const changesAtMs = next === undefined ? null : isOpen ? next.untilMs : next.fromMs;
  const isHoliday = holidays.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
  const status: Status = isOpen ? "open" : isWeekend(atMs) ? "weekend" : isHoliday ? "holiday" : "closed";
  return { status, isOpen, changesAtMs };
}

/** Returns every span in which two sessions are open, with the pair in the order of the list. */
export function findOverlaps(sessions: readonly SessionLine[]) {
  return sessions.flatMap((one, index) =>
    sessions.slice(index + 1).flatMap((other) =>
      one.open.flatMap((a) =>
        other.open.flatMap((b) => {
          const fromMs = Math.max(a.fromMs, b.fromMs);
          const untilMs = Math.min(a.untilMs, b.untilMs);
          return fromMs < untilMs ? [{ pair: [one.name, other.name] as const, fromMs, untilMs }] : [];
        }),
      ),
    ),
  );
}

const HOURS_A_TICK = 3;
const HOURS = 24;

/** A civil day of a zone as the chart draws it. On the day of a clock change it has 23 or 25 hours. */
export interface DayWindow extends Span {
  /** "Sat 21 Nov" */
  readonly date: string;
  /** Every third hour on the zone's clock, midnight to midnight. */
  readonly ticks: readonly { readonly label: string; readonly atMs: number }[];
  /** The 24 hours of the clock; one that the clocks skip has no length. */
  readonly hours: readonly Span[];
}

export function getDayWindow(zone: string, nowMs: number): DayWindow {
  const { year, month, day } = toCivilTime(zone, nowMs);
  const at = (hour: number) => zonedTimeToUtcMs(zone, year, month, day, hour * HOUR_MS);
  const ticks = Array.from({ length: HOURS / HOURS_A_TICK + 1 }, (_, index) => {
    const hour = index * HOURS_A_TICK;
    return { label: String(hour).padStart(2, "0"), atMs: at(hour) };
  });
  const hours = Array.from({ length: HOURS }, (_, hour) => ({ fromMs: at(hour), untilMs: at(hour + 1) }));
  return { fromMs: at(0), untilMs: at(HOURS), date: formatDate(zone, nowMs), ticks, hours };
}

/** The place of a span within a window, as styles. */
interface Place {
  readonly insetInlineStart: string;
  readonly inlineSize: string;
}

/** Where a span lies in a window, in percent of the window; null if it lies outside. */
export function getPlace({ fromMs, untilMs }: Span, window: Span): Place | null {
  const from = Math.max(fromMs, window.fromMs);
  const until = Math.min(untilMs, window.untilMs);
  if (from >= until) return null;
  const percent = 100 / (window.untilMs - window.fromMs);
  return {
    insetInlineStart: `${(from - window.fromMs) * percent}%`,
    inlineSize: `${(until - from) * percent}%`,
  };
}

/** The clock of a zone: "08:05". */
export function formatClock(zone: string, atMs: number): string {
  const minutes = Math.floor(toCivilTime(zone, atMs).msOfDay / MINUTE_MS);
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

export function formatDate(zone: string, atMs: number): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone: zone, weekday: "short", day: "numeric", month: "short" })
    .format(atMs)
    .replace(",", "");
}
