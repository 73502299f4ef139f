import type { Bar } from "@/lib/market/bar";
import { toCivilTime } from "@/lib/time/civil-time";
import { HOUR_MS } from "@/lib/time/units";

/**
 * The usual range of each hour of the day: the median of high − low of the H1 bars that opened in that hour of the zone's
 * clock, from `fromMs` (UTC milliseconds) on. Of an even number, the lower of the two in the middle. 24 prices; null for
 * an hour without a bar.
 */
export function computeHourlyRanges(bars: readonly Bar[], zone: string, fromMs: number): (number | null)[] {
  const ranges = Array.from({ length: 24 }, (): number[] => []);
  for (const { timeMs, high, low } of bars) {
    if (timeMs >= fromMs) ranges[Math.floor(toCivilTime(zone, timeMs).msOfDay / HOUR_MS)]?.push(high - low);
  }
  return ranges.map((each) => each.sort((one, other) => one - other)[Math.ceil(each.length / 2) - 1] ?? null);
}
