import { setImmediate as nextTurn } from "node:timers/promises";
import { correlateCurrencies, correlateSymbols, type CorrelationMatrix } from "@/lib/analytics/correlation";
import { skipHoles } from "@/lib/analytics/indicators/run";
import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";
import {
  alignBars,
  type AlignedBars,
  BARS_NEEDED,
  computeReturn,
  computeStrengthHistory,
  computeStrengths,
  CURRENCIES,
  type Currency,
  currencyPairs,
  type CurrencyStrength,
  WINDOW_BARS,
} from "@/lib/analytics/strength/strength";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { type BarState, rateNewestBar } from "@/lib/market/expected-bars";
import type { Instrument } from "@/lib/market/instrument";
import { getBarEnd, getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { joinMaybeAsync, mapMaybeAsync } from "@/lib/platform/timing/slices";

/** The strength of all currencies at the end of the latest closed bar. */
export interface Heatmap {
  readonly timeframe: HeatmapTimeframe;
  readonly currencies: Readonly<Record<Currency, CurrencyStrength>>;
  /** When the latest bar ended: UTC milliseconds. */
  readonly timeMs: number;
  /** How many bars it is made of. */
  readonly bars: number;
}

/** How alike the eight currencies move, in the order of `CURRENCIES`. */
export interface CurrencyCorrelation extends CorrelationMatrix {
  /** The most returns behind a coefficient. */
  readonly count: number;
  /** When the latest bar ended: UTC milliseconds; null without bars. */
  readonly timeMs: number | null;
}

/** A heatmap; null while a currency has fewer than 13 closed bars. */
type MaybeHeatmap = Heatmap | null;

/** The closed bars of each pair. */
type ClosedBars = readonly (readonly Bar[])[];

interface Computed<Result> {
  readonly closed: ClosedBars;
  readonly result: Result;
}

type Cache<Result> = Map<HeatmapTimeframe, Computed<Result>>;

export class Heatmaps {
  readonly #bars: Pick<BarHistory, "readSeries">;
  readonly #heatmaps: Cache<MaybeHeatmap> = new Map();
  readonly #details: Cache<Promise<StrengthDetail>> = new Map();
  readonly #correlations: Cache<CurrencyCorrelation> = new Map();

  constructor(bars: Pick<BarHistory, "readSeries">) {
    this.#bars = bars;
  }

  /** Synchronous when the bars are in memory; the same object until another bar closes. */
  read(timeframe: HeatmapTimeframe): MaybeHeatmap | Promise<MaybeHeatmap> {
    return this.#read(timeframe, this.#heatmaps, computeHeatmap);
  }

  /** The history behind the strengths; the same object until another bar closes. */
  async readDetail(timeframe: HeatmapTimeframe): Promise<StrengthDetail> {
    return this.#read(timeframe, this.#details, computeDetail);
  }

  /** The correlations over the latest `count` bars; the same object until another bar closes or `count` changes. */
  readCorrelation(timeframe: HeatmapTimeframe, count: number): CurrencyCorrelation | Promise<CurrencyCorrelation> {
    if (this.#correlations.get(timeframe)?.result.count !== count) this.#correlations.delete(timeframe);
    return this.#read(timeframe, this.#correlations, (_, closed) => ({
      ...correlateCurrencies(closed, count),
      count,
      timeMs: findLatestEnd(timeframe, closed),
    }));
  }

  #read<Result>(
    timeframe: HeatmapTimeframe,
    cache: Cache<Result>,
    compute: (timeframe: HeatmapTimeframe, closed: ClosedBars) => Result,
  ): Result | Promise<Result> {
    const series = currencyPairs.map(({ symbol }) => this.#bars.readSeries(symbol, timeframe));
    return mapMaybeAsync(joinMaybeAsync(series), (loaded) => {
      const closed = loaded.map((each) => skipHoles(each).closed);
      const cached = cache.get(timeframe);
      if (cached !== undefined && closed.every((bars, index) => bars === cached.closed[index])) return cached.result;
      const result = compute(timeframe, closed);
      cache.set(timeframe, { closed, result });
      return result;
    });
  }
}

