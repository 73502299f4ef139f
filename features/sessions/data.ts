import type { ClockChange, SessionDays } from "@/features/sessions/session-days";
import { SESSION_NAMES, type SessionName } from "@/lib/market/sessions/session-hours";
import type { Runtime } from "@/lib/runtime";
import { findClockChanges } from "@/lib/time/civil-time";
import { DAY_MS } from "@/lib/time/units";

/** Enough for a page that stays open over a long weekend, and for the longest sequence of holidays. */
const DAYS_BACK = 2;
const DAYS_AHEAD = 21;
/** The clock changes of a spring or autumn lie within four weeks. */
const SEASON_MS = 29 * DAY_MS;

/** Reads the sessions around the market's present. */
export function readDays({ sessions, marketNow }: Pick<Runtime, "sessions" | "marketNow">): SessionDays {
  const nowMs = Math.floor(marketNow());
  const spans = sessions.between(nowMs - DAYS_BACK * DAY_MS, nowMs + DAYS_AHEAD * DAY_MS);
  return {
    nowMs,
    sessions: SESSION_NAMES.map((name) => ({ name, zone: sessions.hours[name].zone, ...spans[name] })),
    clockChanges: SESSION_NAMES.flatMap((name) => listClockChanges(name, sessions.hours[name].zone, nowMs)).sort(
      (a, b) => a.atMs - b.atMs,
    ),
  };
}

function listClockChanges(name: SessionName, zone: string, nowMs: number): ClockChange[] {
  const date = new Intl.DateTimeFormat("en-GB", { timeZone: zone, day: "numeric", month: "long" });
  return findClockChanges(zone, nowMs - SEASON_MS, nowMs + SEASON_MS).map((atMs) => ({
    name,
    atMs,
    date: date.format(atMs),
  }));
}
