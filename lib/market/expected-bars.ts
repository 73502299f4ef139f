import type { TradingHours } from "@/lib/market/instrument";
import { getBarEnd, getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { getLastOpenMoment, getNextOpening } from "@/lib/market/trading-hours";

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

/** How far the newest closed bar is behind the newest possible one: not, by some bars, or by too many. */
export const BAR_STATES = ["current", "behind", "outdated"] as const;
export type BarState = (typeof BAR_STATES)[number];

/** A bar is outdated when more bars than these were possible after it: an hour of M1, two weeks of D1, a month of W1. */
const MOST_BEHIND: Readonly<Record<Timeframe, number>> = {
  M1: 60,
  M5: 20,
  M15: 20,
  M30: 20,
  H1: 20,
  H4: 20,
  D1: 10,
  W1: 4,
};

/** Rates the newest closed bar of a market at a moment by the bars that were possible after it. */
export function rateNewestBar(
  { tradingHours }: { readonly tradingHours: TradingHours },
  timeframe: Timeframe,
  barMs: number,
  atMs: number,
): BarState {
  const newestMs = findNewestPossible(tradingHours, timeframe, atMs);
  if (newestMs === null || barMs >= newestMs) return "current";
  const most = MOST_BEHIND[timeframe];
  const missing = countUpTo(most, tradingHours, timeframe, getBarEnd(timeframe, barMs), newestMs + 1);
  return missing > most ? "outdated" : "behind";
}
