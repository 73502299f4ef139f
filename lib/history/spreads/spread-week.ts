import { addHistogram, getPercentiles, type Histogram } from "@/lib/history/spreads/spread-rollup";
import { toCivilTime } from "@/lib/time/civil-time";
import { HOUR_MS } from "@/lib/time/units";

/** The spreads of a quarter of an hour. */
export interface SpreadQuarter {
  /** UTC milliseconds. */
  readonly startMs: number;
  readonly histogram: Histogram;
}

/** The usual spreads of a week in one zone, in points. */
export interface SpreadWeek {
  /** The median of each weekday and hour: 7 lists from Sunday, of 24 hours each; null without a sample. */
  readonly cells: readonly (readonly (number | null)[])[];
  /** The median of each hour of the day, of all days; null without a sample. */
  readonly hours: readonly (number | null)[];
}

const WEEKDAYS = 7;
const HOURS = 24;

/**
 * Computes the median spread by weekday and hour of a zone's clock. All samples of an hour count alike, one for each
 * recorded second. Zones are ahead of UTC by whole quarters of an hour, so a quarter lies in one hour of each.
 */
export function computeSpreadWeek(quarters: readonly SpreadQuarter[], zone: string): SpreadWeek {
  const cells = Array.from({ length: WEEKDAYS * HOURS }, () => new Map<number, number>());
  for (const { startMs, histogram } of quarters) {
    const { weekday, msOfDay } = toCivilTime(zone, startMs);
    addHistogram(cells[weekday * HOURS + Math.floor(msOfDay / HOUR_MS)] as Map<number, number>, histogram);
  }
  const hours = Array.from({ length: HOURS }, (_, hour) => {
    const all = new Map<number, number>();
    for (let weekday = 0; weekday < WEEKDAYS; weekday++) addHistogram(all, cells[weekday * HOURS + hour] as Histogram);
    return all;
  });
  return {
    cells: Array.from({ length: WEEKDAYS }, (_, weekday) =>
      cells.slice(weekday * HOURS, (weekday + 1) * HOURS).map(findMedian),
    ),
    hours: hours.map(findMedian),
  };
}

function findMedian(histogram: Histogram): number | null {
  return getPercentiles(histogram, [50])[0] ?? null;
}
