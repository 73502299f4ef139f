import type { PriceSide } from "@/lib/market/price";
import type { Timeframe } from "@/lib/market/timeframe";

/** Bars of the first answer: enough for the widest screen at the usual zoom. */
export const FIRST_BARS = 500;
/** Bars of one answer, at most. */
export const MOST_BARS = 5_000;

/** Writes the address of the bars' data route. */
export function toBarsHref(symbol: string, request: Partial<BarRequest> & Pick<BarRequest, "timeframe">): string {
  const { timeframe, price = "bid", indicators = [], beforeMs = null, fromMs = null, limit } = request;
  const query = new URLSearchParams({ timeframe });
  if (price !== "bid") query.set("price", price);
  if (indicators.length > 0) query.set("indicators", indicators.join());
  if (beforeMs !== null) query.set("before", String(beforeMs));
  if (fromMs !== null) query.set("from", String(fromMs));
  if (limit !== undefined) query.set("limit", String(limit));
  return `/symbols/${symbol}/bars?${query}`;
}

export interface BarRequest {
  readonly timeframe: Timeframe;
  /** The price of the bars, and of the indicators on them. */
  readonly price: PriceSide;
  /** Names of indicators whose values are added. */
  readonly indicators: readonly string[];
  /** Only bars that opened before this moment; null for the newest. UTC milliseconds. */
  readonly beforeMs: number | null;
  /** Only bars that opened at this moment or later: the first of them. Null for the latest. UTC milliseconds. */
  readonly fromMs: number | null;
  readonly limit: number;
}
