import type { Endpoint } from "@/lib/api/engine/endpoint";
import type { Match } from "@/lib/api/engine/exchange";
import { udfConfig, udfTime } from "@/lib/api/udf/udf-config";
import { writeUdfError } from "@/lib/api/udf/udf-endpoint";
import { udfHistory } from "@/lib/api/udf/udf-history";
import { udfMarks, udfTimescaleMarks } from "@/lib/api/udf/udf-marks";
import { UDF_PATH } from "@/lib/api/udf/udf-path";
import { udfQuotes } from "@/lib/api/udf/udf-quotes";
import { udfSearch, udfSymbols } from "@/lib/api/udf/udf-symbols";

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
