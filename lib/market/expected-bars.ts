import type { TradingHours } from "@/lib/market/instrument";
import { barEnd, barStart, type Timeframe } from "@/lib/market/timeframe";
import { nextMarketOpen } from "@/lib/market/trading-hours";

/** Bars looked at before a count is given up: ten times what one request may ask for. */
const MOST_BARS = 10_000;

/**
 * How many bars of a timeframe open in [fromMs, toMs) and see their market open at some time: those that a recording
 * without holes has. Null where the range is too long to count.
 */
export function countExpectedBars(
  hours: TradingHours,
  timeframe: Timeframe,
  fromMs: number,
  toMs: number,
): number | null {
  let startMs = barStart(timeframe, fromMs);
  if (startMs < fromMs) startMs = barEnd(timeframe, startMs);
  let expected = 0;
  for (let looked = 0; startMs < toMs; looked++) {
    if (looked === MOST_BARS) return null;
    const endMs = barEnd(timeframe, startMs);
    const opensMs = nextMarketOpen(hours, startMs);
    if (opensMs !== null && opensMs < endMs) expected++;
    startMs = endMs;
  }
  return expected;
}
