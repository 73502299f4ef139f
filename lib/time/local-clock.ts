import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { HOUR_MS, MINUTE_MS, QUARTER_HOUR_MS } from "@/lib/time/units";
import { isZone } from "@/lib/time/zone-offset";

/**
 * A zone for times in files: an IANA name, or one with a difference, such as "America/New_York+7", which is the clock of
 * most MetaTrader servers: seven hours ahead of New York through the whole year.
 */
export interface FileZone {
  readonly zone: string;
  readonly aheadMs: number;
}

/** Parses a file's zone; null if there is no such zone. */
export function parseFileZone(text: string): FileZone | null {
  if (isZone(text)) return { zone: text, aheadMs: 0 };
  const match = /^(.+?)([+-])(\d{1,2})(?::(\d\d))?$/.exec(text);
  if (match === null || !isZone(match[1] as string)) return null;
  const aheadMs = Number(match[3]) * HOUR_MS + Number(match[4] ?? 0) * MINUTE_MS;
  return { zone: match[1] as string, aheadMs: match[2] === "-" ? -aheadMs : aheadMs };
}

/**
 * Creates a converter from a local time, given as the UTC milliseconds at which a UTC clock shows it, to UTC
 * milliseconds. The last quarter of an hour is cached, because rows of files come in the order of time.
 * @throws RangeError for a zone that does not exist
 */
export function createLocalClock(name: string): (localMs: number) => number {
  const zone = parseFileZone(name);
  if (zone === null) throw new RangeError(`There is no time zone ${name}`);
  let quarter = NaN;
  let differenceMs = 0;
  return (localMs) => {
    const current = Math.floor(localMs / QUARTER_HOUR_MS);
    if (current !== quarter) {
      const startMs = current * QUARTER_HOUR_MS;
      quarter = current;
      differenceMs = zonedTimeToUtcMs(zone.zone, 1970, 1, 1, startMs - zone.aheadMs) - startMs;
    }
    return localMs + differenceMs;
  };
}
