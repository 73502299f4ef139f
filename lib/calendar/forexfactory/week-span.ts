import type { ReportedEvent } from "@/lib/calendar/event";
import { FOREX_FACTORY_ZONE } from "@/lib/calendar/forexfactory/weekly-json";
import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DAY_MS } from "@/lib/time/units";

/** Finds the week of a file, Sunday to Saturday in New York. Undefined without events, or if they exceed a week. */
export function findWeekSpan(events: readonly ReportedEvent[]): { fromMs: number; toMs: number } | undefined {
  if (events.length === 0) return undefined;
  const firstMs = events.reduce((least, { timeMs }) => Math.min(least, timeMs), Infinity);
  const { year, month, day, weekday } = toCivilTime(FOREX_FACTORY_ZONE, firstMs);
  const midnight = (days: number) => zonedTimeToUtcMs(FOREX_FACTORY_ZONE, year, month, day - weekday + days, 0);
  // A file that exceeds its week is not complete: a missing row then means nothing.
  const span = { fromMs: midnight(0), toMs: midnight(7) - 1 };
  return events.every(({ timeMs }) => timeMs <= span.toMs + DAY_MS) ? span : undefined;
}
