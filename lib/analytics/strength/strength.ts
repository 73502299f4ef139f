import type { Bar } from "@/lib/market/bar";
import { instruments } from "@/lib/market/catalog";
import type { Timeframe } from "@/lib/market/timeframe";

export const CURRENCIES = ["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"] as const;
export type Currency = (typeof CURRENCIES)[number];

export interface CurrencyPair {
  readonly symbol: string;
  /** Indexes of its two currencies in `CURRENCIES`. */
  readonly base: number;
  readonly quote: number;
}

/** The 28 pairs of the eight currencies, seven to each. */
export const currencyPairs: readonly CurrencyPair[] = instruments.flatMap(({ symbol, base, quote }) => {
  const place = (currency: string | null) => CURRENCIES.findIndex((each) => each === currency);
  const pair = { symbol, base: place(base), quote: place(quote) };
  return pair.base === -1 || pair.quote === -1 ? [] : [pair];
});

/** One pair's return in the window that ends with a bar; NaN without a price at both ends. */
export interface PairReturn extends Pick<CurrencyPair, "base" | "quote"> {
  /** ln(close ÷ close at the window's start). */
  readonly value: number;
}

/** Bars of the window in which a currency's return is taken. */
export const WINDOW_BARS = 12;
const USD = CURRENCIES.indexOf("USD");
/** A currency with fewer own pairs than this has its crosses derived from the dollar pairs. */
const MIN_PAIRS = 4;
/** Below any price step: a smaller mean is rounding noise of a market without movement. */
const NOISE = 1e-12;

export function computeReturn(bars: readonly (Bar | null)[], fromIndex: number, toIndex: number): number {
  const from = bars[fromIndex];
  const to = bars[toIndex];
  return from == null || to == null ? NaN : Math.log(to.close / from.close);
}

/**
 * The mean return of each currency over the pairs that contain it, in the order of `CURRENCIES`: + as the base, − as
 * the quote. A pair without a return is left out; a currency without any pair has NaN.
 */
export function computeRawStrengths(returns: readonly PairReturn[]): number[] {
  const valid = returns.filter(({ value }) => !Number.isNaN(value));
  return CURRENCIES.map((_, currency) => {
    const own = collectReturns(currency, valid);
    if (own.size < MIN_PAIRS) addCrosses(own, currency, valid);
    if (own.size === 0) return NaN;
    let sum = 0;
    for (const value of own.values()) sum += value;
    const mean = sum / own.size;
    return Math.abs(mean) < NOISE ? 0 : mean;
  });
}

/** A currency's returns by the currency on the other side. */
function collectReturns(currency: number, returns: readonly PairReturn[]): Map<number, number> {
  const byCounterpart = new Map<number, number>();
  for (const { base, quote, value } of returns) {
    if (base === currency) byCounterpart.set(quote, value);
    else if (quote === currency) byCounterpart.set(base, -value);
  }
  return byCounterpart;
}

function addCrosses(own: Map<number, number>, currency: number, returns: readonly PairReturn[]): void {
  const dollar = own.get(USD);
  if (dollar === undefined) return;
  for (const [other, againstDollar] of collectReturns(USD, returns)) {
    // The other currency's return against the dollar is −againstDollar.
    if (other !== currency && !own.has(other)) own.set(other, dollar + againstDollar);
  }
}

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

/** Ten times the position of the close between the window's low and high, on logarithms, averaged over the pairs. */
function findPositions(bars: AlignedBars["pairs"], pairs: readonly CurrencyPair[], at: number): number[] {
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
