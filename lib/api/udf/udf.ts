import * as z from "zod";
import { mayRead } from "@/lib/access/plans";
import { defineEndpoint, type Endpoint } from "@/lib/api/engine/endpoint";
import type { ApiError } from "@/lib/api/engine/errors";
import type { Match } from "@/lib/api/engine/exchange";
import { symbols } from "@/lib/api/quotes/symbols";
import { EXCHANGE, formatChart, RESOLUTIONS, TYPES, UDF_PATH } from "@/lib/api/udf/udf-endpoint";
import { udfHistory, udfMarks, udfTimescaleMarks } from "@/lib/api/udf/udf-history";
import { udfQuotes, udfSearch, udfSymbols } from "@/lib/api/udf/udf-symbols";
import { SECOND_MS } from "@/lib/time/units";

const udfConfig = defineEndpoint({
  method: "GET",
  path: "/udf/config",
  permission: symbols,
  summary: "What charts can ask for.",
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

const CHART_TYPES = [...new Set(Object.values(TYPES))];

function writeUdfError(error: ApiError) {
  return {
    body: JSON.stringify({ s: "error", errmsg: error.message }),
    contentType: "application/json; charset=utf-8",
  };
}
