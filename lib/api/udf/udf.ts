import * as z from "zod";
import { mayRead } from "@/lib/access/plans";
import { defineEndpoint, type Endpoint, type Handled } from "@/lib/api/engine/endpoint";
import type { ApiError } from "@/lib/api/engine/errors";
import type { Match } from "@/lib/api/engine/exchange";
import { choiceParam } from "@/lib/api/engine/params";
import { readResolution, RESOLUTIONS, udfHistory, udfMarks, udfTimescaleMarks } from "@/lib/api/udf/udf-history";
import { udfQuotes, udfSearch, udfSymbols } from "@/lib/api/udf/udf-symbols";
import type { Instrument } from "@/lib/market/instrument";
import { SECOND_MS } from "@/lib/time/units";

const udfConfig = defineEndpoint({
  method: "GET",
  path: "/udf/config",
  permission: "/v1/symbols",
  summary: "What charts can ask for.",
  access: "key",
  weight: 1,
  query: z.object({}),
  reply: z.unknown(),

  handle({ key }) {
    const hasMarks = key !== null && mayRead(key, "calendar");
    return formatChart({
      supported_resolutions: RESOLUTIONS,
      supports_search: true,
      supports_group_request: false,
      supports_marks: hasMarks,
      supports_timescale_marks: hasMarks,
      supports_time: true,
      exchanges: [{ value: EXCHANGE, name: EXCHANGE, desc: "Spotline" }],
      symbols_types: [
        { name: "All", value: "" },
        ...CHART_TYPES.map((value) => ({ name: value.charAt(0).toUpperCase() + value.slice(1), value })),
      ],
    });
  },
});

const udfTime = defineEndpoint({
  method: "GET",
  path: "/udf/time",
  summary: "The time of the market in Unix seconds.",
  access: "open",
  weight: 1,
  query: z.object({}),
  reply: z.string(),
  contentType: "text/plain",
  handle: ({ services }) => ({
    body: String(Math.floor(services.marketNow() / SECOND_MS)),
    contentType: "text/plain; charset=utf-8",
  }),
});

/** The endpoints for charts that speak UDF, the protocol of TradingView's libraries. */
export const udfEndpoints: readonly Endpoint[] = [
  udfConfig,
  udfTime,
  udfSymbols,
  udfSearch,
  udfHistory,
  udfQuotes,
  udfMarks,
  udfTimescaleMarks,
];

const byName = new Map(udfEndpoints.map((endpoint) => [endpoint.path.slice(UDF_PATH.length + 1), endpoint]));

/** Finds the endpoint of "/udf/history", or of "/udf/{link}/history" for a chart that sends no key; null for others. */
export function matchUdf(path: string): Match | null {
  const [, , ...segments] = path.split("/");
  const endpoint = byName.get(segments.at(-1) ?? "");
  if (endpoint === undefined || segments.length > 2) return null;
  const match: Match = { path: endpoint.path, endpoints: [endpoint], segment: "", writeError: writeUdfError };
  const token = segments[0] ?? "";
  if (segments.length === 1) return match;
  const findTarget = (linkPath: string) => (linkPath === UDF_PATH ? match : null);
  return { ...match, link: { token, fixesParameters: false, findTarget } };
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

const CHART_TYPES = [...new Set(Object.values(TYPES))];

export function formatChart(body: unknown, headers = ""): Handled {
  return { body: JSON.stringify(body), headers };
}

function writeUdfError(error: ApiError) {
  return {
    body: JSON.stringify({ s: "error", errmsg: error.message }),
    contentType: "application/json; charset=utf-8",
  };
}

/** Where charts read in the UDF protocol of TradingView; also the path of links for them. */
export const UDF_PATH = "/udf";
