import type { SessionName } from "@/lib/market/sessions/session-hours";
import { getWeek, getWeekend } from "@/lib/market/sessions/session-week";
import type { Span } from "@/lib/time/span";

/** The sessions of some days around the present: everything the page needs while it stays open. */
export interface SessionDays {
  /** The market's time: UTC milliseconds. */
  readonly nowMs: number;
  readonly sessions: readonly SessionLine[];
  /** Clock changes of this season, in order: more than one city's, and weeks apart. */
  readonly clockChanges: readonly ClockChange[];
}

export interface SessionLine {
  readonly name: SessionName;
  readonly zone: string;
  readonly open: readonly Span[];
  /** The usual hours that a holiday takes away. */
  readonly holidays: readonly Span[];
}

export interface ClockChange {
  readonly name: SessionName;
  readonly atMs: number;
  /** The local date: "8 March". */
  readonly date: string;
}

export const CITIES: Readonly<Record<SessionName, string>> = {
  sydney: "Sydney",
  tokyo: "Tokyo",
  london: "London",
  new_york: "New York",
};

export type Status = "open" | "closed" | "holiday" | "weekend";

/** What a session is at a moment, and when it opens or closes next; null where that lies beyond the days known. */
export function getStatus({ open, holidays }: SessionLine, atMs: number) {
  const next = open.find(({ untilMs }) => atMs < untilMs);
  const isOpen = next !== undefined && next.fromMs <= atMs;
  const changesAtMs = next === undefined ? null : isOpen ? next.untilMs : next.fromMs;
  const isHoliday = holidays.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
  const isWeekend = getWeekend(getWeek(atMs)).fromMs <= atMs;
  const status: Status = isOpen ? "open" : isWeekend ? "weekend" : isHoliday ? "holiday" : "closed";
  return { status, isOpen, changesAtMs };
}

/** Every span during which two sessions are open together, with the pair in the day's order. */
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
