import { type BarMemory, remember } from "@/lib/analytics/indicators/run";
import type { PointBar } from "@/lib/history/bars/bar-block";
import type { BarSeries } from "@/lib/history/bars/bar-history";
import { joinBars, toBar, toMinuteBars } from "@/lib/history/bars/bar-rows";
import type { OpenHoursKeeper } from "@/lib/history/open-hours";
import type { Bar } from "@/lib/market/bar";
import { type BarHole, findHoles } from "@/lib/market/expected-bars";
import type { Instrument } from "@/lib/market/instrument";
import { getBarEnd, getBarStart, type StoredTimeframe } from "@/lib/market/timeframe";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** The closed bars that are loaded for most readers. A series may grow to `MAX_BARS` before the oldest are dropped. */
export const LOADED_BARS = 900;
/** A reader that needs fewer bars of many symbols, or only the newest, loads this many. */
export const MIN_LOADED_BARS = 100;
export const MAX_BARS = 1_500;
/** A broker's clock may be ahead of the market's: rows up to this far ahead are current. */
export const AHEAD_MS = MINUTE_MS;

/** Stands for what is remembered of earlier bars in a series of a window, whose values never read it. */
export const NOT_READ: BarMemory = [];

export interface SeriesParts {
  readonly instrument: RecordedInstrument;
  readonly timeframe: StoredTimeframe;
  /** Finished bars, which consist of closed hours only. */
  readonly bars: readonly Bar[];
  /** For a timeframe longer than an hour: H1 bars of the closed hours since. */
  readonly hours: readonly PointBar[];
  /** What is remembered of the bars before these; null if there are none. */
  readonly past: BarMemory | null;
  /** When the latest of those opened: UTC milliseconds. */
  readonly pastMs: number | null;
  /** The least number of finished bars that were requested. */
  readonly loaded: number;
}

/** What bars need of their instrument. */
export type RecordedInstrument = Pick<Instrument, "symbol" | "tradingHours">;

export function isBeyondAnHour(timeframe: StoredTimeframe): boolean {
  return timeframe === "H4" || timeframe === "D1" || timeframe === "W1";
}

/** The moment from which bars of a timeframe may still grow. Earlier bars are finished and in the database. */
export function findGrowthStart(timeframe: StoredTimeframe, openHours: OpenHoursKeeper, except?: number): number {
  const oldest = openHours.listStarts().find((hourMs) => hourMs !== except) ?? Infinity;
  return getBarStart(timeframe, Math.min(oldest, openHours.completeUntilMs));
}

/**
 * The latest bars of one symbol and timeframe in memory: the database's closed hours plus the open hours. A closed hour
 * moves from one part to the other without a change for readers.
 */
export class LiveSeries {
  readonly #parts: SeriesParts;
  readonly #openHours: OpenHoursKeeper;
  #finished: readonly Bar[];
  #hours: readonly PointBar[];
  #past: BarMemory | null;
  #pastMs: number | null;
  #series: BarSeries = { closed: [], past: null, holes: [], forming: null };
  #revision = -1;
  #nextCloseMs = -Infinity;

  constructor(parts: SeriesParts, openHours: OpenHoursKeeper) {
    const { instrument, timeframe, bars, hours, past, pastMs } = parts;
    const { symbol } = instrument;
    this.#parts = parts;
    this.#openHours = openHours;
    const open = openHours.getHours(symbol);
    // A newly closed hour is in the database and, for a moment, still among the open hours here.
    const isClosed = ({ timeMs }: Pick<Bar, "timeMs">) =>
      !open.some(({ hourMs }) => timeMs >= hourMs && timeMs < hourMs + HOUR_MS);
    this.#finished = isBeyondAnHour(timeframe) ? bars : bars.filter(isClosed);
    this.#hours = hours.filter(isClosed);
    this.#past = past;
    this.#pastMs = pastMs;
    this.#dropOldest();
  }

  /** Whether there are no older bars than these. */
  get isWhole(): boolean {
    return this.#past === null;
  }

  /** Whether so many bars were loaded, or all that there are. */
  hasLoaded(count: number): boolean {
    return this.isWhole || this.#parts.loaded >= count || this.size >= count;
  }

