import type { TradingHours } from "@/lib/market/instrument";
import { getBarEnd, getBarStart, getUsualBarMs, type Timeframe } from "@/lib/market/timeframe";
import { getLastOpenMoment, getNextOpening, isMarketOpen } from "@/lib/market/trading-hours";
import { HOUR_MS, WEEK_MS } from "@/lib/time/units";

/** Bars that are computed beyond the loaded ones, at most. Farther ones have the mean distance of a week. */
const MOST_BEYOND = 5_000;
const SAMPLE_MS = HOUR_MS / 2;

/** The mean distance between the openings of bars, by the share of the week in which the market is open. */
function findMeanLength(timeframe: Timeframe, hours: TradingHours): number {
  const usual = getUsualBarMs(timeframe);
  if (usual >= WEEK_MS) return usual;
  const samples = WEEK_MS / SAMPLE_MS;
  let open = 0;
  // A week without holidays.
  for (let at = 0; at < samples; at++) if (isMarketOpen(hours, Date.UTC(2026, 5, 7) + at * SAMPLE_MS)) open++;
  return open === 0 ? usual : (usual * samples) / open;
}

/** The index of the last bar that opened at `ms` or before; 0 if none did. */
export function findLastBefore(times: readonly number[], ms: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((times[middle] as number) <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Places moments on the time axis of a chart, counted in bars from the first loaded one: 2 where the third bar opened, 2.5
 * halfway through it. Times without bars take no space. Before the first bar and after the last one lie the bars that
 * the trading hours have room for, so that a moment of next week stays where it is when the weekend is over.
 */
export class TimeAxis {
  readonly #timeframe: Timeframe;
  readonly #hours: TradingHours;
  #times: number[] = [];
  /** Openings after the last bar, and before the first one, the nearest first. */
  #later: number[] = [];
  #earlier: number[] = [];
  #meanLength: number | undefined;

  constructor(timeframe: Timeframe, hours: TradingHours) {
    this.#timeframe = timeframe;
    this.#hours = hours;
  }

  /** Takes the bars as they are now. Does nothing while their first and last one are the same. */
  update(bars: readonly (readonly [timeMs: number, ...rest: unknown[]])[]): void {
    const [first, last] = [bars[0]?.[0], bars.at(-1)?.[0]];
    if (bars.length === this.#times.length && first === this.#times[0] && last === this.#times.at(-1)) return;
    if (first !== this.#times[0]) this.#earlier = [];
    if (last !== this.#times.at(-1)) this.#later = [];
    this.#times = bars.map(([timeMs]) => timeMs);
  }

  get isEmpty(): boolean {
    return this.#times.length === 0;
  }

  get count(): number {
    return this.#times.length;
  }

  /** The opening of the first loaded bar; Infinity without bars. */
  get firstMs(): number {
    return this.#times[0] ?? Infinity;
  }

  /** Where a moment lies; NaN without bars. */
  toLogical(ms: number): number {
    const [first, last] = [this.#times[0], this.#times.at(-1)];
    if (first === undefined || last === undefined) return NaN;
    if (ms > last) return this.#times.length - 1 + this.#placeLater(ms, last);
    return ms < first ? this.#placeEarlier(ms, first) : this.#within(this.#times, ms);
  }

  /** How many bars a moment lies after the opening of the last one. */
  #placeLater(ms: number, last: number): number {
    const end = getBarEnd(this.#timeframe, last);
    if (ms < end) return (ms - last) / (end - last);
    while ((this.#later.at(-1) ?? last) < ms && this.#later.length < MOST_BEYOND) this.#addLater(last);
    const [nearest, farthest] = [this.#later[0] ?? end, this.#later.at(-1) ?? end];
    if (ms < nearest) return 1;
    if (ms > farthest) return this.#later.length + (ms - farthest) / this.#getMean();
    return 1 + this.#within(this.#later, ms);
  }

  /** How many bars a moment lies before the opening of the first one, below 0. */
  #placeEarlier(ms: number, first: number): number {
    while ((this.#earlier.at(-1) ?? first) > ms && this.#earlier.length < MOST_BEYOND) this.#addEarlier(first);
    const farthest = this.#earlier.at(-1) ?? first;
    if (ms < farthest) return -this.#earlier.length - (farthest - ms) / this.#getMean();
    let [low, high] = [0, this.#earlier.length - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#earlier[middle] as number) <= ms) high = middle;
      else low = middle + 1;
    }
    const from = this.#earlier[low] as number;
    const next = this.#earlier[low - 1] ?? first;
    return -low - 1 + Math.min(1, (ms - from) / Math.min(this.#getLength(from), next - from));
  }

  /** The moment at a place on the axis; NaN without bars. */
  toMs(logical: number): number {
    const index = Math.floor(logical);
    const from = this.#getOpening(index);
    if (logical === index) return from;
    return from + (logical - index) * Math.min(this.#getLength(from), this.#getOpening(index + 1) - from);
  }

  /** When the bar of this index opened or will open. */
  #getOpening(index: number): number {
    const [first, last] = [this.#times[0], this.#times.at(-1)];
    if (first === undefined || last === undefined) return NaN;
    const known = this.#times[index];
    if (known !== undefined) return known;
    if (index < 0) {
      while (this.#earlier.length < -index && this.#earlier.length < MOST_BEYOND) this.#addEarlier(first);
      const near = this.#earlier[-index - 1];
      if (near !== undefined) return near;
      const farthest = this.#earlier.at(-1) ?? first;
      return farthest - (-index - this.#earlier.length) * this.#getMean();
    }
    const ahead = index - this.#times.length;
    while (this.#later.length <= ahead && this.#later.length < MOST_BEYOND) this.#addLater(last);
    const near = this.#later[ahead];
    if (near !== undefined) return near;
    const farthest = this.#later.at(-1) ?? last;
    return farthest + (ahead + 1 - this.#later.length) * this.#getMean();
  }

  #within(times: readonly number[], ms: number): number {
    const index = findLastBefore(times, ms);
    const from = times[index] as number;
    const next = times[index + 1] ?? Infinity;
    return index + Math.min(1, (ms - from) / Math.min(this.#getLength(from), next - from));
  }

  #getLength(fromMs: number): number {
    return getBarEnd(this.#timeframe, fromMs) - fromMs;
  }

  #getMean(): number {
    return (this.#meanLength ??= findMeanLength(this.#timeframe, this.#hours));
  }

  #addLater(last: number): void {
    const end = getBarEnd(this.#timeframe, this.#later.at(-1) ?? last);
    const opening = getNextOpening(this.#hours, end) ?? end;
    this.#later.push(Math.max(end, getBarStart(this.#timeframe, opening)));
  }

  #addEarlier(first: number): void {
    const from = this.#earlier.at(-1) ?? first;
    const isOpen = isMarketOpen(this.#hours, from - 1);
    // Looking for the close before a gap costs much more than asking whether there is none.
    const open = isOpen ? from - 1 : (getLastOpenMoment(this.#hours, from) ?? from - 1);
    this.#earlier.push(Math.min(getBarStart(this.#timeframe, open), from - 1));
  }
}

/** Which way a line goes on beyond its points. */
export const EXTENSIONS = ["none", "right", "left", "both"] as const;
/** How the prices of a chart are spaced: a line is straight in prices, or in their logarithms. */
export const LINE_SCALES = ["linear", "log"] as const;

/** A straight line on a chart, through two points of different moments: UTC milliseconds and a price, the earlier first. */
export interface ChartLine {
  readonly from: readonly [timeMs: number, price: number];
  readonly to: readonly [timeMs: number, price: number];
  readonly extend: (typeof EXTENSIONS)[number];
  readonly scale: (typeof LINE_SCALES)[number];
}

/** Whether the line is over at a moment, and stays so. */
export function isLineOver({ to, extend }: Pick<ChartLine, "to" | "extend">, ms: number): boolean {
  return (extend === "none" || extend === "left") && ms > to[0];
}

/**
 * The price of a line at a moment, as a chart draws it: the share of the way between its points is counted in bars of the
 * axis, so that closed hours count nothing. Null where the line is not, or while the axis has no bars.
 */
export function findLineLevel(axis: TimeAxis, line: ChartLine, ms: number): number | null {
  const { from, to, extend, scale } = line;
  const isBefore = ms < from[0] && (extend === "none" || extend === "right");
  if (axis.isEmpty || isBefore || isLineOver(line, ms)) return null;
  const start = axis.toLogical(from[0]);
  const width = axis.toLogical(to[0]) - start;
  // Both points may be in closed hours, which have no width.
  const share = width > 0 ? (axis.toLogical(ms) - start) / width : 0;
  const level = scale === "log" ? from[1] * (to[1] / from[1]) ** share : from[1] + (to[1] - from[1]) * share;
  return Number.isFinite(level) ? level : null;
}
