import type { CalendarEvent, Frequency } from "@/lib/calendar/event";
import type { Entry } from "@/lib/calendar/sorted-events";

type Named = Pick<CalendarEvent, "stream" | "provider" | "currency" | "title" | "seriesId">;

/**
 * Returns the events of the same series, oldest first, the event itself included. Events without a series belong
 * together if one source gives them one title. Of two sources' rows of one release, the one with a figure counts.
 *
 * @param sorted all events by time
 */
export function listSeries(sorted: readonly Entry[], event: Named): CalendarEvent[] {
  const series: CalendarEvent[] = [];
  for (const { event: each } of sorted) {
    if (!isSameSeries(each, event)) continue;
    const last = series.at(-1);
    if (last?.timeMs !== each.timeMs) series.push(each);
    else if (last.actual === null) series[series.length - 1] = each;
  }
  return series;
}

function isSameSeries(a: Named, b: Named): boolean {
  if (a.stream !== b.stream || a.currency !== b.currency || a.seriesId !== b.seriesId) return false;
  return a.seriesId !== null || (a.provider === b.provider && a.title === b.title);
}

/** Days between releases. Holidays and short months move them by some days. */
const RHYTHMS: readonly (readonly [Frequency, from: number, to: number])[] = [
  ["weekly", 5, 9],
  ["monthly", 25, 36],
  ["quarterly", 80, 100],
];
const LEAST_RELEASES = 3;

/** Finds how often a series is released from its times, oldest first, in days; null if they fit no rhythm. */
export function findFrequency(days: readonly number[]): Frequency | null {
  if (days.length < LEAST_RELEASES) return null;
  const gaps = days.slice(1).map((day, index) => day - (days[index] as number));
  const fits = RHYTHMS.find(([, from, to]) => gaps.every((gap) => gap >= from && gap <= to));
  return fits?.[0] ?? null;
}
