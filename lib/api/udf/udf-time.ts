import { getBarStart, type Timeframe, toTradingClock } from "@/lib/market/timeframe";

/** The resolutions of UDF, in minutes, days or weeks, and the timeframes that they are. */
const TIMEFRAME_BY_RESOLUTION = {
  "1": "M1",
  "5": "M5",
  "15": "M15",
  "30": "M30",
  "60": "H1",
  "240": "H4",
  "1D": "D1",
  "1W": "W1",
} as const satisfies Record<string, Timeframe>;

/** In the order of their lengths. */
export const RESOLUTIONS = ["1", "5", "15", "30", "60", "240", "1D", "1W"] as const;
export const INTRADAY_RESOLUTIONS: readonly string[] = RESOLUTIONS.filter((name) => /^\d+$/.test(name));

/** Reads a resolution; "D" and "W" are spellings of one day and one week. Undefined for others. */
export function readResolution(text: string): keyof typeof TIMEFRAME_BY_RESOLUTION | undefined {
  const name = text === "D" || text === "W" ? `1${text}` : text;
  return RESOLUTIONS.find((each) => each === name);
}

export function toTimeframe(resolution: (typeof RESOLUTIONS)[number]): Timeframe {
  return TIMEFRAME_BY_RESOLUTION[resolution];
}

/**
 * The time by which a chart names a bar, UTC milliseconds: its opening. For daily and weekly bars it is 00:00 UTC of the
 * first trading day, though that day begins at 17:00 in New York on the evening before.
 */
export function toChartTime(timeframe: Timeframe, startMs: number): number {
  return timeframe === "D1" || timeframe === "W1" ? toTradingClock(startMs) : startMs;
}

/** The time by which a chart names the bar that contains a moment. */
export function findChartTime(timeframe: Timeframe, atMs: number): number {
  return toChartTime(timeframe, getBarStart(timeframe, atMs));
}
