import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import type { PointBar } from "@/lib/history/bars/bar-block";
import { readBars, toBar, toMinuteBars } from "@/lib/history/bars/bar-rows";
import { AHEAD_MS } from "@/lib/history/bars/series";
import type { SecondRow } from "@/lib/history/hour-columns";
import type { OpenHoursKeeper } from "@/lib/history/open-hours";
import type { Bar } from "@/lib/market/bar";
import type { TradingDay } from "@/lib/market/day-change";
import type { Instrument } from "@/lib/market/instrument";
import { getBarEnd, getBarStart } from "@/lib/market/timeframe";
import { getNextOpening } from "@/lib/market/trading-hours";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS, QUARTER_HOUR_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly openHours: OpenHoursKeeper;
  readonly instruments: readonly Pick<Instrument, "symbol" | "tradingHours">[];
  readonly monotonic: Clock;
}

/** More than two days of quarters of an hour: the running day, and the last price before it. */
const BARS = 200;
/** Bars are unpacked on the thread that serves prices, so each query has a bounded number of symbols. */
const SYMBOLS_PER_QUERY = 18;
/** Hours are rewritten many times in a row while a past is filled in. */
const RELOAD_MS = MINUTE_MS / 2;

/**
 * The trading day of every symbol, in memory. It is loaded from the bars on first use and follows the recorded seconds
 * from then on. A process in which nothing reads it does no work for it.
 */
export class Days implements DayHistory {
  readonly #options: Options;
  #tracks = new Map<string, DayTrack>();
  #loading: Promise<void> | null = null;
  /** When the last load ended, also one that failed. */
  #loadedAt = -Infinity;
  #isStale = true;
  /** Raised when a running read of the database becomes out of date. */
  #epoch = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  load(): Promise<void> {
    const isDue = this.#isStale && this.#options.monotonic() - this.#loadedAt >= RELOAD_MS;
    if (this.#loading === null && isDue) {
      this.#loading = this.#read().finally(() => (this.#loading = null));
    }
    return this.#loading ?? Promise.resolve();
  }

  read(symbol: string): TradingDay | undefined {
    return this.#tracks.get(symbol)?.read();
  }

  readQuarters(symbol: string): readonly (number | null)[] {
    return this.#tracks.get(symbol)?.readQuarters() ?? [];
  }

  onRecorded(rows: readonly SecondRow[]): void {
    for (const row of rows) {
      const { digits, open, high, low, bid: close, updates: volume } = row;
      const track = this.#tracks.get(row.symbol) ?? this.#openTrack(row.symbol);
      track?.add(toBar({ timeMs: row.second * SECOND_MS, digits, open, high, low, close, volume }));
    }
  }

  /** An hour moves from the open ones to the database. */
  onClosed(): void {
    this.#epoch++;
  }

  /** Other hours were written or removed. The days are read again on the next use. */
  invalidate(): void {
    this.#epoch++;
    this.#isStale = true;
  }

  /** An instrument that was added after the days were loaded has no bars of before. */
  #openTrack(symbol: string): DayTrack | undefined {
    if (this.#loadedAt === -Infinity || this.#loading !== null) return undefined;
    const instrument = this.#options.instruments.find((each) => each.symbol === symbol);
    if (instrument === undefined) return undefined;
    const track = new DayTrack(instrument);
    this.#tracks.set(symbol, track);
    return track;
  }

  async #read(): Promise<void> {
    const { instruments, monotonic } = this.#options;
    this.#isStale = false;
    try {
      for (let at = 0; at < instruments.length; at += SYMBOLS_PER_QUERY) {
        await this.#readSome(instruments.slice(at, at + SYMBOLS_PER_QUERY));
      }
    } catch (error) {
      this.#isStale = true;
      throw error;
    } finally {
      this.#loadedAt = monotonic();
    }
  }

  async #readSome(instruments: Options["instruments"]): Promise<void> {
    const { pool, openHours } = this.#options;
    const symbols = instruments.map(({ symbol }) => symbol);
    let bars: Map<string, readonly PointBar[]>;
    let epoch: number;
    do {
      epoch = this.#epoch;
      // Rows ahead of the market clock were recorded with another clock, and are not current.
      const toMs = openHours.completeUntilMs + AHEAD_MS;
      bars = await readBars(pool, { symbols, timeframe: "M15", toMs, limit: BARS, pick: "latest" });
    } while (epoch !== this.#epoch);
    const tracks = new Map(this.#tracks);
    for (const instrument of instruments) {
      const track = new DayTrack(instrument);
      for (const bar of bars.get(instrument.symbol) ?? []) track.add(toBar(bar));
      for (const hour of openHours.getHours(instrument.symbol)) {
        for (const bar of toMinuteBars(hour)) track.add(toBar(bar));
      }
      tracks.set(instrument.symbol, track);
    }
    this.#tracks = tracks;
    await nextTurn();
  }
}

