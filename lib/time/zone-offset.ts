import { DAY_MS, QUARTER_HOUR_MS } from "@/lib/time/units";

/**
 * The offsets of IANA zones. Intl takes microseconds for each, so they are cached: one for each day without a change of
 * the clocks, and one for each quarter of an hour of another day. Clocks only change on a quarter, and no zone's clocks
 * ever changed twice in a day.
 */

const MAX_CACHED = 20_000;
/** A visitor may ask for any zone, in any spelling. More would be memory that nobody needs. */
const MAX_ZONES = 100;
const MAX_SPELLINGS = 1_000;

interface Zone {
  readonly formatter: Intl.DateTimeFormat;
  /** By the UTC moment. */
  readonly offsets: Map<number, number>;
}

/** By the name that Intl gives a zone. A formatter takes tens of kilobytes, so spellings share it. */
const zones = new Map<string, Zone>();
const zonesBySpelling = new Map<string, Zone>();

/** How far the local clock of `zone` is ahead of UTC at a UTC moment, in milliseconds. */
export function getZoneOffsetMs(zoneName: string, utcMs: number): number {
  const zone = zonesBySpelling.get(zoneName) ?? findZone(zoneName);
  const day = Math.floor(utcMs / DAY_MS);
  const atStart = readOffset(zone, day * DAY_MS);
  if (atStart === readOffset(zone, (day + 1) * DAY_MS)) return atStart;
  return readOffset(zone, Math.floor(utcMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS);
}

function readOffset({ formatter, offsets }: Zone, utcMs: number): number {
  const known = offsets.get(utcMs);
  if (known !== undefined) return known;
  const offset = readLocalMs(formatter, utcMs) - utcMs;
  if (offsets.size >= MAX_CACHED) offsets.clear();
  offsets.set(utcMs, offset);
  return offset;
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

/** Whether the name is an IANA time zone of this system. */
export function isZone(name: string): boolean {
  if (zonesBySpelling.has(name)) return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
