import { summarise, type Summary } from "@/lib/analytics/summary";
import type { BarSeries } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";

/** The latest summary of a series by its array of closed bars, which is replaced whenever a bar closes. */
const cache = new WeakMap<readonly Bar[], { readonly bid: number; readonly summary: Summary | null }>();

/** Returns the summary of a market, computed once for each bar and bid; null if there are too few bars. */
export function getLatestSummary(
  series: Pick<BarSeries, "closed" | "past">,
  { symbol, digits }: Pick<Instrument, "symbol" | "digits">,
  timeframe: Timeframe,
  bid: number,
): Summary | null {
  const cached = cache.get(series.closed);
  if (cached?.bid === bid) return cached.summary;
  const summary = summarise(series, { symbol, timeframe, bid, digits });
  cache.set(series.closed, { bid, summary });
  return summary;
}