type Track = Pick<Instrument, "symbol" | "tradingHours">;
type Span = Pick<Bar, "timeMs" | "open" | "high" | "low" | "close">;

/** The running day of one symbol. Adding a span twice changes nothing. */
export class DayTrack {
  readonly #instrument: Track;
  #startMs = -Infinity;
  #endMs = -Infinity;
  #previousClose: number | null = null;
  #open = 0;
  #high = 0;
  #low = 0;
  #close = 0;
  #lastMs = -Infinity;
  /** The last bid of each quarter of an hour of the day; undefined where there was none. */
  #quarters: (number | undefined)[] = [];
  #day: TradingDay | null = null;

  constructor(instrument: Track) {
    this.#instrument = instrument;
  }

  /** Adds a recorded second, or a bar of at most a quarter of an hour. Those of earlier days are ignored. */
  add({ timeMs, open, high, low, close }: Span): void {
    if (timeMs < this.#startMs) return;
    if (timeMs >= this.#endMs) this.#begin(timeMs, open);
    if (timeMs >= this.#lastMs) {
      this.#lastMs = timeMs;
      this.#close = close;
      this.#quarters[Math.floor((timeMs - this.#startMs) / QUARTER_HOUR_MS)] = close;
    }
    if (high <= this.#high && low >= this.#low) return;
    this.#high = Math.max(this.#high, high);
    this.#low = Math.min(this.#low, low);
    this.#day = null;
  }

  /** The day; the same object until one of its figures changes. Undefined without a price. */
  read(): TradingDay | undefined {
    if (this.#endMs === -Infinity) return undefined;
    if (this.#day !== null) return this.#day;
    this.#day = {
      startMs: this.#startMs,
      previousClose: this.#previousClose,
      open: this.#open,
      high: this.#high,
      low: this.#low,
    };
    return this.#day;
  }

  /** The last bid of each quarter of an hour since the start of the day; null before the first. */
  readQuarters(): (number | null)[] {
    return Array.from(this.#quarters, (price) => price ?? null);
  }

  #begin(timeMs: number, open: number): void {
    const startMs = getBarStart("D1", timeMs);
    const isNext = this.#endMs !== -Infinity && !isTradedBetween(this.#instrument, this.#endMs, startMs);
    this.#previousClose = isNext ? this.#close : null;
    this.#startMs = startMs;
    this.#endMs = getBarEnd("D1", startMs);
    this.#open = this.#high = this.#low = open;
    this.#quarters = [];
    this.#day = null;
  }
}

/** Whether the market was open for a moment in [fromMs, toMs), so that a trading day without prices lies between. */
function isTradedBetween({ tradingHours }: Track, fromMs: number, toMs: number): boolean {
  if (fromMs >= toMs) return false;
  const openingMs = getNextOpening(tradingHours, fromMs);
  return openingMs !== null && openingMs < toMs;
}

/** The running trading day of each symbol, from its recorded seconds. */
export interface DayHistory {
  /**
   * Loads the days of all symbols, on first use and after hours were rewritten; otherwise resolves at once. Rejects when
   * the database cannot be read. Until then, reads return what is in memory.
   */
  load(): Promise<void>;
  /** The day of the latest recorded price; the same object until it changes. Undefined without a price. */
  read(symbol: string): TradingDay | undefined;
  /** The last bid of each quarter of an hour since the start of the day; null where there was none. */
  readQuarters(symbol: string): readonly (number | null)[];
}
