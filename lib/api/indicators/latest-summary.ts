import { summarise, type Summary } from "@/lib/analytics/summary";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";

/** The latest summary of a series, by the identity of its closed bars: the array is replaced whenever a bar closes. */
const known = new WeakMap<readonly Bar[], { readonly bid: number; readonly summary: Summary | null }>();

/** A market summed up from its closed bars, worked out once for each bar and bid; null where the bars are too few. */
export function getLatestSummary(
  closed: readonly Bar[],
  { symbol, digits }: Pick<Instrument, "symbol" | "digits">,
  timeframe: Timeframe,
  bid: number,
): Summary | null {
  const before = known.get(closed);
  if (before?.bid === bid) return before.summary;
  const summary = summarise(closed, { symbol, timeframe, bid, digits });
  known.set(closed, { bid, summary });
  return summary;
}
