import { alignBars } from "@/lib/analytics/strength/aligned-bars";
import { CURRENCIES, type Currency, currencyPairs } from "@/lib/analytics/strength/currencies";
import { BARS_NEEDED, computeStrengths, type CurrencyStrength } from "@/lib/analytics/strength/strength";
import type { BarHistory, BarSeries } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import { getBarEnd, type Timeframe } from "@/lib/market/timeframe";
import { joinMaybeAsync, mapMaybeAsync } from "@/lib/platform/maybe-async";

export const HEATMAP_TIMEFRAMES = ["H1", "H4", "D1", "W1"] as const satisfies readonly Timeframe[];
export type HeatmapTimeframe = (typeof HEATMAP_TIMEFRAMES)[number];

/** The strength of all currencies at the end of the latest closed bar. The same object until another bar closes. */
export interface Heatmap {
  readonly timeframe: HeatmapTimeframe;
  readonly currencies: Readonly<Record<Currency, CurrencyStrength>>;
  /** When the latest bar ended: UTC milliseconds. */
  readonly timeMs: number;
}

export interface Heatmaps {
  /** Null while there are fewer than 13 closed bars of any of the currencies. At once when the bars are in memory. */
  read(timeframe: HeatmapTimeframe): Heatmap | null | Promise<Heatmap | null>;
}

interface Made {
  /** The closed bars of each pair that it was made of. */
  readonly closed: readonly (readonly Bar[])[];
  readonly heatmap: Heatmap | null;
}

export function createHeatmaps(bars: Pick<BarHistory, "readSeries">): Heatmaps {
  const made = new Map<HeatmapTimeframe, Made>();

  function from(timeframe: HeatmapTimeframe, series: readonly BarSeries[]): Heatmap | null {
    const last = made.get(timeframe);
    if (last !== undefined && series.every(({ closed }, index) => closed === last.closed[index])) return last.heatmap;
    const closed = series.map((each) => each.closed);
    const heatmap = makeHeatmap(timeframe, closed);
    made.set(timeframe, { closed, heatmap });
    return heatmap;
  }

  return {
    read(timeframe) {
      const found = currencyPairs.map(({ symbol }) => bars.readSeries(symbol, timeframe));
      return mapMaybeAsync(joinMaybeAsync(found), (series) => from(timeframe, series));
    },
  };
}

function makeHeatmap(timeframe: HeatmapTimeframe, closed: readonly (readonly Bar[])[]): Heatmap | null {
  const aligned = alignBars(closed, BARS_NEEDED);
  const readings = computeStrengths(aligned, currencyPairs, timeframe);
  const lastMs = aligned.times.at(-1);
  if (readings === null || lastMs === undefined) return null;
  const currencies = Object.fromEntries(CURRENCIES.map((name, index) => [name, readings[index]]));
  return {
    timeframe,
    currencies: currencies as Record<Currency, CurrencyStrength>,
    timeMs: getBarEnd(timeframe, lastMs),
  };
}
