import type { TradingHours } from "@/lib/market/instrument";
import { getBarEnd, getBarStart, getUsualBarMs, type Timeframe } from "@/lib/market/timeframe";
import { getLastOpenMoment, getNextOpening, isMarketOpen } from "@/lib/market/trading-hours";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** Which bars a recording without gaps has: those during which their market is open at some time. */

/** The count is given up after this many bars: ten times the maximum of one request. */
const MAX_BARS = 10_000;

/**
 * How many bars of a timeframe open in [fromMs, toMs) and have their market open at some time: the number in a
 * recording without gaps. Null for more than 10,000.
 */
export function countExpectedBars(
  hours: TradingHours,
  timeframe: Timeframe,
  fromMs: number,
  toMs: number,
): number | null {
  const count = countUpTo(MAX_BARS, hours, timeframe, fromMs, toMs);
  return count > MAX_BARS ? null : count;
}

/** Counts like `countExpectedBars`, but gives up once there are more than `most`. */
function countUpTo(most: number, hours: TradingHours, timeframe: Timeframe, fromMs: number, toMs: number): number {
  let startMs = getBarStart(timeframe, fromMs);
  if (startMs < fromMs) startMs = getBarEnd(timeframe, startMs);
  let count = 0;
  while (startMs < toMs && count <= most) {
    const opensMs = getNextOpening(hours, startMs);
    if (opensMs === null) break;
    const endMs = getBarEnd(timeframe, startMs);
    if (opensMs < endMs) count++;
    startMs = opensMs < endMs ? endMs : getBarStart(timeframe, opensMs);
  }
  return count;
}

interface Newest {
  /** When the bar opened that is filling. */
  readonly fillingMs: number;
  readonly newestMs: number | null;
}

/** The newest possible bar of each market and timeframe. It stays the same while a bar fills, so it usually matches. */
const newestPossible = new WeakMap<TradingHours, Map<Timeframe, Newest>>();

/**
 * When the newest closed bar opened that there can be at a moment: on a weekend, Friday's last. Null if the market was
 * closed for two weeks.
 */
export function findNewestPossible(hours: TradingHours, timeframe: Timeframe, atMs: number): number | null {
  const fillingMs = getBarStart(timeframe, atMs);
  let known = newestPossible.get(hours);
  if (known === undefined) newestPossible.set(hours, (known = new Map<Timeframe, Newest>()));
  let newest = known.get(timeframe);
  if (newest?.fillingMs !== fillingMs) {
    const openMs = getLastOpenMoment(hours, fillingMs);
    newest = { fillingMs, newestMs: openMs === null ? null : getBarStart(timeframe, openMs) };
    known.set(timeframe, newest);
  }
  return newest.newestMs;
}

/**
 * How far the newest closed bar is behind the newest possible one: not, by some bars, or by too many. A "short" one is not
 * behind, but too few bars before it are stored for a value that remembers all of them.
 */
export const BAR_STATES = ["current", "short", "behind", "outdated"] as const;
export type BarState = (typeof BAR_STATES)[number];

/** A bar is outdated when more bars than these were possible after it: an hour of M1, two weeks of D1, a month of W1. */
function getMostBehind(timeframe: Timeframe): number {
  const lengthMs = getUsualBarMs(timeframe);
  if (lengthMs <= MINUTE_MS) return HOUR_MS / lengthMs;
  return lengthMs < DAY_MS ? 20 : lengthMs === DAY_MS ? 10 : 4;
}

/** Rates the newest closed bar of a market at a moment by the bars that were possible after it. */
export function rateNewestBar(
  { tradingHours }: { readonly tradingHours: TradingHours },
  timeframe: Timeframe,
  barMs: number,
  atMs: number,
): BarState {
  const newestMs = findNewestPossible(tradingHours, timeframe, atMs);
  if (newestMs === null || barMs >= newestMs) return "current";
  const most = getMostBehind(timeframe);
  const missing = countUpTo(most, tradingHours, timeframe, getBarEnd(timeframe, barMs), newestMs + 1);
  return missing > most ? "outdated" : "behind";
}

/** A time without bars in a series although its market was open. */
export interface BarHole {
  /** The index of the first bar after it. */
  readonly at: number;
  /** When the last bar before it ended, and when the first after it opened: UTC milliseconds. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** How many bars are missing, counted up to 500. */
  readonly missing: number;
}

/** Fewer missing bars are no hole: a market may have no price for a while. */
const LEAST_MISSING = 20;
/** The shortest gap of bars of a minute and shorter, which are missing whenever a market is quiet. */
const LEAST_MISSING_MS = HOUR_MS;
/** No indicator needs more bars before its first value. */
const MOST_COUNTED = 500;
/** Whole sessions that are missing for at most this time are a holiday of an exchange, which trading hours do not tell. */
const HOLIDAY_MS = 5 * DAY_MS;
const MOST_KNOWN = 5_000;

/** The missing bars between two moments. Many symbols have the same hours and the same closures. */
const missingBars = new WeakMap<TradingHours, Map<string, number>>();

/**
 * Finds the holes in bars, oldest first: where more than 20 bars are missing (an hour of M1 and of shorter ones). Closed markets make none, nor do
 * whole sessions that are missing for up to five days, which are an exchange's holidays.
 *
 * @param beforeMs when the bar before the first one opened; null if there is none
 */
export function findHoles(
  { tradingHours }: { readonly tradingHours: TradingHours },
  timeframe: Timeframe,
  bars: readonly { readonly timeMs: number }[],
  beforeMs: number | null,
): BarHole[] {
  const holes: BarHole[] = [];
  const lengthMs = getUsualBarMs(timeframe);
  const least = lengthMs <= MINUTE_MS ? LEAST_MISSING_MS / lengthMs : LEAST_MISSING;
  const shortestMs = least * lengthMs;
  let previousMs = beforeMs ?? Infinity;
  for (let at = 0; at < bars.length; at++) {
    const { timeMs: untilMs } = bars[at] as (typeof bars)[number];
    if (untilMs - previousMs > shortestMs) {
      const fromMs = getBarEnd(timeframe, previousMs);
      const missing = countMissing(tradingHours, timeframe, fromMs, untilMs, Math.max(MOST_COUNTED, least + 1));
      if (missing > least) holes.push({ at, fromMs, untilMs, missing });
    }
    previousMs = untilMs;
  }
  return holes;
}

function countMissing(
  hours: TradingHours,
  timeframe: Timeframe,
  fromMs: number,
  untilMs: number,
  most: number,
): number {
  let known = missingBars.get(hours);
  if (known === undefined || known.size > MOST_KNOWN) missingBars.set(hours, (known = new Map<string, number>()));
  const key = `${timeframe} ${fromMs} ${untilMs}`;
  let missing = known.get(key);
  if (missing === undefined) {
    const isHoliday =
      untilMs - fromMs <= HOLIDAY_MS && !isMarketOpen(hours, fromMs) && !isMarketOpen(hours, untilMs - 1);
    missing = isHoliday ? 0 : countUpTo(most, hours, timeframe, fromMs, untilMs);
    known.set(key, missing);
  }
  return missing;
}
