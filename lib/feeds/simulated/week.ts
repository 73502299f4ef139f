import { drawNormal, drawUniform } from "@/lib/feeds/simulated/noise";
import { type RegionName, regions } from "@/lib/feeds/simulated/regions";
import { findHours } from "@/lib/feeds/simulated/week-hours";
import type { SessionName } from "@/lib/market/sessions/session-hours";
import { HOUR_MS, WEEK_MS } from "@/lib/time/units";

export const SLOT_MS = 300_000;
const SLOTS = WEEK_MS / SLOT_MS;
const SLOTS_OF_HOUR = HOUR_MS / SLOT_MS;

/** The activity of one asset over a week, in slots of five minutes. */
export interface WeekShape {
  /** Share of the week's variance that has passed at the start of each slot, and 1 at the end. */
  readonly elapsed: Float64Array;
  /** The factor on spreads in each slot. */
  readonly widening: Float32Array;
}

/** Probability that a weekday slot brings news, and the factor on its movement then. */
const NEWS_PROBABILITY = 0.002;
const NEWS_RATE = 14;
const NEWS_LEFT_AFTER_SLOT = 0.4;

/**
 * Variance follows the sessions, with busy and quiet days, hours and minutes that differ for each asset and week, and
 * bursts of news that fade: this gives prices calm periods, sudden moves and fat tails.
 */
export function shapeWeek(seed: number, region: RegionName, week: number): WeekShape {
  const { sessions, quiet, weekend } = regions[region];
  const neverCloses = region === "coins";
  const elapsed = new Float64Array(SLOTS + 1);
  const widening = new Float32Array(SLOTS);
  let total = 0;
  let news = 0;
  for (const [hour, { open, isWeekend, sinceNewYork }] of findHours(week).entries()) {
    const base = isWeekend ? weekend : open.reduce((rate, session) => rate + sessions[session], quiet);
    const variation = 0.35 * drawNormal(seed, week, Math.floor(hour / 24)) + 0.3 * drawNormal(seed, week, 1_000 + hour);
    const spread = neverCloses ? 1 : computeSessionWidening(open, isWeekend);
    for (let part = 0; part < SLOTS_OF_HOUR; part++) {
      const slot = hour * SLOTS_OF_HOUR + part;
      news *= NEWS_LEFT_AFTER_SLOT;
      if (!isWeekend && drawUniform(seed, week, 10_000 + slot) < NEWS_PROBABILITY) news = NEWS_RATE;
      total += base * Math.exp(variation + 0.3 * drawNormal(seed, week, 20_000 + slot)) * (1 + news);
      elapsed[slot + 1] = total;
      const rollover = neverCloses ? 1 : computeRolloverWidening(sinceNewYork + part / SLOTS_OF_HOUR);
      widening[slot] = spread * rollover * (1 + news / 10);
    }
  }
  for (let slot = 1; slot <= SLOTS; slot++) elapsed[slot] = (elapsed[slot] as number) / total;
  return { elapsed, widening };
}

function computeSessionWidening(open: readonly SessionName[], isWeekend: boolean): number {
  if (isWeekend) return 2.5;
  const [london, newYork, tokyo] = [open.includes("london"), open.includes("new_york"), open.includes("tokyo")];
  if (london && newYork) return 0.85;
  if (london) return 1;
  if (newYork) return 1.1;
  return tokyo ? 1.3 : 1.8;
}

/** At 17:00 New York the banks' day ends: order books empty for some minutes and fill up over the next hour. */
function computeRolloverWidening(hours: number): number {
  if (hours < -1 / 12 || hours >= 1) return 1;
  if (hours < 0) return 1.6;
  return 1 + 4 * Math.exp(-hours * 5);
}
