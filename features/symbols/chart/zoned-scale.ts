import { defaultHorzScaleBehavior, type IHorzScaleBehavior, TickMarkType, type Time } from "lightweight-charts";
import { formatInZone, toChartTime } from "@/features/symbols/chart/chart-time";
import { getZoneOffsetMs } from "@/lib/time/civil-time";
import { DAY_MS } from "@/lib/time/units";

type Points = Parameters<IHorzScaleBehavior<Time>["fillWeightsForPoints"]>[0];

/**
 * Creates the time scale of a chart whose years, months, days and hours begin where they do in a zone. The library knows
 * those of UTC only. Bars stay at their UTC times, so that the hour that a clock change repeats has its own bars; only
 * the marks are chosen by local time.
 */
export function createZonedScale(zone: string): IHorzScaleBehavior<Time> {
  const toLocal = createLocalClock(zone);
  class ZonedScale extends defaultHorzScaleBehavior() {
    override fillWeightsForPoints(points: Points, startIndex: number): void {
      // The weight of a point depends on the point before it.
      const first = Math.max(0, startIndex - 1);
      const local = points.slice(first).map((point) => {
        const time = toChartTime(toLocal(Number(this.key(point.time)) * 1000));
        return { ...point, time: this.convertHorzItemToInternal(time) };
      });
      super.fillWeightsForPoints(local, startIndex - first);
      for (const [index, { timeWeight }] of local.entries()) {
        const point = points[first + index];
        if (point !== undefined && first + index >= startIndex) point.timeWeight = timeWeight;
      }
    }
  }
  return new ZonedScale();
}

/** Returns a function that adds the zone's offset to UTC milliseconds. Most days have one offset, which is read once. */
function createLocalClock(zone: string): (ms: number) => number {
  let day = NaN;
  let offsetMs: number | null = null;
  return (ms) => {
    const current = Math.floor(ms / DAY_MS);
    if (current !== day) {
      day = current;
      const [start, end] = [getZoneOffsetMs(zone, day * DAY_MS), getZoneOffsetMs(zone, (day + 1) * DAY_MS)];
      offsetMs = start === end ? start : null;
    }
    return ms + (offsetMs ?? getZoneOffsetMs(zone, ms));
  };
}

const MARKS: Readonly<Record<TickMarkType, Intl.DateTimeFormatOptions>> = {
  [TickMarkType.Year]: { year: "numeric" },
  [TickMarkType.Month]: { month: "short" },
  [TickMarkType.DayOfMonth]: { day: "numeric" },
  [TickMarkType.Time]: { hour: "2-digit", minute: "2-digit" },
  [TickMarkType.TimeWithSeconds]: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
};

/** The text of a mark on the time axis: "2026", "Nov", "22" or "13:05" in a zone. */
export const formatMark = (ms: number, type: TickMarkType, zone: string) => formatInZone(ms, zone, MARKS[type]);
