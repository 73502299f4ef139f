import { bell, uniform } from "@/lib/feeds/simulated/noise";
import { type RegionName, regions } from "@/lib/feeds/simulated/regions";
import type { SessionName } from "@/lib/market/sessions/session-hours";
import { getOpenSessions } from "@/lib/market/sessions/sessions";
import { DAY_MS, HOUR_MS, WEEK_MS } from "@/lib/time/units";

export const SLOT_MS = 300_000;
const SLOTS = WEEK_MS / SLOT_MS;
/** Weeks are counted from Sunday 1970-01-04 00:00 UTC, so that one begins and ends while most markets are closed. */
const FIRST_WEEK_MS = 3 * DAY_MS;
const HOURS = WEEK_MS / HOUR_MS;
const SLOTS_OF_HOUR = HOUR_MS / SLOT_MS;

export function weekOf(atMs: number): number {
  return Math.floor((atMs - FIRST_WEEK_MS) / WEEK_MS);
}

export function weekStartMs(week: number): number {
  return FIRST_WEEK_MS + week * WEEK_MS;
}

/** How one asset's week passes, in slots of five minutes. */
export interface WeekShape {
  /** Share of the week's variance that has gone by at the start of each slot, and 1 at the end. */
  readonly elapsed: Float64Array;
  /** What spreads are multiplied by during each slot. */
  readonly widening: Float32Array;
}

/** Chance that a slot of a weekday brings news, and how much livelier than usual it is then. */
const NEWS_CHANCE = 0.002;
const NEWS_RATE = 14;
const NEWS_LEFT_AFTER_SLOT = 0.4;

/**
 * Variance arrives with the sessions, in busy and quiet days, hours and minutes that differ for each asset and week,
 * and in bursts of news that fade: that gives prices calm stretches, sudden moves and fat tails.
 */
export function shapeWeek(seed: number, region: RegionName, week: number): WeekShape {
  const { sessions, quiet, weekend } = regions[region];
  const neverCloses = region === "coins";
  const elapsed = new Float64Array(SLOTS + 1);
  const widening = new Float32Array(SLOTS);
  let total = 0;
  let news = 0;
  for (const [hour, { open, isWeekend, sinceNewYork }] of sessionsOfWeek(week).entries()) {
    const base = isWeekend ? weekend : open.reduce((rate, session) => rate + sessions[session], quiet);
    const mood = 0.35 * bell(seed, week, Math.floor(hour / 24)) + 0.3 * bell(seed, week, 1_000 + hour);
    const spread = neverCloses ? 1 : sessionWidening(open, isWeekend);
    for (let part = 0; part < SLOTS_OF_HOUR; part++) {
      const slot = hour * SLOTS_OF_HOUR + part;
      news *= NEWS_LEFT_AFTER_SLOT;
      if (!isWeekend && uniform(seed, week, 10_000 + slot) < NEWS_CHANCE) news = NEWS_RATE;
      total += base * Math.exp(mood + 0.3 * bell(seed, week, 20_000 + slot)) * (1 + news);
      elapsed[slot + 1] = total;
      const rollover = neverCloses ? 1 : rolloverWidening(sinceNewYork + part / SLOTS_OF_HOUR);
      widening[slot] = spread * rollover * (1 + news / 10);
    }
  }
  for (let slot = 1; slot <= SLOTS; slot++) elapsed[slot] = (elapsed[slot] as number) / total;
  return { elapsed, widening };
}

interface HourOfWeek {
  readonly open: readonly SessionName[];
  readonly isWeekend: boolean;
  /** Hours since New York closed; negative before, far off when it did not close near. */
  readonly sinceNewYork: number;
}

function hoursOfWeek(week: number): HourOfWeek[] {
  // From the hour before the week to the one after it.
  const opens = Array.from({ length: HOURS + 2 }, (_, at) => getOpenSessions(weekStartMs(week) + (at - 1) * HOUR_MS));
  const isNewYorkOpen = opens.map((open) => open.includes("new_york"));
  return Array.from({ length: HOURS }, (_, hour) => {
    const open = opens[hour + 1] as readonly SessionName[];
    const [before, now, after] = isNewYorkOpen.slice(hour, hour + 3);
    const day = Math.floor(hour / 24);
    // The weekday evenings between New York's close and Sydney's opening are no weekend, only quiet.
    const isWeekend = open.length === 0 && (day === 0 || day === 6 || (day === 5 && hour % 24 > 12));
    return oneOf({ open, isWeekend, sinceNewYork: before && !now ? 0 : now && !after ? -1 : 24 });
  });
}

const kindsOfHour = new Map<string, HourOfWeek>();

/** There are a few dozen kinds of hour, and thousands of weeks to keep. */
function oneOf(hour: HourOfWeek): HourOfWeek {
  const kind = JSON.stringify(hour);
  const known = kindsOfHour.get(kind) ?? hour;
  kindsOfHour.set(kind, known);
  return known;
}

const MOST_WEEKS_SHAPED = 2_000;
const shapedHours = new Map<number, HourOfWeek[]>();

/** The same for all assets, and dear to find out: the clocks of four cities are read for every hour. */
function sessionsOfWeek(week: number): HourOfWeek[] {
  let hours = shapedHours.get(week);
  if (hours === undefined) {
    if (shapedHours.size >= MOST_WEEKS_SHAPED) shapedHours.clear();
    hours = hoursOfWeek(week);
    shapedHours.set(week, hours);
  }
  return hours;
}

function sessionWidening(open: readonly SessionName[], isWeekend: boolean): number {
  if (isWeekend) return 2.5;
  const [london, newYork, tokyo] = [open.includes("london"), open.includes("new_york"), open.includes("tokyo")];
  if (london && newYork) return 0.85;
  if (london) return 1;
  if (newYork) return 1.1;
  return tokyo ? 1.3 : 1.8;
}

/** At 17:00 New York the banks' day ends: books empty for some minutes and fill up over the next hour. */
function rolloverWidening(hours: number): number {
  if (hours < -1 / 12 || hours >= 1) return 1;
  if (hours < 0) return 1.6;
  return 1 + 4 * Math.exp(-hours * 5);
}
