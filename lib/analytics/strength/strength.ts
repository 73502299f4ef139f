import type { AlignedBars } from "@/lib/analytics/strength/aligned-bars";
import { CURRENCIES, type CurrencyPair } from "@/lib/analytics/strength/currencies";
import { findPositions } from "@/lib/analytics/strength/range-strength";
import { computeRawStrengths, computeReturn, WINDOW_BARS } from "@/lib/analytics/strength/raw-strength";
import type { Bar } from "@/lib/market/bar";
import type { Timeframe } from "@/lib/market/timeframe";

/**
 * Currency strength from 0 to 10; 5 is neutral. A currency's mean logarithmic return over the last 12 bars against the
 * other seven, as a multiple of its usual size, is mapped to the scale: one sigma is 7.3, two 8.8, three 9.5. There is
 * no standard definition of strength.
 */

/** Bars whose returns are the baseline. They end where the window begins, so that a shock does not enlarge it. */
const BASELINE_BARS = 120;
const WEEKLY_BASELINE_BARS = 52;
/** With a shorter baseline than this, strength is the position of each price in its window's range. */
const MIN_BASELINE_BARS = 20;
/** The number of changes that decide a trend. */
const TREND_CHANGES = 3;
const TREND_CHANGE = 0.25;

/** The first bar with a baseline long enough, also for the changes before it. */
const FIRST_SCALED = TREND_CHANGES + 2 * WINDOW_BARS + MIN_BASELINE_BARS - 1;

/** How many closed bars are used: more have no effect. */
export const BARS_NEEDED = TREND_CHANGES + 2 * WINDOW_BARS + BASELINE_BARS;
/** With fewer bars there is no strength. */
export const MIN_BARS = WINDOW_BARS + 1;

export type Trend = "bullish" | "bearish" | "neutral";

export interface CurrencyStrength {
  /** 0 to 10, not rounded. */
  readonly strength: number;
  /** Difference to the bar before. */
  readonly change: number;
  readonly trend: Trend;
  /** Pairs of the currency that were used. */
  readonly pairs: number;
}

/** The strength of each currency, in the order of `CURRENCIES`, at the last bar; null with fewer than 13 bars of any of them. */
export function computeStrengths(
  aligned: AlignedBars,
  pairs: readonly CurrencyPair[],
  timeframe: Timeframe,
): CurrencyStrength[] | null {
  const { times, pairs: bars } = aligned;
  const last = times.length - 1;
  if (times.length < MIN_BARS) return null;
  const { isShort, read } = createReading(aligned, pairs, timeframe);
  // The window of a position in the range has no bar before it, so it begins one bar later.
  const earliest = isShort ? WINDOW_BARS - 1 : last - TREND_CHANGES;
  const from = Math.max(earliest, last - TREND_CHANGES);
  const readings = Array.from({ length: last - from + 1 }, (_, index) => read(from + index));
  const counts = CURRENCIES.map((_, currency) => {
    const isOwn = ({ base, quote }: CurrencyPair) => base === currency || quote === currency;
    return pairs.filter((pair, index) => isOwn(pair) && hasPrices(bars[index] ?? [], last, isShort)).length;
  });
  // A currency without quotes has no strength, not a neutral one.
  if (counts.includes(0)) return null;
  return counts.map((count, currency) => {
    const values = readings.map((reading) => reading[currency] as number);
    const changes = values.slice(1).map((value, index) => value - (values[index] as number));
    return {
      strength: values.at(-1) as number,
      change: changes.at(-1) as number,
      trend: toTrend(changes),
      pairs: count,
    };
  });
}

/**
 * The strength of each currency at each of the last `count` bars, by the definition of the last one: one list for each
 * bar, oldest first, in the order of `CURRENCIES`. Fewer where the baseline of earlier bars is too short for it; empty
 * with fewer than 13 bars. The last list equals the strengths of `computeStrengths`.
 */
export function computeStrengthHistory(
  aligned: AlignedBars,
  pairs: readonly CurrencyPair[],
  timeframe: Timeframe,
  count: number,
): number[][] {
  const { length } = aligned.times;
  if (length < MIN_BARS) return [];
  const { isShort, read } = createReading(aligned, pairs, timeframe);
  const from = Math.max(isShort ? MIN_BARS - 1 : FIRST_SCALED, length - count);
  return Array.from({ length: length - from }, (_, index) => read(from + index));
}

/** Returns a function that reads all strengths at one bar. The last bar decides whether returns or positions are read. */
function createReading({ times, pairs: bars }: AlignedBars, pairs: readonly CurrencyPair[], timeframe: Timeframe) {
  const isShort = times.length - 1 < FIRST_SCALED;
  const baselineBars = timeframe === "W1" ? WEEKLY_BASELINE_BARS : BASELINE_BARS;
  const raws = isShort ? [] : times.map((_, at) => computeRawAt(bars, pairs, at));
  const read = (at: number) => (isShort ? findPositions(bars, pairs, at) : scaleReturns(raws, baselineBars, at));
  return { isShort, read };
}

type PairBars = AlignedBars["pairs"];

/** The raw values of all currencies at one bar, with the sum of their squares and the number of known ones. */
interface RawBar {
  readonly raws: readonly number[];
  readonly squares: number;
  readonly known: number;
}

/** 5 + 5 tanh(raw ÷ 2σ); σ is the root mean square of all currencies' raw values over the baseline. */
function scaleReturns(bars: readonly RawBar[], baselineBars: number, at: number): number[] {
  const end = at - WINDOW_BARS;
  let [squares, known] = [0, 0];
  for (let index = Math.max(0, end - baselineBars + 1); index <= end; index++) {
    squares += bars[index]?.squares ?? 0;
    known += bars[index]?.known ?? 0;
  }
  const sigma = known === 0 ? 0 : Math.sqrt(squares / known);
  return (bars[at]?.raws ?? []).map((raw) => {
    if (Number.isNaN(raw) || raw === 0) return 5;
    return sigma === 0 ? 5 + 5 * Math.sign(raw) : 5 + 5 * Math.tanh(raw / (2 * sigma));
  });
}

function computeRawAt(bars: PairBars, pairs: readonly CurrencyPair[], at: number): RawBar {
  const raws = computeRawStrengths(
    pairs.map(({ base, quote }, index) => ({
      base,
      quote,
      value: computeReturn(bars[index] ?? [], at - WINDOW_BARS, at),
    })),
  );
  const known = raws.filter((raw) => !Number.isNaN(raw));
  return { raws, squares: known.reduce((sum, raw) => sum + raw * raw, 0), known: known.length };
}

function hasPrices(bars: readonly (Bar | null)[], last: number, isShort: boolean): boolean {
  return isShort ? bars[last] != null : !Number.isNaN(computeReturn(bars, last - WINDOW_BARS, last));
}

/** A trend needs a change of at least a quarter, and two of the last three changes in the same direction. */
function toTrend(changes: readonly number[]): Trend {
  const change = changes.at(-1) ?? 0;
  const sameWay = changes.filter((each) => Math.sign(each) === Math.sign(change)).length;
  if (Math.abs(change) < TREND_CHANGE || sameWay < 2) return "neutral";
  return change > 0 ? "bullish" : "bearish";
}
