import type { ReportedEvent } from "@/lib/calendar/event";
import { FOREX_FACTORY_ZONE } from "@/lib/calendar/forexfactory/weekly-json";
import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DAY_MS } from "@/lib/time/units";

/** The week a weekly file covers, from Sunday to Saturday in New York; undefined for a file without events. */
export function findWeekSpan(events: readonly ReportedEvent[]): { fromMs: number; toMs: number } | undefined {
  if (events.length === 0) return undefined;
  const firstMs = events.reduce((least, { timeMs }) => Math.min(least, timeMs), Infinity);
  const { year, month, day, weekday } = toCivilTime(FOREX_FACTORY_ZONE, firstMs);
  const midnight = (days: number) => zonedTimeToUtcMs(FOREX_FACTORY_ZONE, year, month, day - weekday + days, 0);
  // A file that reaches beyond its week is not one, and then silence about a row means nothing.
  const span = { fromMs: midnight(0), toMs: midnight(7) - 1 };
  return events.every(({ timeMs }) => timeMs <= span.toMs + DAY_MS) ? span : undefined;
}
