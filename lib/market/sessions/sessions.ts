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
import { type Span, WEEK_MS } from "@/lib/time/units";

/**
 * Bank holidays of the four session cities that fall on a Monday to Friday, as local dates (month-day) by year. A
 * city's session is closed on them; the others are not affected. Years that are not listed have only the holidays of
 * the whole market (session-week.ts).
 *
 * 2026 and 2027 come from date-holidays 3.37.0 (https://github.com/commenthol/date-holidays), whose data is licensed CC
 * BY 3.0, without weekends and with these changes: New York follows the Federal Reserve, which does not move a
 * Saturday's holiday to Friday; Sydney's August bank holiday is left out, because only bank staff have it. 2025 and
 * 2028 follow from the same rules.
 */
export const CITY_HOLIDAYS: Readonly<Record<SessionName, Readonly<Record<number, string>>>> = {
  sydney: {
    2025: "01-01 01-27 04-18 04-21 04-25 06-09 10-06 12-25 12-26",
    2026: "01-01 01-26 04-03 04-06 04-27 06-08 10-05 12-25 12-28",
    2027: "01-01 01-26 03-26 03-29 04-26 06-14 10-04 12-27 12-28",
    2028: "01-03 01-26 04-14 04-17 04-25 06-12 10-02 12-25 12-26",
  },
  tokyo: {
    2025: "01-01 01-02 01-03 01-13 02-11 02-24 03-20 04-29 05-05 05-06 07-21 08-11 09-15 09-23 10-13 11-03 11-24 12-31",
    2026: "01-01 01-02 01-12 02-11 02-23 03-20 04-29 05-04 05-05 05-06 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23 12-31",
    2027: "01-01 01-11 02-11 02-23 03-22 04-29 05-03 05-04 05-05 07-19 08-11 09-20 09-23 10-11 11-03 11-23 12-31",
    2028: "01-03 01-10 02-11 02-23 03-20 05-03 05-04 05-05 07-17 08-11 09-18 09-22 10-09 11-03 11-23",
  },
  london: {
    2025: "01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26",
    2026: "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28",
    2027: "01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28",
    2028: "01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26",
  },
  new_york: {
    2025: "01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25",
    2026: "01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25",
    2027: "01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25",
    2028: "01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25",
  },
};

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
