import type { Bar } from "@/lib/market/bar";

/** A missing bar repeats the last close, for at most this many bars; then the pair has no price. */
const MAX_BARS_BRIDGED = 3;

/** Bars of several pairs, aligned by the time they opened. */
export interface AlignedBars {
  /** Opening times in UTC milliseconds, oldest first. */
  readonly times: readonly number[];
  /** One entry per time for each pair: its bar, a flat bar at its last close, or null. */
  readonly pairs: readonly (readonly (Bar | null)[])[];
}

/**
 * Aligns the latest `limit` bars of pairs with different bars. A time counts if at least half of the pairs that have
 * bars have one there, so that one broker's extra bar does not shift the windows of all pairs.
 */
export function alignBars(series: readonly (readonly Bar[])[], limit: number): AlignedBars {
  const recent = series.map((bars) => bars.slice(-2 * limit));
  const counts = new Map<number, number>();
  for (const { timeMs } of recent.flat()) counts.set(timeMs, (counts.get(timeMs) ?? 0) + 1);
  const enough = recent.filter((bars) => bars.length > 0).length / 2;
  const times = Array.from(counts.keys())
    .filter((timeMs) => (counts.get(timeMs) ?? 0) >= enough)
    .sort((a, b) => a - b)
    .slice(-limit);
  return { times, pairs: recent.map((bars) => alignPair(bars, times)) };
}

function alignPair(bars: readonly Bar[], times: readonly number[]): (Bar | null)[] {
  let next = 0;
  let last: Bar | null = null;
  let bridged = 0;
  return times.map((timeMs) => {
    let isOwn = false;
    for (let bar = bars[next]; bar !== undefined && bar.timeMs <= timeMs; bar = bars[++next]) {
      last = bar;
      isOwn ||= bar.timeMs === timeMs;
    }
    if (last === null) return null;
    bridged = isOwn ? 0 : bridged + 1;
    if (isOwn) return last;
    const { close } = last;
    return bridged > MAX_BARS_BRIDGED ? null : { timeMs, open: close, high: close, low: close, close, volume: 0 };
  });
}
