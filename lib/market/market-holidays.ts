import type { Span } from "@/lib/time/span";
import { DAY_MS } from "@/lib/time/units";

/**
 * The two days on which the whole market is closed, 1 January and 25 December: from 22:00 UTC of the evening before to
 * 22:00 UTC of the day, the hour at which the week closes too.
 */
export function getMarketHolidays(year: number): Span[] {
  return [Date.UTC(year, 0, 1, 22), Date.UTC(year, 11, 25, 22)].map((untilMs) => ({
    fromMs: untilMs - DAY_MS,
    untilMs,
  }));
}
