import type { SpreadMinute } from "@/lib/history/spreads/spread-history";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { getSpreadPips } from "@/lib/market/price";
import { MINUTE_MS } from "@/lib/time/units";

/** How long before and after a release prices are measured. */
export const AROUND_MINUTES = 30;
export const AROUND_MS = AROUND_MINUTES * MINUTE_MS;

/** Without a price for longer than this, none is known. */
const STALE_MS = 10 * MINUTE_MS;
/** Spreads widen shortly before a release. */
const EARLY_MS = 2 * MINUTE_MS;

/** What a symbol did in the first minutes after a release. */
interface FirstMove {
  readonly minutes: number;
  /** The bid at their end minus the last bid before the release; null before their end, and without a price. */
  readonly pips: number | null;
  /** Highest minus lowest bid of these minutes, the last bid before the release included; null with `pips`. */
  readonly range: number | null;
}

const FIRST_MINUTES = [1, 5, 30] as const;

/** What one pair did around one release, in pips. */
export interface Move {
  /** The length of the bars that it is measured on. */
  readonly barMinutes: 1 | 5;
  /**
   * The bid at the end of each bar from 30 minutes before to 30 minutes after the release, minus the last bid before the
   * release; null where no price is stored. With bars of a minute these are 61 values, of five minutes 13.
   */
  readonly path: readonly (number | null)[];
  /** Highest minus lowest bid of the 30 minutes before, and of those after. */
  readonly rangeBefore: number;
  readonly rangeAfter: number;
  /** The last bid before the release, from which all is measured. */
  readonly reference: number;
  /** The first 1, 5 and 30 minutes. Bars of five minutes do not have the first one. */
  readonly first: readonly FirstMove[];
  /**
   * The farthest that the bid was from `reference` within 30 minutes, negative if that was below it; null before they
   * have passed, and without a price at their end.
   */
  readonly reach: number | null;
  /** The median of the minutes' median spreads before the release, and the widest minute from two minutes before on. */
  readonly spread: { readonly before: number; readonly widest: number } | null;
}

interface Prices {
  /** Bars of `barMinutes` from 40 minutes before the release on, oldest first. */
  readonly bars: readonly Bar[];
  readonly barMinutes: 1 | 5;
  readonly minutes: readonly SpreadMinute[];
  /** UTC milliseconds. Later bars are not known yet. */
  readonly nowMs: number;
}

type Grid = Pick<Instrument, "pipSize" | "digits">;

/** Measures a move. Null without prices before or after the release. Times are UTC milliseconds. */
export function measureMove(
  releaseMs: number,
  { bars, barMinutes, minutes, nowMs }: Prices,
  instrument: Grid,
): Move | null {
  const { pipSize } = instrument;
  const barMs = barMinutes * MINUTE_MS;
  // A bar that ends after the release would show the move as older than it is.
  if (releaseMs % barMs !== 0) return null;
  const before = bars.filter(({ timeMs }) => timeMs >= releaseMs - AROUND_MS && timeMs < releaseMs);
  const after = bars.filter(({ timeMs }) => timeMs >= releaseMs && timeMs < releaseMs + AROUND_MS);
  const reference = findClose(bars, releaseMs, barMs);
  if (reference === null || before.length === 0 || after.length === 0) return null;
  const toPips = (price: number) => Number((price / pipSize).toFixed(1));
  const path: (number | null)[] = [];
  for (let atMs = releaseMs - AROUND_MS; atMs <= releaseMs + AROUND_MS; atMs += barMs) {
    const close = atMs > nowMs ? null : findClose(bars, atMs, barMs);
    path.push(close === null ? null : toPips(close - reference));
  }
  const first = FIRST_MINUTES.map((count) => {
    const endMs = releaseMs + count * MINUTE_MS;
    const close = count % barMinutes === 0 && endMs <= nowMs ? findClose(bars, endMs, barMs) : null;
    if (close === null) return { minutes: count, pips: null, range: null };
    const [low, high] = getBounds(reference, after, endMs);
    return { minutes: count, pips: toPips(close - reference), range: toPips(high - low) };
  });
  return {
    barMinutes,
    path,
    rangeBefore: toPips(getRange(before)),
    rangeAfter: toPips(getRange(after)),
    reference,
    first,
    reach: first.at(-1)?.pips == null ? null : toPips(getReach(reference, after)),
    spread: measureSpread(releaseMs, minutes, instrument),
  };
}

/** The last price before a moment; null if it is stale. */
function findClose(bars: readonly Bar[], atMs: number, barMs: number): number | null {
  const last = bars.findLast(({ timeMs }) => timeMs + barMs <= atMs);
  return last === undefined || atMs - (last.timeMs + barMs) > STALE_MS ? null : last.close;
}

function getBounds(reference: number, bars: readonly Bar[], endMs: number): readonly [low: number, high: number] {
  const within = bars.filter(({ timeMs }) => timeMs < endMs);
  return [Math.min(reference, ...within.map(({ low }) => low)), Math.max(reference, ...within.map(({ high }) => high))];
}

function getReach(reference: number, bars: readonly Bar[]): number {
  const [low, high] = getBounds(reference, bars, Infinity);
  return high - reference >= reference - low ? high - reference : low - reference;
}

function getRange(bars: readonly Bar[]): number {
  return Math.max(...bars.map(({ high }) => high)) - Math.min(...bars.map(({ low }) => low));
}

function measureSpread(releaseMs: number, minutes: readonly SpreadMinute[], grid: Grid): Move["spread"] {
  const list = (fromMs: number, toMs: number) =>
    minutes
      .filter(({ startMs }) => startMs >= fromMs && startMs < toMs)
      .map(({ median }) => getSpreadPips(0, median, grid));
  const before = getMedian(list(releaseMs - AROUND_MS, releaseMs - EARLY_MS));
  const around = list(releaseMs - EARLY_MS, releaseMs + AROUND_MS);
  return before === null || around.length === 0 ? null : { before, widest: Math.max(...around) };
}

/** Writes a move in pips with its sign: "+12.3". */
export function formatMove(pips: number | null): string {
  if (pips === null) return "–";
  const size = Math.abs(pips).toFixed(1);
  return `${pips > 0 ? "+" : pips < 0 ? "−" : ""}${size}`;
}

/** How far from the price before it a release usually moves a symbol. */
export interface UsualReach {
  /** The median of the absolute reaches within 30 minutes, in pips; null with fewer than three. */
  readonly pips: number | null;
  /** How many releases have a reach. */
  readonly n: number;
}

/** Fewer releases do not say what is usual. */
export const LEAST_REACHES = 3;

/**
 * Finds the usual reach of some releases of one event; null for one without stored prices. After half of them the price
 * stayed within it, up and down, for 30 minutes.
 */
export function findUsualReach(moves: readonly (Pick<Move, "reach"> | null)[]): UsualReach {
  const reaches = moves.flatMap((move) => (move === null || move.reach === null ? [] : Math.abs(move.reach)));
  return { pips: reaches.length < LEAST_REACHES ? null : getMedian(reaches), n: reaches.length };
}

/** The middle of some values, or the mean of the two in the middle; null of none. */
export function getMedian(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return null;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle) - 1] as number)) / 2;
}