  /** How many finished bars are in memory. */
  get size(): number {
    return this.#finished.length;
  }

  /** When the latest bar before these opened: UTC milliseconds; null without older bars. */
  get pastMs(): number | null {
    return this.#pastMs;
  }

  /** The current series; the same object until something changes. */
  read(): BarSeries {
    const revision = this.#openHours.getRevision(this.#parts.instrument.symbol);
    if (this.#revision !== revision || this.#openHours.completeUntilMs >= this.#nextCloseMs) {
      this.#rebuild();
      this.#revision = revision;
    }
    return this.#series;
  }

  /**
   * Adds the M1 bars of an hour that was closed, before it is removed from the open ones. Bars that open from
   * `growthStartMs` on may still grow then.
   */
  applyClosed(minutes: readonly PointBar[], growthStartMs: number): void {
    const finished = this.#finishBars(minutes, growthStartMs).map(toBar);
    this.#finished = [...this.#finished, ...finished];
    this.#dropOldest();
  }

  #dropOldest(): void {
    if (this.#finished.length <= MAX_BARS) return;
    const dropped = this.#finished.slice(0, -LOADED_BARS);
    if (this.#past !== NOT_READ) this.#past = remember(this.#past, dropped, this.#findHoles(dropped));
    this.#pastMs = dropped.at(-1)?.timeMs ?? null;
    this.#finished = this.#finished.slice(-LOADED_BARS);
  }

  #findHoles(bars: readonly Bar[]): BarHole[] {
    return findHoles(this.#parts.instrument, this.#parts.timeframe, bars, this.#pastMs);
  }

  #finishBars(minutes: readonly PointBar[], growthStartMs: number): readonly PointBar[] {
    const { timeframe } = this.#parts;
    if (timeframe === "M1") return minutes;
    if (!isBeyondAnHour(timeframe)) return joinBars(minutes, timeframe);
    const hours = [...this.#hours, ...joinBars(minutes, "H1")].sort((a, b) => a.timeMs - b.timeMs);
    this.#hours = hours.filter(({ timeMs }) => timeMs >= growthStartMs);
    const finished = hours.filter(({ timeMs }) => timeMs < growthStartMs);
    return joinBars(finished, timeframe);
  }

  #rebuild(): void {
    const { timeframe } = this.#parts;
    const { completeUntilMs } = this.#openHours;
    const bars = this.#buildGrowingBars().map(toBar);
    const last = bars.at(-1);
    const lastEndMs = last === undefined ? Infinity : getBarEnd(timeframe, last.timeMs);
    const forming = last !== undefined && lastEndMs > completeUntilMs ? last : null;
    const closed = [...this.#finished, ...(forming === null ? bars : bars.slice(0, -1))];
    const before = this.#series;
    this.#series = areSame(closed, before.closed)
      ? { ...before, past: this.#past, forming }
      : { closed, past: this.#past, holes: this.#findHoles(closed), forming };
    this.#nextCloseMs = forming === null ? Infinity : lastEndMs;
  }

  /** Bars that contain a part of an open hour, or of a closed one that is not in a finished bar yet. */
  #buildGrowingBars(): PointBar[] {
    const { instrument, timeframe } = this.#parts;
    const presentMs = this.#openHours.completeUntilMs + AHEAD_MS;
    const open = this.#openHours.getHours(instrument.symbol).filter(({ hourMs }) => hourMs <= presentMs);
    const bars = [...this.#hours, ...open.flatMap(toMinuteBars)];
    return timeframe === "M1" ? bars : joinBars(bars, timeframe);
  }
}

/** Whether two lists have the same bars. */
export function areSame(a: readonly Bar[], b: readonly Bar[]): boolean {
  return a.length === b.length && a.every((bar, i) => isSame(bar, b[i] as Bar));
}

function isSame(a: Bar, b: Bar): boolean {
  if (a === b) return true;
  const sameTime = a.timeMs === b.timeMs && a.volume === b.volume;
  return sameTime && a.open === b.open && a.high === b.high && a.low === b.low && a.close === b.close;
}
