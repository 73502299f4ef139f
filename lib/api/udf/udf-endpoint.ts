import * as z from "zod";
import type { Handled } from "@/lib/api/engine/answer";
import { choiceParam } from "@/lib/api/engine/params";
import type { Instrument } from "@/lib/market/instrument";
import { getBarStart, getUsualBarMs, isDayOrLonger, type Timeframe, toTradingClock } from "@/lib/market/timeframe";
import { SECOND_MS } from "@/lib/time/units";

export const TYPES = {
  forex: "forex",
  metals: "commodity",
  commodities: "commodity",
  indices: "index",
  crypto: "crypto",
  stocks: "stock",
} as const;

/** The resolutions of UDF, in seconds, minutes, days, weeks or months, and the timeframes that they are. */
export const TIMEFRAME_BY_RESOLUTION = {
  "1S": "S1",
  "5S": "S5",
  "10S": "S10",
  "15S": "S15",
  "30S": "S30",
  "1": "M1",
  "2": "M2",
  "3": "M3",
  "5": "M5",
  "10": "M10",
  "15": "M15",
  "30": "M30",
  "60": "H1",
  "120": "H2",
  "180": "H3",
  "240": "H4",
  "360": "H6",
  "480": "H8",
  "720": "H12",
  "1D": "D1",
  "1W": "W1",
  "1M": "MN1",
} as const satisfies Record<string, Timeframe>;

type Resolution = keyof typeof TIMEFRAME_BY_RESOLUTION;

/** In the order of their lengths. */
export const RESOLUTIONS = (Object.keys(TIMEFRAME_BY_RESOLUTION) as Resolution[]).sort(
  (a, b) => getUsualBarMs(TIMEFRAME_BY_RESOLUTION[a]) - getUsualBarMs(TIMEFRAME_BY_RESOLUTION[b]),
);
export const INTRADAY_RESOLUTIONS: readonly string[] = RESOLUTIONS.filter((name) => /^\d+$/.test(name));
export const SECONDS_RESOLUTIONS: readonly string[] = RESOLUTIONS.flatMap((name) => /^(\d+)S$/.exec(name)?.[1] ?? []);

/** Reads a resolution; "D", "W" and "M" are spellings of one day, one week and one month. Undefined for others. */
export function readResolution(text: string): Resolution | undefined {
  const name = /^[DWM]$/.test(text) ? `1${text}` : text;
  return RESOLUTIONS.find((each) => each === name);
}

/**
 * The time by which a chart names a bar, UTC milliseconds: its opening. For bars of a day and longer it is 00:00 UTC of the
 * first trading day, though that day begins at 17:00 in New York on the evening before.
 */
export function toChartTime(timeframe: Timeframe, startMs: number): number {
  return isDayOrLonger(timeframe) ? toTradingClock(startMs) : startMs;
}

/** The time by which a chart names the bar that contains a moment. */
export function findChartTime(timeframe: Timeframe, atMs: number): number {
  return toChartTime(timeframe, getBarStart(timeframe, atMs));
}

/** What the endpoints of UDF share: https://www.tradingview.com/charting-library-docs/latest/connecting_data/UDF */

/** A symbol as a chart names it, with or without its exchange: "EURUSD" or "SPOTLINE:EURUSD". */
export const chartSymbolParam = z
  .string()
  .min(1, "must not be empty")
  .transform((text) => text.replace(/^[^:]*:/, ""));

export const resolutionParam = choiceParam(RESOLUTIONS, "INVALID_TIMEFRAME", readResolution);

/** The latest time of a chart, in the year 2286; charts ask for the future. */
const MAX_SECONDS = 9_999_999_999;

/** Unix seconds, in UTC milliseconds. */
export const secondsParam = z
  .string()
  .regex(/^-?\d{1,10}$/, "must be Unix seconds")
  .transform((text) => Math.min(MAX_SECONDS, Math.max(0, Number(text))) * SECOND_MS);

/** The market that all symbols are listed on. */
export const EXCHANGE = "SPOTLINE";

/** The kind of a symbol, as charts name it. */
export function formatType({ category }: Pick<Instrument, "category">): string {
  return TYPES[category];
}

export function formatChart(body: unknown, headers = ""): Handled {
  return { body: JSON.stringify(body), headers };
}

/** Where charts read in the UDF protocol of TradingView; also the path of links for them. */
export const UDF_PATH = "/udf";
