import { DAY_MS, QUARTER_HOUR_MS } from "@/lib/time/units";
import { getZoneOffsetMs } from "@/lib/time/zone-offset";

/** Conversions between civil time in an IANA zone and UTC, exact on both sides of a clock change. */

/** A moment in a zone's local time. */
interface CivilTime {
  readonly year: number;
  /** 1–12 */
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday */
  readonly weekday: number;
  /** Milliseconds since 00:00 of the local clock. */
  readonly msOfDay: number;
}

/** The local time of `zone` at a UTC moment. Throws RangeError for a zone that Intl does not support. */
export function toCivilTime(zone: string, utcMs: number): CivilTime {
  const local = new Date(utcMs + getZoneOffsetMs(zone, utcMs));
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    weekday: local.getUTCDay(),
    msOfDay: local.getTime() - Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()),
  };
}

/**
 * The UTC moment at which the local clock of `zone` has the given date and time. `month` is 1–12; `day` and `msOfDay`
 * may overflow (a `msOfDay` of 24 hours is the next midnight). A time that the clocks skip is moved forward by the
 * skipped time; of a repeated time, the first is used.
 */
export function zonedTimeToUtcMs(zone: string, year: number, month: number, day: number, msOfDay: number): number {
  const localMs = Date.UTC(year, month - 1, day) + msOfDay;
  const offsetBefore = getZoneOffsetMs(zone, localMs - DAY_MS);
  const offsetAfter = getZoneOffsetMs(zone, localMs + DAY_MS);
  const first = localMs - Math.max(offsetBefore, offsetAfter);
  if (offsetBefore === offsetAfter) return first;
  if (first + getZoneOffsetMs(zone, first) === localMs) return first;
  const second = localMs - Math.min(offsetBefore, offsetAfter);
  if (second + getZoneOffsetMs(zone, second) === localMs) return second;
  return localMs - offsetBefore;
}

/** When the clocks of a zone change in [fromMs, untilMs), to the quarter of an hour: UTC milliseconds, in order. */
export function findClockChanges(zone: string, fromMs: number, untilMs: number): number[] {
  const changes: number[] = [];
  for (let dayMs = Math.floor(fromMs / DAY_MS) * DAY_MS; dayMs < untilMs; dayMs += DAY_MS) {
    if (getZoneOffsetMs(zone, dayMs) === getZoneOffsetMs(zone, dayMs + DAY_MS)) continue;
    const before = getZoneOffsetMs(zone, dayMs);
    let changeMs = dayMs;
    while (getZoneOffsetMs(zone, changeMs) === before) changeMs += QUARTER_HOUR_MS;
    if (changeMs >= fromMs && changeMs < untilMs) changes.push(changeMs);
  }
  return changes;
}
