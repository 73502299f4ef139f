import { alignBars } from "@/lib/analytics/strength/aligned-bars";
import { CURRENCIES, type Currency, currencyPairs } from "@/lib/analytics/strength/currencies";
import { BARS_NEEDED, computeStrengths, type CurrencyStrength } from "@/lib/analytics/strength/strength";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import { getBarEnd, type Timeframe } from "@/lib/market/timeframe";
import { joinMaybeAsync, mapMaybeAsync } from "@/lib/platform/timing/maybe-async";

export const HEATMAP_TIMEFRAMES = ["H1", "H4", "D1", "W1"] as const satisfies readonly Timeframe[];
export type HeatmapTimeframe = (typeof HEATMAP_TIMEFRAMES)[number];

/** The strength of all currencies at the end of the latest closed bar. */
export interface Heatmap {
  readonly timeframe: HeatmapTimeframe;
  readonly currencies: Readonly<Record<Currency, CurrencyStrength>>;
  /** When the latest bar ended: UTC milliseconds. */
  readonly timeMs: number;
}

/** A heatmap; null while a currency has fewer than 13 closed bars. */
type MaybeHeatmap = Heatmap | null;

interface CachedHeatmap {
  /** The closed bars of each pair from which the heatmap was computed. */
  readonly closed: readonly (readonly Bar[])[];
  readonly heatmap: MaybeHeatmap;
}

export class Heatmaps {
  readonly #bars: Pick<BarHistory, "readSeries">;
  readonly #cache = new Map<HeatmapTimeframe, CachedHeatmap>();

  constructor(bars: Pick<BarHistory, "readSeries">) {
    this.#bars = bars;
  }

  /** Synchronous when the bars are in memory; the same object until another bar closes. */
  read(timeframe: HeatmapTimeframe): MaybeHeatmap | Promise<MaybeHeatmap> {
    const series = currencyPairs.map(({ symbol }) => this.#bars.readSeries(symbol, timeframe));
    return mapMaybeAsync(joinMaybeAsync(series), (loaded) =>
      this.#compute(
        timeframe,
        loaded.map(({ closed }) => closed),
      ),
    );
  }

  #compute(timeframe: HeatmapTimeframe, closed: CachedHeatmap["closed"]): MaybeHeatmap {
    const cached = this.#cache.get(timeframe);
    if (cached !== undefined && closed.every((bars, index) => bars === cached.closed[index])) return cached.heatmap;
    const heatmap = computeHeatmap(timeframe, closed);
    this.#cache.set(timeframe, { closed, heatmap });
    return heatmap;
  }
}

function computeHeatmap(timeframe: HeatmapTimeframe, closed: CachedHeatmap["closed"]): MaybeHeatmap {
  const aligned = alignBars(closed, BARS_NEEDED);
  const strengths = computeStrengths(aligned, currencyPairs, timeframe);
  const lastMs = aligned.times.at(-1);
  if (strengths === null || lastMs === undefined) return null;
  const currencies = Object.fromEntries(CURRENCIES.map((name, index) => [name, strengths[index]]));
  return {
    timeframe,
    currencies: currencies as Record<Currency, CurrencyStrength>,
    timeMs: getBarEnd(timeframe, lastMs),
  };
}