function computeHeatmap(timeframe: HeatmapTimeframe, closed: ClosedBars): MaybeHeatmap {
  const aligned = alignBars(closed, BARS_NEEDED);
  const strengths = computeStrengths(aligned, currencyPairs, timeframe);
  const lastMs = aligned.times.at(-1);
  if (strengths === null || lastMs === undefined) return null;
  const currencies = Object.fromEntries(CURRENCIES.map((name, index) => [name, strengths[index]]));
  return {
    timeframe,
    currencies: currencies as Record<Currency, CurrencyStrength>,
    timeMs: getBarEnd(timeframe, lastMs),
    bars: aligned.times.length,
  };
}

const PAIR = instrumentBySymbol.get(currencyPairs[0]?.symbol ?? "") as Instrument;
/** A bar is closed some moments after its end, once all of its ticks are stored. */
const CLOSING_MS = 10_000;

/**
 * Rates the latest bar behind strengths at a moment: all pairs trade at the same hours. Both in UTC milliseconds.
 *
 * @param bars how many bars they are made of; more than these would change them if they are few
 */
export function rateHeatmap(timeframe: HeatmapTimeframe, endMs: number, atMs: number, bars = Infinity): BarState {
  const state = rateNewestBar(PAIR, timeframe, getBarStart(timeframe, endMs - 1), atMs - CLOSING_MS);
  return state === "current" && bars < BARS_NEEDED ? "short" : state;
}

/** When the latest of the bars ended: UTC milliseconds; null without bars. */
export function findLatestEnd(timeframe: HeatmapTimeframe, closed: ClosedBars): number | null {
  const starts = closed.flatMap((bars) => bars.at(-1)?.timeMs ?? []);
  return starts.length === 0 ? null : getBarEnd(timeframe, Math.max(...starts));
}

/** Bars whose strengths are shown. */
const HISTORY_BARS = 120;
/** Returns that are correlated, of each two symbols, unless a call names another number. */
export const CORRELATED_BARS = 120;

/** How strength came about: the strengths of earlier bars, and the moves of the pairs. */
interface StrengthDetail {
  /** When the bars of `history` ended: UTC milliseconds, oldest first. */
  readonly times: readonly number[];
  /** For each of `times` the strengths, in the order of `CURRENCIES`. */
  readonly history: readonly (readonly number[])[];
  /** One for each of `currencyPairs`. */
  readonly moves: readonly (number | null)[];
  /** Rows and columns are `currencyPairs`. */
  readonly correlations: readonly (readonly (number | null)[])[];
}

/**
 * Computes the detail of a timeframe from each pair's closed bars, in the order of `currencyPairs`. Each part takes some
 * milliseconds, so the event loop has a turn between them.
 */
export async function computeDetail(
  timeframe: Timeframe,
  closed: readonly (readonly Bar[])[],
): Promise<StrengthDetail> {
  const aligned = alignBars(closed, BARS_NEEDED + HISTORY_BARS);
  await nextTurn();
  const history = computeStrengthHistory(aligned, currencyPairs, timeframe, HISTORY_BARS);
  await nextTurn();
  const times = aligned.times.slice(aligned.times.length - history.length);
  return {
    times: times.map((startMs) => getBarEnd(timeframe, startMs)),
    history,
    moves: computeMoves(aligned),
    correlations: correlateSymbols(closed, CORRELATED_BARS).rows,
  };
}

/** Each pair's move in percent over the twelve bars of strength: 100 (close ÷ close at the start − 1); null without both. */
function computeMoves({ times, pairs }: AlignedBars): (number | null)[] {
  const last = times.length - 1;
  return pairs.map((bars) => {
    const value = computeReturn(bars, last - WINDOW_BARS, last);
    return Number.isNaN(value) ? null : 100 * Math.expm1(value);
  });
}
