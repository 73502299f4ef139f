import type { TradingHours } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * The state of a price by its age. "live" and "delayed" sources keep their priority; a "stale" one loses it; "closed"
 * means that the market is closed, so the price may be old.
 */
export type QuoteState = "live" | "delayed" | "stale" | "closed";

/** Bounds of the age from which a price is delayed. */
const MIN_DELAY_MS = 5_000;
const MAX_DELAY_MS = MINUTE_MS;
/**
 * A busy major moves a hundred times as often as a quiet exotic, so the limit is a multiple of the symbol's usual
 * pause.
 */
const DELAY_IN_GAPS = 10;
const STALE_IN_DELAYS = 4;
/** Every price that is older is stale while its market is open. */
export const MOST_AGE_MS = STALE_IN_DELAYS * MAX_DELAY_MS;
/**
 * A price may be dated ahead of the market clock by this much, since two processes read it. One dated further ahead was
 * received before the clock was set back, and its age is not known.
 */
export const MAX_AHEAD_MS = 5_000;
const FIRST_GAP_MS = 1_000;
const SMOOTHING = 0.05;

/** The usual pause between the updates of one symbol from one source, and the limits that follow from it. */
export interface Pace {
  gapMs: number;
  delayedAfterMs: number;
  staleAfterMs: number;
}

/** @param gapMs the usual pause, where it has been learnt before */
export function createPace(gapMs = FIRST_GAP_MS): Pace {
  const pace = { gapMs, delayedAfterMs: 0, staleAfterMs: 0 };
  setThresholds(pace);
  return pace;
}

/**
 * Updates the pace with one pause, in milliseconds. A long pause counts as at most four usual ones, so that an outage
 * or a weekend does not raise the limits.
 */
export function learnPause(pace: Pace, pauseMs: number): void {
  const capped = Math.min(Math.max(0, pauseMs), Math.max(4 * pace.gapMs, FIRST_GAP_MS));
  pace.gapMs += SMOOTHING * (capped - pace.gapMs);
  setThresholds(pace);
}

/**
 * The usual pause of a price that was stale from an age on, in whole milliseconds rounded down. A pace of that pause has
 * the same states at all whole ages.
 */
export function toUsualPause(staleAfterMs: number): number {
  return (staleAfterMs + 0.5) / (STALE_IN_DELAYS * DELAY_IN_GAPS);
}

function setThresholds(pace: Pace): void {
  pace.delayedAfterMs = Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, DELAY_IN_GAPS * pace.gapMs));
  pace.staleAfterMs = STALE_IN_DELAYS * pace.delayedAfterMs;
}

/** The state of a price of `timeMs` at `nowMs`. A price that still moves is live, also outside trading hours. */
export function getState(pace: Pace, timeMs: number, hours: TradingHours, nowMs: number): QuoteState {
  const ageMs = timeMs > nowMs + MAX_AHEAD_MS ? Infinity : nowMs - timeMs;
  if (ageMs <= pace.delayedAfterMs) return "live";
  if (!isMarketOpen(hours, nowMs)) return "closed";
  return ageMs <= pace.staleAfterMs ? "delayed" : "stale";
}
