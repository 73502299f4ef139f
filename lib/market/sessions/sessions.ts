import { CITY_HOLIDAYS } from "@/lib/market/sessions/city-holidays";
import {
  SESSION_NAMES,
  type SessionHours,
  type SessionName,
  USUAL_SESSION_HOURS,
} from "@/lib/market/sessions/session-hours";
import {
  findSessionWeek,
  getWeek,
  getWeekend,
  getWeekStart,
  type SessionWeek,
} from "@/lib/market/sessions/session-week";
import type { Span } from "@/lib/time/span";
import { WEEK_MS } from "@/lib/time/units";

/**
 * The four trading sessions: which are open at a moment, which overlap, and which opens or closes next. They are open
 * on local weekdays except the city's bank holidays; all are closed from Friday 22:00 to Sunday 22:00 UTC and on the
 * market's holidays.
 */

export interface SessionsConfig {
  readonly hours: Readonly<Record<SessionName, SessionHours>>;
  /** Local dates ("05-04 12-25") by year, for each city. */
  readonly holidays: Readonly<Record<SessionName, Readonly<Record<number, string>>>>;
}

interface SessionState {
  readonly isOpen: boolean;
  /** When an open session closes, or a closed one opens: UTC milliseconds. */
  readonly changesAtMs: number;
}

export interface SessionsAt {
  /** Whether it is the weekend, when all sessions are closed. */
  readonly isWeekend: boolean;
  readonly open: readonly SessionName[];
  /** Every pair of sessions that are open at the same time, such as "london_new_york". */
  readonly overlaps: readonly string[];
  readonly states: Readonly<Record<SessionName, SessionState>>;
  /** The soonest opening or close; of two at the same moment, the opening. */
  readonly next: { readonly event: string; readonly atMs: number };
}

export interface Sessions {
  readonly hours: SessionsConfig["hours"];
  /** The sessions open at `atMs` (UTC milliseconds), in the day's order. Half-open: open at the opening, closed at the close. */
  openAt(atMs: number): readonly SessionName[];
  at(atMs: number): SessionsAt;
  /** Every span that touches [fromMs, untilMs), uncut, by session. */
  between(fromMs: number, untilMs: number): Readonly<Record<SessionName, SessionWeek>>;
}

interface Stretch extends Span {
  readonly open: readonly SessionName[];
}

interface Week {
  readonly sessions: Readonly<Record<SessionName, SessionWeek>>;
  /** The whole week as stretches without an opening or a close inside. */
  readonly stretches: readonly Stretch[];
}

const MAX_CACHED_WEEKS = 64;

export function createSessions({ hours, holidays }: SessionsConfig): Sessions {
  const dates = mapSessions((name) => parseHolidays(holidays[name]));
  const weeks = new Map<number, Week>();
  let last: Stretch = { fromMs: 0, untilMs: 0, open: [] };

  function readWeek(week: number): Week {
    let cached = weeks.get(week);
    if (cached === undefined) {
      if (weeks.size >= MAX_CACHED_WEEKS) weeks.clear();
      const sessions = mapSessions((name) => findSessionWeek(hours[name], (date) => dates[name].has(date), week));
      cached = { sessions, stretches: findStretches(week, sessions) };
      weeks.set(week, cached);
    }
    return cached;
  }

  function openAt(atMs: number): readonly SessionName[] {
    if (atMs < last.fromMs || last.untilMs <= atMs) {
      last = readWeek(getWeek(atMs)).stretches.find(({ untilMs }) => atMs < untilMs) as Stretch;
    }
    return last.open;
  }

  function findState(name: SessionName, atMs: number): SessionState {
    // The loop ends: holidays are a finite list, and every week has hours.
    for (let week = getWeek(atMs); ; week++) {
      const span = readWeek(week).sessions[name].open.find(({ untilMs }) => atMs < untilMs);
      if (span === undefined) continue;
      const isOpen = span.fromMs <= atMs;
      return { isOpen, changesAtMs: isOpen ? span.untilMs : span.fromMs };
    }
  }

  return {
    hours,
    openAt,
    at(atMs) {
      const open = openAt(atMs);
      const states = mapSessions((name) => findState(name, atMs));
      const isWeekend = getWeekend(getWeek(atMs)).fromMs <= atMs;
      return { isWeekend, open, overlaps: listOverlaps(open), states, next: findNextEvent(states) };
    },
    between(fromMs, untilMs) {
      const first = getWeek(fromMs);
      const found = Array.from(
        { length: getWeek(untilMs) - first + 1 },
        (_, index) => readWeek(first + index).sessions,
      );
      const touches = (span: Span) => span.fromMs < untilMs && fromMs < span.untilMs;
      return mapSessions((name) => ({
        open: found.flatMap((week) => week[name].open.filter(touches)),
        holidays: found.flatMap((week) => week[name].holidays.filter(touches)),
      }));
    },
  };
}

const usual = createSessions({ hours: USUAL_SESSION_HOURS, holidays: CITY_HOLIDAYS });

/** The open sessions by the usual hours and holidays, independent of the installation's settings. */
export const getOpenSessions = usual.openAt;

export function mapSessions<Value>(make: (name: SessionName) => Value): Record<SessionName, Value> {
  return Object.fromEntries(SESSION_NAMES.map((name) => [name, make(name)])) as Record<SessionName, Value>;
}

function parseHolidays(byYear: Readonly<Record<number, string>>): ReadonlySet<string> {
  const dates = Object.entries(byYear).flatMap(([year, days]) => days.split(" ").map((day) => `${year}-${day}`));
  return new Set(dates);
}

function findStretches(week: number, sessions: Week["sessions"]): Stretch[] {
  const startMs = getWeekStart(week);
  const spans = SESSION_NAMES.flatMap((name) => sessions[name].open);
  const edges = new Set([startMs, startMs + WEEK_MS, ...spans.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs])]);
  const sorted = [...edges].sort((a, b) => a - b);
  return sorted.slice(1).map((untilMs, index) => {
    const fromMs = sorted[index] as number;
    const isOpen = (name: SessionName) =>
      sessions[name].open.some((span) => span.fromMs <= fromMs && fromMs < span.untilMs);
    return { fromMs, untilMs, open: SESSION_NAMES.filter(isOpen) };
  });
}

function listOverlaps(open: readonly SessionName[]): string[] {
  return open.flatMap((earlier, index) => open.slice(index + 1).map((later) => `${earlier}_${later}`));
}

function findNextEvent(states: SessionsAt["states"]): SessionsAt["next"] {
  const events = SESSION_NAMES.map((name) => {
    const { isOpen, changesAtMs } = states[name];
    return { event: `${name}_${isOpen ? "close" : "open"}`, isOpening: !isOpen, atMs: changesAtMs };
  });
  const [{ event, atMs }] = events.sort((a, b) => a.atMs - b.atMs || Number(b.isOpening) - Number(a.isOpening)) as [
    (typeof events)[number],
  ];
  return { event, atMs };
}
