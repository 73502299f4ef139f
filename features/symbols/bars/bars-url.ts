import type { BarRequest } from "@/features/symbols/bars/read-bars";
import { readIndicatorNames, readTimeframe } from "@/features/symbols/url";

/** Bars of the first answer: enough for the widest screen at the usual zoom. */
export const FIRST_BARS = 500;
/** Bars of one answer, at most. */
export const MOST_BARS = 5_000;

/** Reads the query of the bars' data route. Invalid values are replaced by their defaults. */
export function readBarRequest(query: URLSearchParams): BarRequest {
  const limit = readWhole(query.get("limit")) ?? FIRST_BARS;
  return {
    timeframe: readTimeframe(query),
    indicators: readIndicatorNames(query),
    beforeMs: readWhole(query.get("before")),
    fromMs: readWhole(query.get("from")),
    limit: Math.min(Math.max(limit, 1), MOST_BARS),
  };
}

/** Writes the address of the bars' data route. */
export function toBarsHref(symbol: string, request: Partial<BarRequest> & Pick<BarRequest, "timeframe">): string {
  const { timeframe, indicators = [], beforeMs = null, fromMs = null, limit } = request;
  const query = new URLSearchParams({ timeframe });
  if (indicators.length > 0) query.set("indicators", indicators.join());
  if (beforeMs !== null) query.set("before", String(beforeMs));
  if (fromMs !== null) query.set("from", String(fromMs));
  if (limit !== undefined) query.set("limit", String(limit));
  return `/symbols/${symbol}/bars?${query}`;
}

/** A whole number of at most 15 digits, which a double holds exactly; null for any other text. */
function readWhole(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
