import type { Instrument } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * How far a price may be trusted. "live" and "delayed" prices may be served in place of each other by priority;
 * a "stale" one loses its place; "closed" says that the market rests, which is no fault of the source.
 */
export type QuoteState = "live" | "delayed" | "stale" | "closed";

/** Bounds on the silence after which a price is called delayed, in milliseconds. */
const MIN_DELAY_MS = 5_000;
const MAX_DELAY_MS = MINUTE_MS;
/** A quiet exotic and a busy major differ a hundredfold, so silence is judged against the symbol's own pace. */
const DELAY_IN_GAPS = 10;
const STALE_IN_DELAYS = 4;
const FIRST_GAP_MS = 1_000;
const SMOOTHING = 0.05;

/** The watchdog of one source's quotes of one symbol: learns the usual pause between updates. */
export interface Pace {
  gapMs: number;
  delayedAfterMs: number;
  staleAfterMs: number;
}

export function newPace(): Pace {
  const pace = { gapMs: FIRST_GAP_MS, delayedAfterMs: 0, staleAfterMs: 0 };
  setThresholds(pace);
  return pace;
}

/**
 * Learns from one pause, in milliseconds. A single long one counts for at most four usual ones: an outage or a
 * weekend must not teach the watchdog to be patient.
 */
export function learnPause(pace: Pace, pauseMs: number): void {
  const capped = Math.min(pauseMs, Math.max(4 * pace.gapMs, FIRST_GAP_MS));
  pace.gapMs += SMOOTHING * (capped - pace.gapMs);
  setThresholds(pace);
}

function setThresholds(pace: Pace): void {
  pace.delayedAfterMs = Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, DELAY_IN_GAPS * pace.gapMs));
  pace.staleAfterMs = STALE_IN_DELAYS * pace.delayedAfterMs;
}

/** The state of a price made at `timeMs`, seen at `nowMs`. A price that still moves is live whatever the timetable says. */
export function stateOf(pace: Pace, timeMs: number, instrument: Instrument, nowMs: number): QuoteState {
  const ageMs = nowMs - timeMs;
  if (ageMs <= pace.delayedAfterMs) return "live";
  if (!isMarketOpen(instrument.tradingHours, nowMs)) return "closed";
  return ageMs <= pace.staleAfterMs ? "delayed" : "stale";
}
