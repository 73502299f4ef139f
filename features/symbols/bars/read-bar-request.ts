import { FIRST_BARS, MOST_BARS } from "@/features/symbols/bars/bars-url";
import type { BarRequest } from "@/features/symbols/bars/read-bars";
import { readIndicatorNames } from "@/features/symbols/read-choice";
import { readTimeframe } from "@/features/symbols/url";

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

/** A whole number of at most 15 digits, which a double holds exactly; null for any other text. */
function readWhole(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
