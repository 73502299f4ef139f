import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_HOUR_MS } from "@/lib/time/units";
import { getZoneOffsetMs, isZone } from "@/lib/time/zone-offset";

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

/** Its fields are what the last call of `read` found. */
export interface FileClock {
  /** UTC milliseconds: of a time that the clocks show twice, the first; one that they skip is moved forward. */
  ms: number;
  /** How much later the second of two moments with this time is; 0 if there is one. */
  doubledMs: number;
  /** Whether the clocks never show this time. */
  isSkipped: boolean;
  /** @param localMs the UTC milliseconds at which a UTC clock shows the time */
  read(localMs: number): void;
}

/**
 * Creates a clock that reads local times. The last quarter of an hour is cached, because rows of files come in the order
 * of time.
 * @throws RangeError for a zone that does not exist
 */
export function createFileClock(name: string): FileClock {
  const found = parseFileZone(name);
  if (found === null) throw new RangeError(`There is no time zone ${name}`);
  const { zone, aheadMs } = found;
  let quarter = NaN;
  let differenceMs = 0;
  const clock: FileClock = {
    ms: 0,
    doubledMs: 0,
    isSkipped: false,
    read(localMs) {
      const current = Math.floor(localMs / QUARTER_HOUR_MS);
      if (current !== quarter) {
        quarter = current;
        const startMs = current * QUARTER_HOUR_MS - aheadMs;
        const offsets = [startMs - DAY_MS, startMs + DAY_MS].map((ms) => getZoneOffsetMs(zone, ms));
        const shown = [...new Set(offsets)].filter((offset) => getZoneOffsetMs(zone, startMs - offset) === offset);
        clock.isSkipped = shown.length === 0;
        clock.doubledMs = shown.length < 2 ? 0 : Math.abs((shown[0] as number) - (shown[1] as number));
        differenceMs = -aheadMs - (shown.length === 0 ? (offsets[0] as number) : Math.max(...shown));
      }
      clock.ms = localMs + differenceMs;
    },
  };
  return clock;
}

/** A converter of local times to UTC milliseconds: of a time that the clocks show twice, the first. */
export function createLocalClock(name: string): (localMs: number) => number {
  const clock = createFileClock(name);
  return (localMs) => {
    clock.read(localMs);
    return clock.ms;
  };
}
