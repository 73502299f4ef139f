import * as z from "zod";
import type { Handled } from "@/lib/api/engine/endpoint";
import type { ApiError } from "@/lib/api/engine/errors";
import { choiceParam } from "@/lib/api/engine/params";
import { readResolution, RESOLUTIONS } from "@/lib/api/udf/udf-time";
import type { Instrument } from "@/lib/market/instrument";
import { SECOND_MS } from "@/lib/time/units";

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

const TYPES = {
  forex: "forex",
  metals: "commodity",
  commodities: "commodity",
  indices: "index",
  crypto: "crypto",
  stocks: "stock",
} as const;

/** The kind of a symbol, as charts name it. */
export function formatType({ category }: Pick<Instrument, "category">): string {
  return TYPES[category];
}

export const CHART_TYPES = [...new Set(Object.values(TYPES))];

export function formatChart(body: unknown, headers = ""): Handled {
  return { body: JSON.stringify(body), headers };
}

export function writeUdfError(error: ApiError) {
  return {
    body: JSON.stringify({ s: "error", errmsg: error.message }),
    contentType: "application/json; charset=utf-8",
  };
}
