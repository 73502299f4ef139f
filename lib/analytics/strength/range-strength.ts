import type { AlignedBars } from "@/lib/analytics/strength/aligned-bars";
import { CURRENCIES, type CurrencyPair } from "@/lib/analytics/strength/currencies";
import { WINDOW_BARS } from "@/lib/analytics/strength/raw-strength";
import type { Bar } from "@/lib/market/bar";

/** Ten times the position of the close between the window's low and high, on logarithms, averaged over the pairs. */
export function findPositions(bars: AlignedBars["pairs"], pairs: readonly CurrencyPair[], at: number): number[] {
  const places = pairs.map((_, index) => findPosition((bars[index] ?? []).slice(at - WINDOW_BARS + 1, at + 1)));
  return CURRENCIES.map((_, currency) => {
    const own = pairs.flatMap(({ base, quote }, index) => {
      const place = places[index] as number;
      if (Number.isNaN(place) || (base !== currency && quote !== currency)) return [];
      return base === currency ? place : 10 - place;
    });
    return own.length === 0 ? 5 : own.reduce((sum, place) => sum + place, 0) / own.length;
  });
}

function findPosition(window: readonly (Bar | null)[]): number {
  const known = window.filter((bar) => bar !== null);
  const close = window.at(-1)?.close;
  if (close === undefined) return NaN;
  const high = Math.log(Math.max(...known.map((bar) => bar.high)));
  const low = Math.log(Math.min(...known.map((bar) => bar.low)));
  return high === low ? 5 : 10 * ((Math.log(close) - low) / (high - low));
}
