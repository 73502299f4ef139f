import type { PastPrice } from "@/lib/feeds/feed";
import type { Bar } from "@/lib/market/bar";
import { getBarEnd, getBarStart, type StoredTimeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_HOUR_MS, SECOND_MS } from "@/lib/time/units";

/**
 * How densely the past is sampled: the older, the wider the steps, with at least five per bar. Each zone begins where
 * the newer one ends and goes back until all its timeframes have enough bars, even for a market with short hours.
 * Longer bars are folded from the zone's, so that a day covers its hours and an hour its minutes.
 */

/** The least number of bars of each timeframe: more than 500 readings of the slowest indicator need. */
export const BARS_WANTED = 800;

interface Zone {
  readonly stepMs: number;
  /** The timeframe that prices are folded into, and the longest that must have enough bars. */
  readonly from: StoredTimeframe;
  readonly upTo: StoredTimeframe;
  /** The least and the greatest length of the zone. */
  readonly leastMs: number;
  readonly mostMs: number;
  /** The length of one read. */
  readonly pieceMs: number;
}

/** How far back every second is sampled. */
export const SECONDS_BACK_MS = DAY_MS;
/** How far back spreads are filled. */
export const SPREADS_BACK_MS = 30 * DAY_MS;

const ZONES: readonly Zone[] = [
  { stepMs: SECOND_MS, from: "M1", upTo: "M1", leastMs: SECONDS_BACK_MS, mostMs: SECONDS_BACK_MS, pieceMs: DAY_MS },
  { stepMs: 10 * SECOND_MS, from: "M1", upTo: "M1", leastMs: 0, mostMs: 14 * DAY_MS, pieceMs: DAY_MS },
  { stepMs: MINUTE_MS, from: "M5", upTo: "M30", leastMs: SPREADS_BACK_MS, mostMs: 150 * DAY_MS, pieceMs: 5 * DAY_MS },
  { stepMs: 5 * MINUTE_MS, from: "H1", upTo: "H1", leastMs: 0, mostMs: 300 * DAY_MS, pieceMs: 10 * DAY_MS },
  { stepMs: QUARTER_HOUR_MS, from: "H4", upTo: "H4", leastMs: 0, mostMs: 900 * DAY_MS, pieceMs: 30 * DAY_MS },
  { stepMs: HOUR_MS, from: "D1", upTo: "D1", leastMs: 0, mostMs: 1_500 * DAY_MS, pieceMs: 100 * DAY_MS },
  { stepMs: 4 * HOUR_MS, from: "W1", upTo: "W1", leastMs: 0, mostMs: 6_000 * DAY_MS, pieceMs: 800 * DAY_MS },
];

/** Reads one symbol's prices, as a feed's `history` does. */
export type ReadPast = (fromMs: number, toMs: number, stepMs: number) => Iterable<PastPrice>;

/** Bars by timeframe, oldest first. */
export type PastBars = Record<StoredTimeframe, readonly Bar[]>;

export interface PastOptions {
  /** A full UTC hour. Bars of the longer timeframes may go on after it. */
  readonly endMs: number;
  /** Skips bars that ended before this moment. */
  readonly sinceMs?: number;
  /** Receives the prices, newest piece first, as far back as every minute is sampled. */
  readonly onPrices?: (prices: readonly PastPrice[], stepMs: number) => void;
}

/** Reads all bars before `endMs`, as far back as the zones reach. */
export function readPastBars(
  read: ReadPast,
  { endMs, sinceMs = -Infinity, onPrices = () => {} }: PastOptions,
): PastBars {
  const bars: Record<StoredTimeframe, Bar[]> = { M1: [], M5: [], M15: [], M30: [], H1: [], H4: [], D1: [], W1: [] };
  let toMs = endMs;
  for (const [index, { stepMs, from, upTo, leastMs, mostMs, pieceMs }] of ZONES.entries()) {
    // The next zone's bars begin where this zone ends.
    const seam = ZONES[index + 1]?.from ?? from;
    const isEnough = () => toMs <= endMs - leastMs && bars[upTo].length > BARS_WANTED;
    while (toMs > Math.max(sinceMs, endMs - mostMs) && !isEnough()) {
      const fromMs = getBarStart(seam, Math.max(sinceMs, toMs - pieceMs));
      const prices = Array.from(read(fromMs, toMs, stepMs));
      if (stepMs <= MINUTE_MS) onPrices(prices, stepMs);
      prepend(bars, from, foldPrices(prices, from));
      toMs = fromMs;
    }
  }
  return bars;
}

/** Prepends older bars of one timeframe to its bars, and the bars they fold into to all longer timeframes. */
function prepend(bars: Record<StoredTimeframe, Bar[]>, from: StoredTimeframe, older: readonly Bar[]): void {
  let shorter = older;
  for (const timeframe of TIMEFRAMES.slice(TIMEFRAMES.indexOf(from))) {
    shorter = rollUp(shorter, timeframe);
    const newer = bars[timeframe];
    // The two pieces may each have a part of one bar.
    bars[timeframe] = [
      ...shorter.slice(0, -1),
      ...rollUp([...shorter.slice(-1), ...newer.slice(0, 1)], timeframe),
      ...newer.slice(1),
    ];
  }
}

/** Bars of past prices: the shortest are folded from prices, the longer ones from shorter bars, so that they agree. */

/** Folds bid prices, oldest first, into bars of one timeframe. The volume is the number of updates. */
function foldPrices(prices: Iterable<PastPrice>, timeframe: StoredTimeframe): Bar[] {
  const bars: Bar[] = [];
  let open = 0;
  let high = 0;
  let low = 0;
  let close = 0;
  let volume = 0;
  let startMs = 0;
  let endMs = -Infinity;
  const finish = () => volume > 0 && bars.push({ timeMs: startMs, open, high, low, close, volume });
  for (const { timeMs, bid, updates } of prices) {
    if (timeMs >= endMs) {
      finish();
      startMs = getBarStart(timeframe, timeMs);
      endMs = getBarEnd(timeframe, startMs);
      open = high = low = bid;
      volume = 0;
    }
    if (bid > high) high = bid;
    if (bid < low) low = bid;
    close = bid;
    volume += updates;
  }
  finish();
  return bars;
}

/** Folds bars, oldest first, into bars of a longer timeframe. Each bar lies within one bar of the next timeframe. */
function rollUp(bars: readonly Bar[], timeframe: StoredTimeframe): Bar[] {
  const longer: Bar[] = [];
  let endMs = -Infinity;
  for (const bar of bars) {
    const last = longer.at(-1);
    if (last === undefined || bar.timeMs >= endMs) {
      const timeMs = getBarStart(timeframe, bar.timeMs);
      endMs = getBarEnd(timeframe, timeMs);
      longer.push({ ...bar, timeMs });
    } else {
      longer[longer.length - 1] = {
        timeMs: last.timeMs,
        open: last.open,
        high: Math.max(last.high, bar.high),
        low: Math.min(last.low, bar.low),
        close: bar.close,
        volume: last.volume + bar.volume,
      };
    }
  }
  return longer;
}
