import type { TradingHours } from "@/lib/market/instrument";
import { getBarEnd, getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { getNextOpening } from "@/lib/market/trading-hours";

/** The count is given up after this many bars: ten times the maximum of one request. */
const MAX_BARS = 10_000;

/**
 * How many bars of a timeframe open in [fromMs, toMs) and have their market open at some time: the number in a
 * recording without gaps. Null if the range is too long to count.
 */
export function countExpectedBars(
  hours: TradingHours,
  timeframe: Timeframe,
  fromMs: number,
  toMs: number,
): number | null {
  let startMs = getBarStart(timeframe, fromMs);
  if (startMs < fromMs) startMs = getBarEnd(timeframe, startMs);
  let expected = 0;
  for (let looked = 0; startMs < toMs; looked++) {
    if (looked === MAX_BARS) return null;
    const endMs = getBarEnd(timeframe, startMs);
    const opensMs = getNextOpening(hours, startMs);
    if (opensMs !== null && opensMs < endMs) expected++;
    startMs = endMs;
  }
  return expected;
}
