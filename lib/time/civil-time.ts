import { DAY_MS, QUARTER_HOUR_MS } from "@/lib/time/units";

/**
 * Conversions between civil time in an IANA zone and UTC, exact on both sides of a clock change. Intl takes
 * microseconds for each conversion. Clocks only change on a quarter of an hour, so one result is cached for each
 * quarter.
 */

const MAX_CACHED_QUARTERS = 20_000;
/** A visitor may ask for any zone, in any spelling. More would be memory that nobody needs. */
const MAX_ZONES = 100;
const MAX_SPELLINGS = 1_000;

interface Zone {
  readonly formatter: Intl.DateTimeFormat;
  readonly offsets: Map<number, number>;
}

/** By the name that Intl gives a zone. A formatter takes tens of kilobytes, so spellings share it. */
const zones = new Map<string, Zone>();
const zonesBySpelling = new Map<string, Zone>();

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

/** How far the local clock of `zone` is ahead of UTC at a UTC moment, in milliseconds. */
export function getZoneOffsetMs(zoneName: string, utcMs: number): number {
  const zone = zonesBySpelling.get(zoneName) ?? findZone(zoneName);
  const quarter = Math.floor(utcMs / QUARTER_HOUR_MS);
  const known = zone.offsets.get(quarter);
  if (known !== undefined) return known;
  const offset = readLocalMs(zone.formatter, quarter * QUARTER_HOUR_MS) - quarter * QUARTER_HOUR_MS;
  if (zone.offsets.size >= MAX_CACHED_QUARTERS) zone.offsets.clear();
  zone.offsets.set(quarter, offset);
  return offset;
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

function findZone(spelling: string): Zone {
  const { timeZone: name } = new Intl.DateTimeFormat("en-US", { timeZone: spelling }).resolvedOptions();
  if (zonesBySpelling.size >= MAX_SPELLINGS) zonesBySpelling.clear();
  const zone = zones.get(name) ?? openZone(name);
  zonesBySpelling.set(spelling, zone);
  return zone;
}

function openZone(name: string): Zone {
  if (zones.size >= MAX_ZONES) {
    zones.clear();
    zonesBySpelling.clear();
  }
  const formatter = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    calendar: "gregory",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const zone = { formatter, offsets: new Map<number, number>() };
  zones.set(name, zone);
  return zone;
}

function readLocalMs(formatter: Intl.DateTimeFormat, utcMs: number): number {
  const read = new Map(formatter.formatToParts(utcMs).map((part) => [part.type, Number(part.value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => read.get(type) ?? 0;
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
}
