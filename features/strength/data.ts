import { HEATMAP_TIMEFRAMES, type HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";
import { type Heatmap, rateHeatmap } from "@/lib/analytics/strength/heatmaps";
import { CURRENCIES, currencyPairs, type Trend } from "@/lib/analytics/strength/strength";
import type { BarState } from "@/lib/market/expected-bars";
import type { Runtime } from "@/lib/runtime";

/** Reads the strength page's data: the figures of /v1/heatmap, ranked, and how they came about. All of it is in memory. */
export async function readStrength(
  { heatmaps, marketNow }: Pick<Runtime, "heatmaps" | "marketNow">,
  timeframe: HeatmapTimeframe,
): Promise<StrengthData> {
  const all = await Promise.all(HEATMAP_TIMEFRAMES.map(async (each) => [each, await heatmaps.read(each)] as const));
  const { times, history, moves, correlations } = await heatmaps.readDetail(timeframe);
  const heatmap = all.find(([each]) => each === timeframe)?.[1] ?? null;
  const state = heatmap === null ? "current" : rateHeatmap(timeframe, heatmap.timeMs, marketNow(), heatmap.bars);
  const lines = heatmap === null ? null : rank(heatmap, history);
  return {
    timeframe,
    heat: all.map(([each, read]) => ({ timeframe: each, cells: read === null ? null : toCells(read) })),
    lines,
    timeMs: heatmap?.timeMs ?? null,
    state,
    // What outdated bars point to is nothing to act on.
    widestPair: state === "outdated" ? null : findWidestPair(lines ?? []),
    times,
    pairs: currencyPairs.map(({ symbol, base, quote }, index) => ({
      symbol,
      base: CURRENCIES[base] as string,
      quote: CURRENCIES[quote] as string,
      move: round(moves[index] ?? null, 3),
      correlations: (correlations[index] ?? []).map((value) => round(value, 2)),
    })),
  };
}

function rank(heatmap: Heatmap, history: readonly (readonly number[])[]): StrengthLine[] {
  const lines = CURRENCIES.map((currency, index) => ({
    currency,
    ...heatmap.currencies[currency],
    history: history.map((strengths) => round(strengths[index] as number, 2)),
  }));
  return lines.sort((a, b) => b.strength - a.strength);
}

function toCells({ currencies }: Heatmap): HeatColumn["cells"] {
  const cells = CURRENCIES.map((currency, own) => {
    const { strength } = currencies[currency];
    const distances = CURRENCIES.map((other) => Math.abs(currencies[other].strength - strength));
    const furthest = distances.indexOf(Math.max(...distances.filter((_, index) => index !== own)));
    // While all strengths are equal, the furthest could be the currency itself.
    const other = furthest === own ? (own + 1) % CURRENCIES.length : furthest;
    return [currency, { strength, symbol: findPair(own, other)?.symbol ?? "" }] as const;
  });
  return Object.fromEntries(cells);
}

/**
 * Returns the pair of the strongest and the weakest currency, and the side that follows the stronger one: buying a pair
 * buys its first currency. `lines` are strongest first. Null while all strengths are equal.
 */
export function findWidestPair(lines: readonly Pick<StrengthLine, "currency" | "strength">[]): WidestPair | null {
  const [strongest, weakest] = [lines[0], lines.at(-1)];
  if (strongest === undefined || weakest === undefined || strongest.strength <= weakest.strength) return null;
  const [one, other] = [strongest, weakest].map(({ currency }) => CURRENCIES.findIndex((each) => each === currency));
  const pair = findPair(one as number, other as number);
  if (pair === undefined) return null;
  const side = pair.base === one ? "buy" : "sell";
  return { symbol: pair.symbol, side, strongest: strongest.currency, weakest: weakest.currency };
}

/** Finds the pair of two currencies by their places in `CURRENCIES`. */
function findPair(one: number, other: number) {
  return currencyPairs.find(({ base, quote }) => base + quote === one + other && (base === one || base === other));
}

function round<Value extends number | null>(value: Value, decimals: number): Value {
  return (value === null ? null : Math.round(value * 10 ** decimals) / 10 ** decimals) as Value;
}

/** The data of the strength page: all timeframes at a glance, and one of them in full. */
export interface StrengthData {
  readonly timeframe: HeatmapTimeframe;
  /** One for each timeframe, shortest first. */
  readonly heat: readonly HeatColumn[];
  /** Strongest first; null while too few bars have been recorded. */
  readonly lines: readonly StrengthLine[] | null;
  /** When the latest bar ended: UTC milliseconds; null without one. */
  readonly timeMs: number | null;
  /** Whether that bar is the newest that there can be. */
  readonly state: BarState;
  /** The pair of the strongest and the weakest currency; null while all strengths are equal. */
  readonly widestPair: WidestPair | null;
  /** When the bars of `StrengthLine.history` ended: UTC milliseconds, oldest first. */
  readonly times: readonly number[];
  /** The 28 pairs. */
  readonly pairs: readonly PairLine[];
}

/** The strengths of one timeframe. */
interface HeatColumn {
  readonly timeframe: HeatmapTimeframe;
  /** By currency; null while too few bars have been recorded. */
  readonly cells: Readonly<Record<string, HeatReading>> | null;
}

interface HeatReading {
  /** 0 to 10. */
  readonly strength: number;
  /** The pair with the currency whose strength is furthest from this one's. */
  readonly symbol: string;
}

/** The pair of two currencies, and the side of a trade that follows the stronger one. */
export interface WidestPair {
  readonly symbol: string;
  readonly side: "buy" | "sell";
  readonly strongest: string;
  readonly weakest: string;
}

export interface StrengthLine {
  readonly currency: string;
  /** 0 to 10. */
  readonly strength: number;
  readonly change: number;
  readonly trend: Trend;
  /** Number of pairs that were used, at most seven. */
  readonly pairs: number;
  /** The strengths at `StrengthData.times`. */
  readonly history: readonly number[];
}

interface PairLine {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Percent over the last twelve bars; null without enough bars. */
  readonly move: number | null;
  /** With each of `StrengthData.pairs`, from −1 to 1; null without enough bars. */
  readonly correlations: readonly (number | null)[];
}
