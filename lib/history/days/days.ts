import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import { type PointBar, toMinuteBars } from "@/lib/history/bars/point-bar";
import { readBars } from "@/lib/history/bars/read-bars";
import type { DayHistory } from "@/lib/history/days/day-history";
import { DayTrack } from "@/lib/history/days/day-track";
import type { SecondRow } from "@/lib/history/hour-columns";
import type { OpenHoursKeeper } from "@/lib/history/open-hours";
import type { TradingDay } from "@/lib/market/day-change";
import type { Instrument } from "@/lib/market/instrument";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly openHours: OpenHoursKeeper;
  readonly instruments: readonly Pick<Instrument, "symbol" | "digits" | "tradingHours">[];
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
  #tracks: ReadonlyMap<string, DayTrack> = new Map();
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
      const { open, high, low, bid: close } = row;
      this.#tracks.get(row.symbol)?.add({ timeMs: row.second * SECOND_MS, open, high, low, close });
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
    let bars: Map<string, PointBar[]>;
    let epoch: number;
    do {
      epoch = this.#epoch;
      // Rows ahead of the market clock were recorded with another clock, and are not current.
      const toMs = openHours.completeUntilMs + HOUR_MS;
      bars = await readBars(pool, { symbols, timeframe: "M15", toMs, limit: BARS, pick: "latest" });
    } while (epoch !== this.#epoch);
    const tracks = new Map(this.#tracks);
    for (const instrument of instruments) {
      const track = new DayTrack(instrument);
      for (const bar of bars.get(instrument.symbol) ?? []) track.add(bar);
      for (const hour of openHours.getHours(instrument.symbol)) for (const bar of toMinuteBars(hour)) track.add(bar);
      tracks.set(instrument.symbol, track);
    }
    this.#tracks = tracks;
    await nextTurn();
  }
}
