import { getTitle } from "@/features/indicators/view-tabs";
import {
  getDecimals,
  INDICATOR_CATEGORIES,
  type IndicatorCategory,
  type IndicatorDefinition,
  type Signal,
} from "@/lib/analytics/indicators/definition";
import { findIndicator, indicators } from "@/lib/analytics/indicators/registry";
import { computeLatestReading, findLastStart, type Reading, runWithSignals } from "@/lib/analytics/indicators/run";
import type { Activity, Summary } from "@/lib/analytics/summary";
import { isDefinedFor } from "@/lib/api/indicators/indicator-lookup";
import { extendSeries, findNamedHole, getLatestSummary, rateSeries } from "@/lib/api/indicators/latest-values";
import type { QuoteState } from "@/lib/book/freshness";
import type { BarHistory, BarSeries } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import type { BarState } from "@/lib/market/expected-bars";
import type { Instrument } from "@/lib/market/instrument";
import { formatPrice } from "@/lib/market/price";
import { getBarEnd, type Timeframe } from "@/lib/market/timeframe";
import { slices } from "@/lib/platform/timing/slices";
import type { Runtime } from "@/lib/runtime";
import { formatCount } from "@/lib/text/text";

/** Reads the data of the indicators page for one symbol and timeframe. */
export async function readIndicators(
  { book, history, marketNow }: Pick<Runtime, "book" | "history" | "marketNow">,
  instrument: Instrument,
  timeframe: Timeframe,
  names: readonly string[] = [],
): Promise<IndicatorData> {
  const { symbol, digits } = instrument;
  const nowMs = marketNow();
  const series = await history.bars.readSeries(symbol, timeframe);
  const { closed } = series;
  const latest = closed.at(-1);
  const quote = book.served(symbol);
  const summary =
    quote === undefined ? null : getLatestSummary(series, instrument, timeframe, { bid: quote.bid, atMs: nowMs });
  return {
    symbol,
    timeframe,
    quote: quote
      ? { bid: formatPrice(quote.bid, digits), ask: formatPrice(quote.ask, digits), state: quote.state }
      : null,
    bar:
      latest === undefined
        ? null
        : {
            timeMs: latest.timeMs,
            closedMs: getBarEnd(timeframe, latest.timeMs),
            close: formatPrice(latest.close, digits),
            state: rateSeries(series, instrument, timeframe, nowMs, indicators) ?? "current",
          },
    hole: findHole(series),
    bars: closed.length,
    groups: getGroups(series, digits),
    own: await readOwn(history.bars, instrument, timeframe, series, names),
    summary: summary && writeSummary(summary, digits),
  };
}

function findHole(series: BarSeries): IndicatorData["hole"] {
  const hole = findNamedHole(series, indicators);
  if (hole === undefined) return null;
  return { fromMs: hole.fromMs, untilMs: hole.untilMs, barsAfter: series.closed.length - hole.at };
}

/** Readings by the array of closed bars they were computed from. A new array is made whenever a bar closes. */
const groupCache = new WeakMap<readonly Bar[], { readonly digits: number; readonly groups: IndicatorData["groups"] }>();

function getGroups(series: BarSeries, digits: number): IndicatorData["groups"] {
  const cached = groupCache.get(series.closed);
  if (cached?.digits === digits) return cached.groups;
  const groups = INDICATOR_CATEGORIES.map((category) => ({
    category,
    lines: indicators.filter((each) => each.category === category).map((each) => readLine(each, series, digits)),
  }));
  groupCache.set(series.closed, { digits, groups });
  return groups;
}

function readLine(indicator: IndicatorDefinition, { closed, past, holes }: BarSeries, digits: number): ReadingLine {
  const reading = runWithSignals(indicator, closed, 10 ** -digits, past, holes).at(-1) ?? null;
  return writeLine(indicator, reading, closed.length - (findLastStart(indicator, holes)?.at ?? 0), digits);
}

function writeLine(indicator: IndicatorDefinition, reading: Reading | null, bars: number, digits: number): ReadingLine {
  const { name, description, formula, warmUp } = indicator;
  const value = reading && formatReading(reading.value, indicator, digits);
  return { name, title: getTitle(description), formula, value, signal: reading?.signal ?? null, bars, warmUp };
}

