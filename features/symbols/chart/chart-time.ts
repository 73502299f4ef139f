import type { Time, UTCTimestamp } from "lightweight-charts";
import type { Timeframe } from "@/lib/market/timeframe";

/** The library counts seconds. */
export const toChartTime = (ms: number) => (ms / 1000) as UTCTimestamp;

/** The UTC milliseconds of a time that was made with {@link toChartTime}. */
export const toMs = (time: Time) => Number(time) * 1000;

/** Returns the zone in which a chart has its times: days and weeks are those of UTC in every zone. */
export function getChartZone(timeframe: Timeframe, zone: string): string {
  return timeframe === "D1" || timeframe === "W1" ? "UTC" : zone;
}

const MOMENT: Intl.DateTimeFormatOptions = {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
};

/** "Sun, 22 Nov 2026, 13:05" in a zone. */
export const formatChartTime = (ms: number, zone: string) => formatInZone(ms, zone, MOMENT);

/** The latest formatter of each set of options. A formatter takes long to create. */
const formatters = new Map<Intl.DateTimeFormatOptions, { zone: string; formatter: Intl.DateTimeFormat }>();

/** Formats a time in a zone. `options` must be the same object in every call. */
export function formatInZone(ms: number, zone: string, options: Intl.DateTimeFormatOptions): string {
  const known = formatters.get(options);
  if (known?.zone === zone) return known.formatter.format(ms);
  const formatter = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone });
  formatters.set(options, { zone, formatter });
  return formatter.format(ms);
}
