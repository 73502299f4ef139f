import { getBarEnd, type Timeframe } from "@/lib/market/timeframe";

/**
 * Returns where a moment lies on the time axis, counted in bars from the first one: 2 where the third bar opened, 2.5
 * halfway through it. Times without bars, such as a weekend, take no space: such a moment lies where the next bar
 * opens. After the last bar, every bar's length takes the space of a bar. Null before the first bar and without bars.
 *
 * @param times the openings of the bars, oldest first
 */
export function findLogical(times: readonly number[], ms: number, timeframe: Timeframe): number | null {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || ms < first) return null;
  const lengthMs = getBarEnd(timeframe, last) - last;
  if (ms >= last) return times.length - 1 + (ms - last) / lengthMs;
  const index = findLastBefore(times, ms);
  return index + Math.min(1, (ms - (times[index] as number)) / lengthMs);
}

/** The index of the last bar that opened at `ms` or before; 0 if none did. */
export function findLastBefore(times: readonly number[], ms: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((times[middle] as number) <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}
