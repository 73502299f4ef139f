import { type ImportReport, isWeekend } from "@/lib/history/import/import-report";
import type { Instrument } from "@/lib/market/instrument";
import { createLocalClock, parseFileZone, toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { MINUTE_MS } from "@/lib/time/units";

/** Whether the weekly openings and closes of a file are those of its market, and the zones in which they are. */
export interface ZoneCheck {
  /** "unknown" without a weekend in the file, or where the market has none. */
  readonly state: "fits" | "differs" | "unknown";
  /** Weekends that were compared, and how many of them fit. */
  readonly weekends: number;
  readonly fitting: number;
  /** Zones that fit better, best first; zones that fit alike stand in the order of how common they are. */
  readonly suggestions: readonly string[];
}

const NEW_YORK = "America/New_York";
/** The hours from the opening, and to the close, within which a weekend fits. */
const OPENS_WITHIN_MS = 25 * MINUTE_MS;
const MAX_SUGGESTIONS = 3;

/** Common zones of vendors' files and brokers' servers, most common first. */
const CANDIDATES: readonly string[] = [
  "UTC",
  NEW_YORK,
  "America/New_York+7",
  "Etc/GMT+5",
  "Europe/London",
  "Europe/Berlin",
  "Europe/Athens",
  "America/Chicago",
  "Asia/Tokyo",
  "Australia/Sydney",
  ...Array.from({ length: 12 }, (_, index) => `Etc/GMT-${index + 1}`),
  ...Array.from({ length: 12 }, (_, index) => `Etc/GMT+${index + 1}`),
];

type Times = Pick<ImportReport, "weekends">;

/** The weekends of several files of one source, with those between two files. */
export function joinWeekends(reports: readonly ImportReport[]): Times {
  const weekends = reports.flatMap((report) => report.weekends);
  const sorted = [...reports].sort((a, b) => (a.firstMs ?? Infinity) - (b.firstMs ?? Infinity));
  let lastMs = NaN;
  for (const report of sorted) {
    if (report.firstMs === null || report.lastMs === null) continue;
    if (isWeekend(lastMs, report.firstMs)) weekends.push({ lastMs, firstMs: report.firstMs });
    lastMs = Number.isNaN(lastMs) ? report.lastMs : Math.max(lastMs, report.lastMs);
  }
  return { weekends };
}

/** Compares the weekends of files with their market's, and looks for a zone that fits better than the one used. */
export function checkZone({ weekends }: Times, instrument: Instrument, zone: string): ZoneCheck {
  const { tradingHours } = instrument;
  const opening = tradingHours.days.sunday[0]?.from;
  const closing = tradingHours.days.friday.at(-1)?.to;
  if (tradingHours.zone !== NEW_YORK || opening === undefined || closing === undefined || weekends.length === 0) {
    return { state: "unknown", weekends: 0, fitting: 0, suggestions: [] };
  }
  const market = { opensMs: toMs(opening), closesMs: toMs(closing) };
  const local = weekends.map(({ lastMs, firstMs }) => ({
    lastMs: toLocal(lastMs, zone),
    firstMs: toLocal(firstMs, zone),
  }));
  const count = (candidate: string) => {
    const toUtc = createLocalClock(candidate);
    return local.filter(({ lastMs, firstMs }) => fits(toUtc(lastMs), toUtc(firstMs), market)).length;
  };
  const fitting = count(zone);
  const scores = CANDIDATES.filter((each) => each !== zone).map((candidate) => ({
    candidate,
    fitting: count(candidate),
  }));
  const best = Math.max(...scores.map((score) => score.fitting));
  const isBetter = best > fitting && fitting * 2 < weekends.length;
  const suggestions = isBetter
    ? scores.filter((score) => score.fitting === best).map(({ candidate }) => candidate)
    : [];
  return {
    state: fitting * 2 >= weekends.length ? "fits" : "differs",
    weekends: weekends.length,
    fitting,
    suggestions: suggestions.slice(0, MAX_SUGGESTIONS),
  };
}

/** Whether rows begin at the opening of the week, and end before a close: some brokers stop a few minutes early. */
function fits(lastMs: number, firstMs: number, market: { opensMs: number; closesMs: number }): boolean {
  const first = toCivilTime(NEW_YORK, firstMs);
  const last = toCivilTime(NEW_YORK, lastMs);
  const afterOpening = first.msOfDay - market.opensMs;
  const isOpening = first.weekday === 0 && afterOpening >= -MINUTE_MS && afterOpening <= OPENS_WITHIN_MS;
  const isClose = last.weekday === 5 && last.msOfDay <= market.closesMs + MINUTE_MS;
  return isOpening && isClose;
}

/** The local time of a zone, as the UTC milliseconds at which a UTC clock shows it. */
function toLocal(utcMs: number, zone: string): number {
  const parsed = parseFileZone(zone);
  if (parsed === null) throw new RangeError(`There is no time zone ${zone}`);
  const { year, month, day, msOfDay } = toCivilTime(parsed.zone, utcMs);
  return zonedTimeToUtcMs("UTC", year, month, day, msOfDay) + parsed.aheadMs;
}

function toMs(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}
