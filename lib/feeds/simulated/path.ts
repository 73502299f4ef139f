import { drawNormal } from "@/lib/feeds/simulated/noise";
import type { RegionName } from "@/lib/feeds/simulated/regions";
import { shapeWeek, SLOT_MS, type WeekShape } from "@/lib/feeds/simulated/week";
import { findWeek, getWeekStartMs } from "@/lib/feeds/simulated/week-hours";

/**
 * One asset's price path: the logarithm of its price relative to its usual level, as a pure function of time.
 *
 * From week to week it is a mean-reverting (Ornstein–Uhlenbeck) sum of weekly shocks. Within a week it is a Brownian
 * bridge between the two weekly values, refined by midpoint displacement (Lévy's construction) over a clock that runs
 * with the market's activity: 22 halvings reach a seventh of a second, and any moment costs at most that many steps.
 * Because it is true Brownian motion in that clock, it has no visible grid, period or seam.
 */
export interface Path {
  /** Logarithm of price over usual level at `atMs` (UTC milliseconds). */
  deviationAt(atMs: number): number;
  /** The factor on spreads at `atMs`. */
  wideningAt(atMs: number): number;
}

interface PathOptions {
  readonly seed: number;
  /** Standard deviation of a year's log return. */
  readonly yearlyVolatility: number;
  readonly region: RegionName;
}

interface Week {
  readonly number: number;
  readonly startMs: number;
  readonly shape: WeekShape;
  readonly from: number;
  readonly to: number;
  readonly volatility: number;
}

const WEEKS_A_YEAR = 52.1775;
/** Half of a deviation from the usual level is gone after eleven weeks. */
const WEEKLY_DECAY = Math.exp(-1 / 16);
/** Older shocks contribute less than a ten-thousandth. */
const MAX_SHOCKS = 150;
const HALVINGS = 22;
const CELLS = 2 ** HALVINGS;
/** Standard deviation of a midpoint around the mean of its two ends, at each halving of a unit of time. */
const DEVIATIONS = Float64Array.from({ length: HALVINGS }, (_, depth) => 0.5 * 2 ** (-depth / 2));
const MAX_CACHED_WEEKS = 3;
/** Separates the random numbers of the hours from those of the prices. */
const SHAPE_SEED = 0x5bd1e995;

export function createPath({ seed, yearlyVolatility, region }: PathOptions): Path {
  const weeks: Week[] = [];
  let current: Week | undefined;

  /**
   * The standard deviation of a week's moves, including the shock that ends it. It varies at random from week to week.
   */
  function computeVolatility(week: number): number {
    return (yearlyVolatility / Math.sqrt(WEEKS_A_YEAR)) * Math.exp(0.3 * drawNormal(seed, week, -2) - 0.09);
  }

  function computeStartValue(week: number): number {
    let value = 0;
    for (let ago = MAX_SHOCKS; ago >= 1; ago--) {
      value = value * WEEKLY_DECAY + computeVolatility(week - ago) * drawNormal(seed, week - ago, -1);
    }
    return value;
  }

  function weekAt(atMs: number): Week {
    const number = findWeek(atMs);
    if (current?.number === number) return current;
    current = weeks.find((week) => week.number === number);
    if (current === undefined) {
      const shape = shapeWeek(seed ^ SHAPE_SEED, region, number);
      const from = computeStartValue(number);
      const to = computeStartValue(number + 1);
      current = { number, startMs: getWeekStartMs(number), shape, from, to, volatility: computeVolatility(number) };
      weeks.unshift(current);
      weeks.length = Math.min(weeks.length, MAX_CACHED_WEEKS);
    }
    return current;
  }

  // The values on the way to the last cell. The next cell is usually near and shares all but the last steps.
  const lower = new Float64Array(HALVINGS + 1);
  const upper = new Float64Array(HALVINGS + 1);
  let lastWeek = NaN;
  let lastCell = 0;

  function bridgeAt(week: Week, elapsed: number): number {
    const position = elapsed * CELLS;
    const cell = Math.min(Math.floor(position), CELLS - 1);
    let depth = Math.clz32(cell ^ lastCell) - (32 - HALVINGS);
    if (week.number !== lastWeek) {
      depth = 0;
      lower[0] = week.from;
      upper[0] = week.to;
    }
    for (; depth < HALVINGS; depth++) {
      const from = lower[depth] as number;
      const to = upper[depth] as number;
      const node = (1 << depth) | (cell >>> (HALVINGS - depth));
      const around = week.volatility * (DEVIATIONS[depth] as number) * drawNormal(seed, week.number, node);
      const middle = (from + to) / 2 + around;
      const isRight = ((cell >>> (HALVINGS - 1 - depth)) & 1) === 1;
      lower[depth + 1] = isRight ? middle : from;
      upper[depth + 1] = isRight ? to : middle;
    }
    lastWeek = week.number;
    lastCell = cell;
    const [from, to] = [lower[HALVINGS] as number, upper[HALVINGS] as number];
    return from + (to - from) * (position - cell);
  }

  return {
    deviationAt(atMs) {
      const week = weekAt(atMs);
      const slots = (atMs - week.startMs) / SLOT_MS;
      const slot = Math.floor(slots);
      const { elapsed } = week.shape;
      const before = elapsed[slot] as number;
      return bridgeAt(week, before + ((elapsed[slot + 1] as number) - before) * (slots - slot));
    },
    wideningAt(atMs) {
      const week = weekAt(atMs);
      return week.shape.widening[Math.floor((atMs - week.startMs) / SLOT_MS)] as number;
    },
  };
}
