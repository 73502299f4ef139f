import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { parseOffset, toDayMs } from "@/lib/time/iso-time";
import { DAY_MS } from "@/lib/time/units";

/**
 * The formats of time in csv files of ticks. HistData's times are New York time, although its site says otherwise;
 * other formats without a zone are UTC.
 */
interface StampForm {
  /** Year, month, day, hour, minute, second, fraction of a second, offset. */
  readonly pattern: RegExp;
  readonly zone: string;
}

const forms: readonly StampForm[] = [
  { pattern: /^(\d{4})(\d\d)(\d\d) (\d\d)(\d\d)(\d\d)(\d{3})$/, zone: "America/New_York" },
  { pattern: /^(\d{4})(\d\d)(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/, zone: "UTC" },
  {
    pattern: /^(\d{4})[-.](\d\d)[-.](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/,
    zone: "UTC",
  },
];
const UNIX_MS = /^\d{13}$/;

/**
 * Reads a time as UTC milliseconds; null if it has no known format. An offset in the text wins over `zone`, and `zone`
 * over the format's own.
 */
export function readStamp(text: string, zone: string | undefined): number | null {
  if (UNIX_MS.test(text)) return Number(text);
  for (const form of forms) {
    const match = form.pattern.exec(text);
    if (match === null) continue;
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
    const fractionMs = Math.floor(Number(`0.${match[7] ?? 0}`) * 1_000);
    const msOfDay = ((hour * 60 + minute) * 60 + second) * 1_000 + fractionMs;
    const dayMs = toDayMs(year, month, day);
    if (dayMs === null || minute > 59 || second > 59 || msOfDay >= DAY_MS) return null;
    const offset = match[8];
    if (offset !== undefined) return dayMs + msOfDay - parseOffset(offset);
    return zonedTimeToUtcMs(zone ?? form.zone, year, month, day, msOfDay);
  }
  return null;
}
