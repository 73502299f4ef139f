import { civilTimeAt } from "@/lib/market/civil-time";

/**
 * The four trading sessions as local office hours, so that each city's own clock change moves its own session. In northern
 * winter these are the hours traders know by heart in UTC (22–07, 00–09, 08–17, 13–22); Sydney needs 09–18 for that.
 */

export type SessionName = "sydney" | "tokyo" | "london" | "new_york";

interface SessionHours {
  readonly name: SessionName;
  readonly zone: string;
  /** Whole local hours; no session crosses its own midnight. */
  readonly opensAt: number;
  readonly closesAt: number;
}

const SESSIONS: readonly SessionHours[] = [
  { name: "sydney", zone: "Australia/Sydney", opensAt: 9, closesAt: 18 },
  { name: "tokyo", zone: "Asia/Tokyo", opensAt: 9, closesAt: 18 },
  { name: "london", zone: "Europe/London", opensAt: 8, closesAt: 17 },
  { name: "new_york", zone: "America/New_York", opensAt: 8, closesAt: 17 },
];

const HOUR_MS = 3_600_000;
const FRIDAY = 5;
const SATURDAY = 6;
const SUNDAY = 0;
/** The UTC hour at which the weekend closure begins on Friday and ends on Sunday. */
const WEEKEND_TURN_HOUR = 22;

let lastHour = Number.NaN;
let openInLastHour: readonly SessionName[] = [];

/**
 * The sessions open at `atMs` (UTC milliseconds), in the order the day reaches them. Half-open: open at the opening, closed
 * at the close. Every boundary falls on a whole UTC hour, so the answer is worked out once an hour.
 */
export function openSessions(atMs: number): readonly SessionName[] {
  const hour = Math.floor(atMs / HOUR_MS);
  if (hour !== lastHour) {
    openInLastHour = SESSIONS.filter((session) => isOpen(session, hour * HOUR_MS)).map(({ name }) => name);
    lastHour = hour;
  }
  return openInLastHour;
}

function isOpen(session: SessionHours, atMs: number): boolean {
  if (isWeekendClosure(atMs)) return false;
  const { weekday, msOfDay } = civilTimeAt(session.zone, atMs);
  if (weekday === SATURDAY || weekday === SUNDAY) return false;
  return session.opensAt * HOUR_MS <= msOfDay && msOfDay < session.closesAt * HOUR_MS;
}

/** Friday 22:00 to Sunday 22:00 UTC: no session is open then, whatever its own clock says. */
function isWeekendClosure(atMs: number): boolean {
  const at = new Date(atMs);
  const weekday = at.getUTCDay();
  if (weekday === SATURDAY) return true;
  const isPastTurn = at.getUTCHours() >= WEEKEND_TURN_HOUR;
  return weekday === FRIDAY ? isPastTurn : weekday === SUNDAY && !isPastTurn;
}
