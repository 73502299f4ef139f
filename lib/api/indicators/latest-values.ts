import { getDecimals, type IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { computeLatest, countNeededBars, findLastStart, Run, skipHoles } from "@/lib/analytics/indicators/run";
import { summarise, type Summary } from "@/lib/analytics/summary";
import { ApiError } from "@/lib/api/engine/errors";
import type { Services } from "@/lib/api/engine/services";
import { isDefinedFor } from "@/lib/api/indicators/indicator-lookup";
import { formatModeHeader, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import type { BarHistory, BarSeries, PastSeries, ReadableSeries } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import { type BarHole, type BarState, findHoles, findNewestPossible, rateNewestBar } from "@/lib/market/expected-bars";
import type { Instrument } from "@/lib/market/instrument";
import { type PriceSide, roundPrice } from "@/lib/market/price";
import { getBarEnd, getBarStart, getUsualBarMs, type Timeframe } from "@/lib/market/timeframe";
import { slices } from "@/lib/platform/timing/slices";
import { formatBarTime } from "@/lib/time/iso-time";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/** The latest readings of a series by its array of closed bars, which is replaced whenever a bar closes. */
const cache = new WeakMap<readonly Bar[], Map<IndicatorDefinition, number | null>>();
/** Callers may invent thousands of names while a bar of a week fills. */
const MOST_READINGS = 300;

/**
 * Returns the rounded value at the latest closed bar, computed once for each bar; null if there are too few bars.
 *
 * @param digits the digits of the symbol
 */
export function getLatestReading(
  indicator: IndicatorDefinition,
  { closed, past, holes, isJoined }: ReadableSeries,
  digits: number,
): number | null {
  if (isJoined === true && indicator.isSum === true) return null;
  let readings = cache.get(closed);
  if (readings === undefined) cache.set(closed, (readings = new Map()));
  let value = readings.get(indicator);
  if (value === undefined) {
    value = computeLatest(indicator, closed, past, holes);
    if (readings.size >= MOST_READINGS) readings.delete(readings.keys().next().value as IndicatorDefinition);
    readings.set(indicator, value);
  }
  // The digits may have risen since.
  return value === null ? null : roundReading(value, indicator, digits);
}

/** Series with the older bars that some indicators need, by the array of closed bars. */
const extended = new WeakMap<readonly Bar[], Map<number, BarSeries | Promise<BarSeries>>>();

/**
 * Adds the older bars that are not in memory and that indicators with long periods need. Returns the same series if there
 * are none, and the same longer one until a bar closes.
 */
export function extendSeries(
  history: BarHistory,
  instrument: Pick<Instrument, "symbol" | "tradingHours">,
  timeframe: Timeframe,
  series: BarSeries,
  indicators: readonly IndicatorDefinition[],
): BarSeries | Promise<BarSeries> {
  const { closed, past } = series;
  const latest = closed.at(-1);
  if (past === null || latest === undefined) return series;
  const count = countNeeded(indicators, timeframe, latest.timeMs);
  if (count <= closed.length) return series;
  let known = extended.get(closed);
  if (known === undefined) extended.set(closed, (known = new Map()));
  // Few different counts, so that few series are kept.
  const rounded = Math.ceil(count / EXTENDED_BY) * EXTENDED_BY;
  const found = known.get(rounded);
  if (found !== undefined) return found;
  const { symbol } = instrument;
  const read = history.readBefore(symbol, timeframe, { toMs: latest.timeMs + 1, count: rounded }).then((longer) => {
    const holes = findHoles(instrument, timeframe, longer.closed, longer.pastMs);
    const result = { closed: longer.closed, past: longer.past, holes, forming: series.forming };
    known.set(rounded, result);
    return result;
  });
  known.set(rounded, read);
  // A failed read is tried again.
  read.catch(() => known.delete(rounded));
  return read;
}

const EXTENDED_BY = 1_000;

/** How many bars up to the one that opened at a time the indicators need, that one included. */
function countNeeded(indicators: readonly IndicatorDefinition[], timeframe: Timeframe, timeMs: number): number {
  const barMs = getUsualBarMs(timeframe);
  return Math.max(0, ...indicators.map((indicator) => countNeededBars(indicator, barMs, timeMs)));
}

/** A hole is named for so many bars: after them, only cumulative sums still depend on where their history begins. */
const NAMED_BARS = 400;

/** The latest hole after which one of the indicators starts anew, if it is among the latest 400 bars. */
export function findNamedHole(
  { closed, holes }: ReadableSeries,
  indicators: readonly IndicatorDefinition[],
): BarHole | undefined {
  const starts = indicators.flatMap((indicator) => findLastStart(indicator, holes) ?? []);
  const latest = starts.reduce<BarHole | undefined>(
    (one, other) => (other.at > (one?.at ?? -1) ? other : one),
    undefined,
  );
  return latest !== undefined && closed.length - latest.at < NAMED_BARS ? latest : undefined;
}

/** Tells how many bars there are after a hole: "19", or "3 after the hole from … to …". */
export function describeBarCount(closed: readonly Bar[], hole: BarHole | undefined): string {
  if (hole === undefined) return `${closed.length}`;
  const span = `from ${formatBarTime(hole.fromMs)} to ${formatBarTime(hole.untilMs)}`;
  return `${closed.length - hole.at} after the hole in the bars ${span}`;
}

interface Rated {
  /** The moments at which the state holds: UTC milliseconds. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly state: BarState;
}

/** How far behind a series is, by its array of closed bars. */
const rated = new WeakMap<readonly Bar[], Rated>();

/** A value that began so many times its warm-up before, or so many bars, has forgotten what it began with. */
const SETTLED_AFTER = { warmUps: 5, bars: 100 } as const;

/**
 * Whether a value is made of so few bars that those before them, once they are filled in, change it. Bars after a hole are
 * named by the hole, and a sum has no other beginning.
 */
function isShort(indicator: IndicatorDefinition, { closed, past, holes }: ReadableSeries): boolean {
  const { isEndless, isSum, lookback, warmUp } = indicator;
  if (past !== null || isSum === true || (isEndless !== true && lookback === undefined)) return false;
  const settled = lookback ?? Math.max(SETTLED_AFTER.bars, SETTLED_AFTER.warmUps * warmUp);
  return closed.length < settled && findLastStart(indicator, holes) === undefined;
}

/**
 * Rates the latest closed bar of a series and what some indicators are made of; null without a bar.
 *
 * @param indicators those whose values are answered
 */
export function rateSeries(
  series: BarSeries,
  instrument: Pick<Instrument, "tradingHours">,
  timeframe: Timeframe,
  atMs: number,
  indicators: readonly IndicatorDefinition[] = [],
): BarState | null {
  const state = rateLatest(series, instrument, timeframe, atMs);
  return state === "current" && indicators.some((each) => isShort(each, series)) ? "short" : state;
}

/** Rates the latest closed bar, once for each bar and while another one fills. */
function rateLatest(
  { closed, forming }: BarSeries,
  instrument: Pick<Instrument, "tradingHours">,
  timeframe: Timeframe,
  atMs: number,
): BarState | null {
  const known = rated.get(closed);
  if (known !== undefined && atMs >= known.fromMs && atMs < known.untilMs) return known.state;
  const latest = closed.at(-1);
  if (latest === undefined) return null;
  // A bar that has just ended is closed a moment later, once all of its ticks are stored.
  const newestMs = findNewestPossible(instrument.tradingHours, timeframe, atMs);
  const isClosing = forming !== null && forming.timeMs === newestMs;
  const state = rateNewestBar(instrument, timeframe, latest.timeMs, isClosing ? newestMs : atMs);
  const fromMs = getBarStart(timeframe, atMs);
  // An outdated bar stays outdated.
  rated.set(closed, { fromMs, untilMs: state === "outdated" ? Infinity : getBarEnd(timeframe, fromMs), state });
  return state;
}

/** Rounds a value to the decimals that answers show for a symbol with these digits. */
export function roundReading(value: number, indicator: IndicatorDefinition, digits: number): number {
  return roundPrice(value, getDecimals(indicator, digits));
}

/** The value of an indicator at the latest closed bar of one market. */
export interface Screened {
  readonly instrument: Instrument;
  readonly value: number;
  /** When the bar opened: UTC milliseconds. */
  readonly barMs: number;
  readonly state: BarState;
}

const LOADED_TOGETHER = 100;
/** An indicator that needs more reads the older ones of each symbol. */
const LOADED_COUNTS = [100, 300, 500];

/** Reads the value of an indicator of several markets; those with too few bars are left out. */
export async function screenMarkets(
  instruments: readonly Instrument[],
  { indicator, timeframe }: { readonly indicator: IndicatorDefinition; readonly timeframe: Timeframe },
  { history, marketNow }: { readonly history: { readonly bars: BarHistory } } & Pick<Services, "marketNow">,
): Promise<Screened[]> {
  const nowMs = marketNow();
  const symbols = instruments.map(({ symbol }) => symbol);
  const needed = countNeeded([indicator], timeframe, nowMs);
  // Few different counts, so that several indicators share what was loaded.
  const count = LOADED_COUNTS.find((each) => each >= needed);
  const kind = indicator.isEndless === true ? "remembered" : "window";
  let next = 0;
  const screened = await slices.map(instruments, async (instrument): Promise<Screened | null> => {
    // Some at a time: thousands of long series may be more than fit into memory.
    if (next % LOADED_TOGETHER === 0)
      await history.bars.loadAll(symbols.slice(next, next + LOADED_TOGETHER), timeframe, count, kind);
    next++;
    const series = await history.bars.readSeries(instrument.symbol, timeframe, count, kind);
    const longer = await extendSeries(history.bars, instrument, timeframe, series, [indicator]);
    const value = getLatestReading(indicator, longer, instrument.digits);
    const state = rateSeries(longer, instrument, timeframe, nowMs, [indicator]);
    const barMs = series.closed.at(-1)?.timeMs;
    return value === null || state === null || barMs === undefined ? null : { instrument, value, barMs, state };
  });
  return screened.filter((each) => each !== null);
}

/** Selects the values within two bounds, in order. Those of outdated bars come last: they are not of the market of now. */
export function selectScreened(
  screened: readonly Screened[],
  { min, max, sort }: { readonly min: number | null; readonly max: number | null; readonly sort: "asc" | "desc" },
): Screened[] {
  const isOutdated = ({ state }: Screened) => Number(state === "outdated");
  const sign = sort === "asc" ? 1 : -1;
  return screened
    .filter(({ value }) => value >= (min ?? -Infinity) && value <= (max ?? Infinity))
    .sort((one, other) => isOutdated(one) - isOutdated(other) || sign * (one.value - other.value));
}

/** The latest summary of a series by its array of closed bars, which is replaced whenever a bar closes. */
const summaryCache = new WeakMap<readonly Bar[], { readonly bid: number; readonly summary: Summary | null }>();

/**
 * Returns the summary of a market, computed once for each bar and bid; null if there are too few bars after the last
 * hole, or if the latest one is outdated.
 */
export function getLatestSummary(
  series: BarSeries,
  instrument: Pick<Instrument, "symbol" | "digits" | "tradingHours">,
  timeframe: Timeframe,
  { bid, atMs }: { readonly bid: number; readonly atMs: number },
): Summary | null {
  if (rateSeries(series, instrument, timeframe, atMs) === "outdated") return null;
  const { symbol, digits } = instrument;
  const cached = summaryCache.get(series.closed);
  if (cached?.bid === bid) return cached.summary;
  const summary = summarise(skipHoles(series), { symbol, timeframe, bid, digits });
  summaryCache.set(series.closed, { bid, summary });
  return summary;
}

/**
 * Finds the newest quote of several instruments. Returns its time in Unix seconds, 0 before the first quote, and the
 * header that marks quotes that are not live.
 */
export function findNewestQuote(
  instruments: readonly Instrument[],
  { book, origins, marketNow }: Pick<Services, "book" | "origins" | "marketNow">,
): { readonly updatedAt: number; readonly headers: string } {
  const nowMs = marketNow();
  let newestMs = 0;
  let headers = "";
  for (const { symbol } of instruments) {
    const quote = book.served(symbol, nowMs);
    if (quote === undefined) continue;
    newestMs = Math.max(newestMs, quote.timeMs);
    if (quote.mode !== "live") headers = formatModeHeader(quote.mode);
  }
  // What is computed from them needs their history too.
  if (headers === "")
    headers = formatOriginHeader(
      origins,
      instruments.map(({ symbol }) => symbol),
    );
  return { updatedAt: Math.floor(newestMs / 1000), headers };
}

/** Bars that opened in [fromMs, toMs): the first of them where `fromMs` is given, else the latest; at most `limit`. */
export interface PastRange {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly limit: number;
}

interface PastReadings {
  readonly bars: readonly Bar[];
  /** The values of each indicator at each bar. */
  readonly values: readonly (readonly (number | null)[])[];
  /** Where bars are missing in the range or in the warm-up before it, oldest first. */
  readonly holes: readonly Pick<BarHole, "fromMs" | "untilMs">[];
  /** When the first bar opened that the range has beyond the limit; null without one. */
  readonly nextMs: number | null;
}

/** Throws 400 INVALID_RANGE unless the range ends after it begins. */
export function checkRange(fromMs: number | undefined, toMs: number | undefined): void {
  if (fromMs !== undefined && toMs !== undefined && toMs <= fromMs) {
    throw new ApiError("INVALID_RANGE", "to must be later than from, and is now unless given");
  }
}

const MOST_SECONDS_MS = 7 * DAY_MS;

/**
 * Throws 400 INVALID_RANGE for bars of seconds in a range of more than a week: they are looked for hour by hour. Bars of
 * another price than the bid are made of them.
 */
export function checkSeconds(
  timeframe: Timeframe,
  fromMs: number | undefined,
  toMs: number,
  price: PriceSide = "bid",
): void {
  if (fromMs === undefined || getUsualBarMs(timeframe) >= MINUTE_MS || toMs - fromMs <= MOST_SECONDS_MS) return;
  throw new ApiError(
    "INVALID_RANGE",
    `from and to may lie a week apart at most with ${price === "bid" ? timeframe : `price=${price}`}`,
  );
}

/** Counts the bars between two times, started ones included. Bars have their length in weeks without a clock change. */
export function countBars(timeframe: Timeframe, fromMs: number, toMs: number): number {
  return Math.ceil((toMs - fromMs) / getUsualBarMs(timeframe));
}

/** Reads the closed bars of a range, oldest first, and the values of indicators at each of them, unrounded. */
export async function readPastReadings(
  history: BarHistory,
  instrument: Pick<Instrument, "symbol" | "tradingHours">,
  timeframe: Timeframe,
  { fromMs, toMs, limit }: PastRange,
  indicators: readonly IndicatorDefinition[],
): Promise<PastReadings> {
  const { symbol } = instrument;
  const { closed: latest } = await history.readSeries(symbol, timeframe);
  const lastMs = latest.at(-1)?.timeMs ?? -Infinity;
  // One more than the limit, since the latest bar may still be filling.
  const found = await history.readRange(symbol, timeframe, {
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
    limit: limit + 1,
  });
  const closed = found.filter(({ timeMs }) => timeMs <= lastMs);
  const bars = fromMs === undefined ? closed.slice(-limit) : closed.slice(0, limit);
  const [first] = bars;
  const nextMs = fromMs === undefined ? null : (closed[limit]?.timeMs ?? null);
  if (first === undefined) return { bars, values: indicators.map(() => []), holes: [], nextMs };
  const count = countNeeded(indicators, timeframe, first.timeMs);
  const range = { toMs: first.timeMs, count };
  const before = count === 0 ? NONE_BEFORE : await history.readBefore(symbol, timeframe, range);
  const all = [...before.closed, ...bars];
  const holes = findHoles(instrument, timeframe, all, before.pastMs);
  const values = [];
  for (const indicator of indicators) {
    if (!isDefinedFor(indicator, timeframe)) {
      values.push(bars.map(() => null));
      continue;
    }
    const run = new Run(indicator, { bars: all, past: before.past, holes });
    const parts = Array.from({ length: Math.ceil(all.length / BARS_OF_SLICE) }, (_, part) => part * BARS_OF_SLICE);
    const found = await slices.map(parts, (start) =>
      all.slice(start, start + BARS_OF_SLICE).map(() => run.next((stream, bar) => stream.push(bar))),
    );
    values.push(found.flat().slice(before.closed.length));
  }
  const shown = holes.filter((hole) => indicators.some((indicator) => findLastStart(indicator, [hole]) !== undefined));
  const warmUp = Math.max(...indicators.map((indicator) => indicator.warmUp));
  return { bars, values, holes: shown.filter(({ at }) => at >= before.closed.length - warmUp), nextMs };
}

const NONE_BEFORE: PastSeries = { closed: [], past: null, pastMs: null };

/** Bars that are computed together: those of the slowest indicator take less than a ms. */
const BARS_OF_SLICE = 16;
