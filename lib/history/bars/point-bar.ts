import { type HourColumns, MINUTES_PER_HOUR, SECONDS_PER_MINUTE } from "@/lib/history/hour-columns";
import type { Bar } from "@/lib/market/bar";
import { getBarEnd, getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { MINUTE_MS } from "@/lib/time/units";

/** A bar whose prices are whole points (price × 10^digits), so that bars can be compared and joined exactly. */
export interface PointBar {
  /** When it opened: UTC milliseconds. */
  readonly timeMs: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** The M1 bars of an hour, oldest first. A minute without an update has none. */
export function toMinuteBars(hour: HourColumns): PointBar[] {
  const { updates, open, high, low, bid } = hour;
  const bars: PointBar[] = [];
  for (let minute = 0; minute < MINUTES_PER_HOUR; minute++) {
    let bar: PointBar | null = null;
    for (let at = minute * SECONDS_PER_MINUTE; at < (minute + 1) * SECONDS_PER_MINUTE; at++) {
      const volume = updates[at] as number;
      if (volume === 0) continue;
      const row = { high: high[at] as number, low: low[at] as number, close: bid[at] as number, volume };
      if (bar === null) bar = { timeMs: hour.hourMs + minute * MINUTE_MS, open: open[at] as number, ...row };
      else extend(bar, row);
    }
    if (bar !== null) bars.push(bar);
  }
  return bars;
}

/** Joins bars, oldest first, into bars of a longer timeframe. The last may be unfinished. */
export function joinBars(bars: readonly PointBar[], timeframe: Timeframe): PointBar[] {
  const joined: PointBar[] = [];
  let last: PointBar | null = null;
  let endMs = -Infinity;
  for (const bar of bars) {
    if (last !== null && bar.timeMs < endMs) {
      extend(last, bar);
      continue;
    }
    const timeMs = getBarStart(timeframe, bar.timeMs);
    endMs = getBarEnd(timeframe, timeMs);
    joined.push((last = { ...bar, timeMs }));
  }
  return joined;
}

function extend(bar: PointBar, { high, low, close, volume }: Omit<PointBar, "timeMs" | "open">): void {
  if (high > bar.high) bar.high = high;
  if (low < bar.low) bar.low = low;
  bar.close = close;
  bar.volume += volume;
}

/** A bar in prices. A whole number divided once by a power of ten is the double that prints as the intended decimal. */
export function toBar({ timeMs, open, high, low, close, volume }: PointBar, digits: number): Bar {
  const scale = 10 ** digits;
  return { timeMs, open: open / scale, high: high / scale, low: low / scale, close: close / scale, volume };
}
