import type { Activity, ClockChange, SessionDays } from "@/features/sessions/session-days";
import { computeHourlyRanges } from "@/lib/analytics/hourly-ranges";
import { toPips } from "@/lib/api/history/spread-comparison";
import type { Instrument } from "@/lib/market/instrument";
import { SESSION_NAMES, type SessionHours, type SessionName } from "@/lib/market/sessions/session-hours";
import type { Runtime } from "@/lib/runtime";
import { findClockChanges, toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { parseDay } from "@/lib/time/iso-time";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/** Enough for a page that stays open over a long weekend, and for the longest sequence of holidays. */
const DAYS_BACK = 2;
const DAYS_AHEAD = 21;
/** The clock changes of a spring or autumn lie within four weeks. */
const SEASON_MS = 29 * DAY_MS;
const ACTIVITY_DAYS = 30;

/** Reads the sessions around a date such as "2026-11-23", or around the market's present. */
export function readDays(
  { sessions, marketNow }: Pick<Runtime, "sessions" | "marketNow">,
  day: string | null,
): SessionDays {
  const nowMs = Math.floor(marketNow());
  const centreMs = day === null ? nowMs : (parseDay(day) ?? nowMs);
  const spans = sessions.between(centreMs - DAYS_BACK * DAY_MS, centreMs + DAYS_AHEAD * DAY_MS);
  return {
    nowMs,
    sessions: SESSION_NAMES.map((name) => ({ name, zone: sessions.hours[name].zone, ...spans[name] })),
    clockChanges: SESSION_NAMES.flatMap((name) => listClockChanges(name, sessions.hours[name], centreMs)).sort(
      (a, b) => a.atMs - b.atMs,
    ),
  };
}

function listClockChanges(name: SessionName, hours: SessionHours, centreMs: number): ClockChange[] {
  const { zone } = hours;
  const date = new Intl.DateTimeFormat("en-GB", { timeZone: zone, day: "numeric", month: "long" });
  return findClockChanges(zone, centreMs - SEASON_MS, centreMs + SEASON_MS).map((atMs) => ({
    name,
    atMs,
    date: date.format(atMs),
    before: formatHours(hours, atMs - 2 * DAY_MS),
    after: formatHours(hours, atMs + 2 * DAY_MS),
  }));
}

/** The hours of a session on the local day of a moment, in UTC: "13:00–22:00". */
function formatHours({ zone, opensAtMinute, closesAtMinute }: SessionHours, atMs: number): string {
  const { year, month, day } = toCivilTime(zone, atMs);
  const at = (minute: number) =>
    new Date(zonedTimeToUtcMs(zone, year, month, day, minute * MINUTE_MS)).toISOString().slice(11, 16);
  return `${at(opensAtMinute)}–${at(closesAtMinute)}`;
}

/** Reads the usual spread and range of a symbol by hour of a zone's clock, from the last 30 days. */
export async function readActivity(
  { history, marketNow }: Pick<Runtime, "history" | "marketNow">,
  instrument: Instrument,
  zone: string,
): Promise<Activity> {
  const { symbol, pipSize } = instrument;
  const { hours } = await history.spreads.readWeek(symbol, zone);
  const { closed } = await history.bars.readSeries(symbol, "H1");
  const ranges = computeHourlyRanges(closed, zone, marketNow() - ACTIVITY_DAYS * DAY_MS);
  return {
    symbol,
    spreads: hours.map((spread) => (spread === null ? null : toPips(spread, instrument))),
    ranges: ranges.map((range) => (range === null ? null : Math.round((range / pipSize) * 10) / 10)),
  };
}
