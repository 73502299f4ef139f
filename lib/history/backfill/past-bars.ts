import type { PastPrice } from "@/lib/feeds/feed";
import type { Bar } from "@/lib/market/bar";
import { getBarEnd, getBarStart, type Timeframe } from "@/lib/market/timeframe";

/** Bars of past prices: the shortest are folded from prices, the longer ones from shorter bars, so that they agree. */

/** Folds bid prices, oldest first, into bars of one timeframe. The volume is the number of updates. */
export function foldPrices(prices: Iterable<PastPrice>, timeframe: Timeframe): Bar[] {
  const bars: Bar[] = [];
  let open = 0;
  let high = 0;
  let low = 0;
  let close = 0;
  let volume = 0;
  let startMs = 0;
  let endMs = -Infinity;
  const finish = () => volume > 0 && bars.push({ timeMs: startMs, open, high, low, close, volume });
  for (const { timeMs, bid, updates } of prices) {
    if (timeMs >= endMs) {
      finish();
      startMs = getBarStart(timeframe, timeMs);
      endMs = getBarEnd(timeframe, startMs);
      open = high = low = bid;
      volume = 0;
    }
    if (bid > high) high = bid;
    if (bid < low) low = bid;
    close = bid;
    volume += updates;
  }
  finish();
  return bars;
}

/** Folds bars, oldest first, into bars of a longer timeframe. Each bar lies within one bar of the next timeframe. */
export function rollUp(bars: readonly Bar[], timeframe: Timeframe): Bar[] {
  const longer: Bar[] = [];
  let endMs = -Infinity;
  for (const bar of bars) {
    const last = longer.at(-1);
    if (last === undefined || bar.timeMs >= endMs) {
      const timeMs = getBarStart(timeframe, bar.timeMs);
      endMs = getBarEnd(timeframe, timeMs);
      longer.push({ ...bar, timeMs });
    } else {
      longer[longer.length - 1] = {
        timeMs: last.timeMs,
        open: last.open,
        high: Math.max(last.high, bar.high),
        low: Math.min(last.low, bar.low),
        close: bar.close,
        volume: last.volume + bar.volume,
      };
    }
  }
  return longer;
}
