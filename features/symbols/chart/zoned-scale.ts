import { defaultHorzScaleBehavior, type IHorzScaleBehavior, TickMarkType, type Time } from "lightweight-charts";
import { type ChartClock, toChartTime } from "@/features/symbols/chart/chart-time";

type Points = Parameters<IHorzScaleBehavior<Time>["fillWeightsForPoints"]>[0];

/**
 * Creates a time scale whose years, months, days and hours begin where they do on a clock. The library knows those of UTC
 * only. Bars stay at their UTC times, so that the hour that a clock change repeats has its own bars; only the marks are
 * chosen by the clock.
 */
export function createZonedScale(clock: ChartClock): IHorzScaleBehavior<Time> {
  class ZonedScale extends defaultHorzScaleBehavior() {
    override fillWeightsForPoints(points: Points, startIndex: number): void {
      // The weight of a point depends on the point before it.
      const first = Math.max(0, startIndex - 1);
      const shown = points.slice(first).map((point) => {
        const time = toChartTime(clock(Number(this.key(point.time)) * 1000));
        return { ...point, time: this.convertHorzItemToInternal(time) };
      });
      super.fillWeightsForPoints(shown, startIndex - first);
      for (const [index, { timeWeight }] of shown.entries()) {
        const point = points[first + index];
        if (point !== undefined && first + index >= startIndex) point.timeWeight = timeWeight;
      }
    }
  }
  return new ZonedScale();
}

const create = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });

const MARKS: Readonly<Record<TickMarkType, Intl.DateTimeFormat>> = {
  [TickMarkType.Year]: create({ year: "numeric" }),
  [TickMarkType.Month]: create({ month: "short" }),
  [TickMarkType.DayOfMonth]: create({ day: "numeric" }),
  [TickMarkType.Time]: create({ hour: "2-digit", minute: "2-digit" }),
  [TickMarkType.TimeWithSeconds]: create({ hour: "2-digit", minute: "2-digit", second: "2-digit" }),
};

/** Formats a mark on the time axis: "2026", "Nov", "22" or "13:05". */
export const formatMark = (shownMs: number, type: TickMarkType) => MARKS[type].format(shownMs);
