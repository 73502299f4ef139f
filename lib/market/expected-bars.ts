import type { TradingHours } from "@/lib/market/instrument";
import { getBarEnd, getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { getNextOpening } from "@/lib/market/trading-hours";

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
  let startMs = getBarStart(timeframe, fromMs);
  if (startMs < fromMs) startMs = getBarEnd(timeframe, startMs);
  let expected = 0;
  for (let looked = 0; startMs < toMs; looked++) {
    if (looked === MOST_BARS) return null;
    const endMs = getBarEnd(timeframe, startMs);
    const opensMs = getNextOpening(hours, startMs);
    if (opensMs !== null && opensMs < endMs) expected++;
    startMs = endMs;
  }
  return expected;
}
