import type { SessionName } from "@/lib/market/sessions/session-hours";
import { isWeekend } from "@/lib/market/sessions/session-week";
import type { Span } from "@/lib/time/units";

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
