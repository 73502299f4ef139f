import type { Time, UTCTimestamp } from "lightweight-charts";
import { isDayOrLonger, type Timeframe, toTradingClock } from "@/lib/market/timeframe";
import { DAY_MS } from "@/lib/time/units";
import { getZoneOffsetMs } from "@/lib/time/zone-offset";

/** The library counts seconds. */
export const toChartTime = (ms: number) => (ms / 1000) as UTCTimestamp;

/** The UTC milliseconds of a time that was made with {@link toChartTime}. */
export const toMs = (time: Time) => Number(time) * 1000;

/** Converts UTC milliseconds to those at which a UTC clock shows the time of the chart. */
export type ChartClock = (utcMs: number) => number;

/** Whether bars are named by their trading day, without a time. */
const isDaily = isDayOrLonger;

/** Creates the clock of a chart: that of a zone, or for bars of days and weeks that of trading days. */
export function createChartClock(timeframe: Timeframe, zone: string): ChartClock {
  if (isDaily(timeframe)) return toTradingClock;
  let day = NaN;
  let offsetMs: number | null = null;
  return (utcMs) => {
    const current = Math.floor(utcMs / DAY_MS);
    if (current !== day) {
      day = current;
      // Most days have one offset, which is read once.
      const [start, end] = [getZoneOffsetMs(zone, day * DAY_MS), getZoneOffsetMs(zone, (day + 1) * DAY_MS)];
      offsetMs = start === end ? start : null;
    }
    return utcMs + (offsetMs ?? getZoneOffsetMs(zone, utcMs));
  };
}

const DAY = { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
const formatDay = new Intl.DateTimeFormat("en-GB", DAY);
const formatMoment = new Intl.DateTimeFormat("en-GB", { ...DAY, hour: "2-digit", minute: "2-digit" });

/** Formats when a bar opened: "Sun, 22 Nov 2026, 13:05" in a zone, or its trading day, "Mon, 23 Nov 2026". */
export function formatChartTime(utcMs: number, timeframe: Timeframe, zone: string): string {
  return (isDaily(timeframe) ? formatDay : formatMoment).format(createChartClock(timeframe, zone)(utcMs));
}
