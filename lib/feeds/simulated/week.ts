import { drawNormal, drawUniform } from "@/lib/feeds/simulated/noise";
import type { SessionName } from "@/lib/market/sessions/session-hours";
import { getOpenSessions } from "@/lib/market/sessions/sessions";
import { DAY_MS, HOUR_MS, WEEK_MS } from "@/lib/time/units";

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

/** Weeks are counted from Sunday 1970-01-04 00:00 UTC, so that each begins and ends while most markets are closed. */
const FIRST_WEEK_MS = 3 * DAY_MS;
const HOURS = WEEK_MS / HOUR_MS;

export function findWeek(atMs: number): number {
  return Math.floor((atMs - FIRST_WEEK_MS) / WEEK_MS);
}

export function getWeekStartMs(week: number): number {
  return FIRST_WEEK_MS + week * WEEK_MS;
}

interface HourOfWeek {
  readonly open: readonly SessionName[];
  readonly isWeekend: boolean;
  /** Hours since New York closed; negative before the close, 24 when there is no close near. */
  readonly sinceNewYork: number;
}

function listHours(week: number): HourOfWeek[] {
  // Includes the hour before the week and the one after it.
  const opens = Array.from({ length: HOURS + 2 }, (_, at) =>
    getOpenSessions(getWeekStartMs(week) + (at - 1) * HOUR_MS),
  );
  const isNewYorkOpen = opens.map((open) => open.includes("new_york"));
  return Array.from({ length: HOURS }, (_, hour) => {
    const open = opens[hour + 1] as readonly SessionName[];
    const [before, now, after] = isNewYorkOpen.slice(hour, hour + 3);
    const day = Math.floor(hour / 24);
    // The weekday evenings between New York's close and Sydney's opening are quiet, but not a weekend.
    const isWeekend = open.length === 0 && (day === 0 || day === 6 || (day === 5 && hour % 24 > 12));
    return reuseEqualHour({ open, isWeekend, sinceNewYork: before && !now ? 0 : now && !after ? -1 : 24 });
  });
}

const differentHours = new Map<string, HourOfWeek>();

/** There are only a few dozen different hours, so thousands of cached weeks share them. */
function reuseEqualHour(hour: HourOfWeek): HourOfWeek {
  const kind = JSON.stringify(hour);
  const known = differentHours.get(kind) ?? hour;
  differentHours.set(kind, known);
  return known;
}

const MAX_CACHED_WEEKS = 2_000;
const hoursByWeek = new Map<number, HourOfWeek[]>();

/** The hours are the same for all assets, and expensive to compute: four cities' clocks are read for every hour. */
function findHours(week: number): HourOfWeek[] {
  let hours = hoursByWeek.get(week);
  if (hours === undefined) {
    if (hoursByWeek.size >= MAX_CACHED_WEEKS) hoursByWeek.clear();
    hours = listHours(week);
    hoursByWeek.set(week, hours);
  }
  return hours;
}

/** How a week's movement is distributed over its hours: rates of variance relative to each other. */
interface Region {
  /** Summed over the open sessions; `quiet` is added in every weekday hour. */
  readonly sessions: Readonly<Record<SessionName, number>>;
  readonly quiet: number;
  readonly weekend: number;
}

export type RegionName = keyof typeof regions;

const hours = (
  quiet: number,
  weekend: number,
  [sydney, tokyo, london, new_york]: [number, number, number, number],
) => ({
  sessions: { sydney, tokyo, london, new_york },
  quiet,
  weekend,
});

/** All assets move most while London and New York overlap; currencies and shares also in their own day. */
const regions = {
  america: hours(0.2, 0.06, [0.1, 0.2, 0.8, 1.7]),
  europe: hours(0.2, 0.06, [0.1, 0.25, 1.7, 1.1]),
  asia: hours(0.2, 0.06, [0.25, 1.1, 0.9, 0.9]),
  oceania: hours(0.2, 0.06, [0.6, 0.7, 0.8, 0.9]),
  global: hours(0.2, 0.06, [0.15, 0.35, 1.1, 1.6]),
  /** Coins trade at all times, with only slightly less movement at weekends. */
  coins: hours(0.8, 0.6, [0.1, 0.15, 0.3, 0.5]),
} as const satisfies Readonly<Record<string, Region>>;
