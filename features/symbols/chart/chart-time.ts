import type { UTCTimestamp } from "lightweight-charts";

/** The library counts seconds. */
export const toChartTime = (ms: number) => (ms / 1000) as UTCTimestamp;

const CHART_TIME = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

/** "Sun, 22 Nov 2026, 13:05", UTC. */
export const formatChartTime = (ms: number) => CHART_TIME.format(ms);
