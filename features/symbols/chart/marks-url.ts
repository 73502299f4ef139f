import type { MarksRequest } from "@/features/symbols/chart/read-marks";
import { LAYERS, readTimeframe } from "@/features/symbols/url";
import { DAY_MS, WEEK_MS } from "@/lib/time/units";

/** Reads the query of the marks' data route; null without a span of time. */
export function readMarksRequest(query: URLSearchParams): MarksRequest | null {
  const [fromMs, toMs] = [Number(query.get("from") ?? NaN), Number(query.get("to") ?? NaN)];
  if (!Number.isSafeInteger(fromMs) || !Number.isSafeInteger(toMs) || fromMs < 0 || toMs <= fromMs) return null;
  // The last moment that dates can have.
  if (toMs > 8.64e15) return null;
  const chosen = (query.get("layers") ?? "").split(",");
  return { timeframe: readTimeframe(query), fromMs, toMs, layers: LAYERS.filter((layer) => chosen.includes(layer)) };
}

/**
 * Writes the address of the marks around a shown span. The span is widened to whole weeks and one more on each side, so
 * that the address changes rarely while the view moves.
 */
export function toMarksHref(symbol: string, { timeframe, fromMs, toMs, layers }: MarksRequest): string {
  const query = new URLSearchParams({
    timeframe,
    from: String(Math.max(0, Math.floor(fromMs / WEEK_MS) * WEEK_MS - WEEK_MS)),
    to: String(Math.ceil((toMs + DAY_MS) / WEEK_MS) * WEEK_MS + WEEK_MS),
    layers: layers.join(),
  });
  return `/symbols/${symbol}/marks?${query}`;
}