/** The most members of families that the page shows. */
const MOST_OWN = 12;

/** Reads a list of indicators that are not of the list, as the page's address has them. */
export function readOwnNames(text: string): string[] {
  const names = text.split(",").flatMap((name) => findIndicator(name.trim())?.name ?? []);
  return [...new Set(names)].filter((name) => !indicators.some((each) => each.name === name)).slice(0, MOST_OWN);
}

/** Reads members of families. Each is computed in a slice of its own. */
async function readOwn(
  history: BarHistory,
  instrument: Instrument,
  timeframe: Timeframe,
  series: BarSeries,
  names: readonly string[],
): Promise<ReadingLine[]> {
  const point = 10 ** -instrument.digits;
  return slices.map(
    names.flatMap((name) => findIndicator(name) ?? []),
    async (indicator) => {
      const { closed, past, holes } = await extendSeries(history, instrument, timeframe, series, [indicator]);
      const isDefined = isDefinedFor(indicator, timeframe);
      const reading = isDefined ? computeLatestReading(indicator, closed, point, past, holes) : null;
      return writeLine(
        indicator,
        reading,
        closed.length - (findLastStart(indicator, holes)?.at ?? 0),
        instrument.digits,
      );
    },
  );
}

function writeSummary(summary: Summary, digits: number): IndicatorSummary {
  const levels = (prices: readonly number[]) => prices.map((price) => formatPrice(price, digits));
  return {
    bias: summary.bias,
    isStrong: summary.biasStrength === "strong",
    confidencePercent: Math.round(100 * summary.confidence),
    trendScore: Math.round(summary.trendScore),
    momentumScore: Math.round(summary.momentumScore),
    volatilityScore: Math.round(summary.volatilityScore),
    volatility: summary.signals.volatility,
    volume: summary.signals.volume,
    resistance: levels(summary.keyLevels.resistance),
    support: levels(summary.keyLevels.support),
    observations: summary.recommendations,
  };
}

/** Formats a value of an indicator with its decimals, for a symbol with `digits`. */
export function formatReading(value: number, indicator: IndicatorDefinition, digits: number): string {
  // Volumes run into the millions and need grouped digits.
  if (indicator.decimals === "volume") return formatCount(value);
  return formatPrice(value, getDecimals(indicator, digits));
}

/** All readings of one symbol at one timeframe. Numbers are formatted. */
export interface IndicatorData {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly quote: { readonly bid: string; readonly ask: string; readonly state: QuoteState } | null;
  /** The latest closed bar, which all values belong to; null before the first. */
  readonly bar: {
    /** When it opened and closed: UTC milliseconds. */
    readonly timeMs: number;
    readonly closedMs: number;
    readonly close: string;
    readonly state: BarState;
  } | null;
  /** The latest hole in the bars after which readings start anew, and how many bars there are after it. */
  readonly hole: { readonly fromMs: number; readonly untilMs: number; readonly barsAfter: number } | null;
  /** Number of closed bars. */
  readonly bars: number;
  readonly groups: readonly { readonly category: IndicatorCategory; readonly lines: readonly ReadingLine[] }[];
  /** The chosen members of families. */
  readonly own: readonly ReadingLine[];
  /** Null with too few bars, with outdated ones, or without a quote. */
  readonly summary: IndicatorSummary | null;
}

export interface ReadingLine {
  readonly name: string;
  /** Its readable name with its parameters: "Relative strength index of 14 bars". */
  readonly title: string;
  /** The arithmetic in one line. */
  readonly formula: string;
  /** Null where there are fewer bars than `warmUp`. */
  readonly value: string | null;
  readonly signal: Signal | null;
  /** Bars that it is computed from: those after the last hole. */
  readonly bars: number;
  /** Bars needed for the first value. */
  readonly warmUp: number;
}

export interface IndicatorSummary {
  readonly bias: "bullish" | "bearish" | "neutral";
  readonly isStrong: boolean;
  readonly confidencePercent: number;
  /** −100 to 100. */
  readonly trendScore: number;
  readonly momentumScore: number;
  /** 0 to 100. */
  readonly volatilityScore: number;
  readonly volatility: Activity;
  readonly volume: Activity;
  /** Nearest first. */
  readonly resistance: readonly string[];
  readonly support: readonly string[];
  readonly observations: readonly string[];
}
