import type { BarHistory, BarSeries } from "@/lib/history/bars/bar-history";
import { readRemembered, type RememberedBars } from "@/lib/history/bars/bar-memory";
import { barStore } from "@/lib/history/bars/bar-store";
import { type PointBar, toBar } from "@/lib/history/bars/point-bar";
import { type BarRange, readBars } from "@/lib/history/bars/read-bars";
import { findGrowthStart, isBeyondAnHour, LiveSeries, LOADED_BARS } from "@/lib/history/bars/series";
import { SeriesCache } from "@/lib/history/bars/series-cache";
import type { HourColumns } from "@/lib/history/hour-columns";
import type { OpenHoursKeeper } from "@/lib/history/open-hours";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import type { Read } from "@/lib/platform/database/replica";
import { HOUR_MS } from "@/lib/time/units";

interface Options {
  /** Reads from the database, or from a replica of it. */
  readonly read: Read;
  readonly openHours: OpenHoursKeeper;
  readonly instruments: readonly Pick<Instrument, "symbol" | "digits">[];
  /** Series in memory; the least recently used are evicted. */
  readonly maxSeries?: number;
}

/** All symbols in four timeframes: about a hundred megabytes. */
const MAX_SERIES = 648;
/** Bars are unpacked on the thread that serves prices, so each query has a bounded number of symbols. */
const SYMBOLS_PER_QUERY = 18;
const MAX_HOURS = 2_000;
const EMPTY: BarSeries = { closed: [], past: null, forming: null };
const NO_BARS: RememberedBars = { past: null, bars: [] };

/** Bars of all symbols. A series is loaded when it is first read, and follows the open hours from then on. */
export class Bars implements BarHistory {
  readonly store = barStore;
  readonly #read: Read;
  readonly #openHours: OpenHoursKeeper;
  readonly #digits: ReadonlyMap<string, number>;
  readonly #cache: SeriesCache;
  readonly #loading = new Map<string, Promise<void>>();
  /** Raised when a running read of the database becomes out of date. */
  #epoch = 0;

  constructor({ read, openHours, instruments, maxSeries = MAX_SERIES }: Options) {
    this.#read = read;
    this.#openHours = openHours;
    this.#digits = new Map(instruments.map(({ symbol, digits }) => [symbol, digits]));
    this.#cache = new SeriesCache(maxSeries);
  }

  readSeries(symbol: string, timeframe: Timeframe): BarSeries | Promise<BarSeries> {
    if (!this.#digits.has(symbol)) return EMPTY;
    const live = this.#cache.get(symbol, timeframe);
    return live === undefined ? this.#getLoaded(symbol, timeframe).then((late) => late.read()) : live.read();
  }

  async loadAll(timeframe: Timeframe): Promise<void> {
    const missing = [...this.#digits.keys()].filter((symbol) => !this.#cache.has(symbol, timeframe));
    for (let at = 0; at < missing.length; at += SYMBOLS_PER_QUERY) {
      await this.#load(missing.slice(at, at + SYMBOLS_PER_QUERY), timeframe);
    }
  }

  async readRange(
    symbol: string,
    timeframe: Timeframe,
    { fromMs = -Infinity, toMs = Infinity, limit }: { fromMs?: number; toMs?: number; limit: number },
  ): Promise<readonly Bar[]> {
    const digits = this.#digits.get(symbol);
    if (digits === undefined) return [];
    const live = await this.#getLoaded(symbol, timeframe);
    const { closed, forming } = live.read();
    const all: readonly Bar[] = forming === null ? closed : [...closed, forming];
    const firstMs = all[0]?.timeMs ?? Infinity;
    const cached = all.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs);
    const pick = fromMs === -Infinity ? "latest" : "first";
    const isEnough = live.isWhole || fromMs >= firstMs || (pick === "latest" && cached.length >= limit);
    if (isEnough) return cut(cached, limit, pick);
    // Bars older than those in memory are finished: they cannot change between the two reads.
    const range: BarRange = { symbols: [symbol], timeframe, fromMs, toMs: Math.min(toMs, firstMs), limit, pick };
    const older = (await this.#read((pool) => readBars(pool, range))).get(symbol) ?? [];
    return cut([...older.map((bar) => toBar(bar, digits)), ...cached], limit, pick);
  }

  async readBefore(
    symbol: string,
    timeframe: Timeframe,
    { toMs, count }: { toMs: number; count: number },
  ): Promise<Pick<BarSeries, "closed" | "past">> {
    const digits = this.#digits.get(symbol);
    if (digits === undefined) return EMPTY;
    const { closed, past } = (await this.#getLoaded(symbol, timeframe)).read();
    const cached = closed.filter(({ timeMs }) => timeMs < toMs);
    if (past === null || cached.length >= count) return { closed: cached, past };
    const range = { symbols: [symbol], timeframe, toMs: Math.min(toMs, closed[0]?.timeMs ?? toMs), limit: count };
    const older = (await this.#read((pool) => readRemembered(pool, range))).get(symbol) ?? NO_BARS;
    return { closed: [...older.bars.map((bar) => toBar(bar, digits)), ...cached], past: older.past };
  }

  /** Adds the bars of hours that were closed, before they are removed from the open ones. */
  applyClosed(columns: readonly HourColumns[]): void {
    this.#epoch++;
    const hourMs = columns[0]?.hourMs;
    const growthStarts = new Map(
      TIMEFRAMES.map((timeframe) => [timeframe, findGrowthStart(timeframe, this.#openHours, hourMs)]),
    );
    this.#cache.applyClosed(columns, growthStarts);
  }

  /** Drops all loaded series, because other hours were written or removed. */
  invalidate(): void {
    this.#epoch++;
    this.#cache.clear();
  }

  async #getLoaded(symbol: string, timeframe: Timeframe): Promise<LiveSeries> {
    for (;;) {
      const live = this.#cache.get(symbol, timeframe);
      if (live !== undefined) return live;
      await this.#load([symbol], timeframe);
    }
  }

  /** Loads several symbols in one query. Callers that need the same ones share the query. */
  #load(symbols: readonly string[], timeframe: Timeframe): Promise<void> {
    const key = `${timeframe} ${symbols.join()}`;
    let running = this.#loading.get(key);
    if (running === undefined) {
      running = this.#readSymbols(symbols, timeframe).finally(() => this.#loading.delete(key));
      this.#loading.set(key, running);
    }
    return running;
  }

  async #readSymbols(symbols: readonly string[], timeframe: Timeframe): Promise<void> {
    for (;;) {
      const epoch = this.#epoch;
      const growthStartMs = findGrowthStart(timeframe, this.#openHours);
      // Rows ahead of the market clock were recorded with another clock, and are not current.
      const presentMs = this.#openHours.completeUntilMs + HOUR_MS;
      const isLong = isBeyondAnHour(timeframe);
      const toMs = isLong ? growthStartMs : presentMs;
      const range = { symbols, timeframe, toMs, limit: LOADED_BARS };
      const bars = await this.#read((pool) => readRemembered(pool, range));
      const hours = isLong
        ? await this.#readHours(symbols, growthStartMs, presentMs)
        : new Map<string, readonly PointBar[]>();
      if (epoch !== this.#epoch) continue;
      for (const symbol of symbols) {
        this.#addSeries(symbol, timeframe, bars.get(symbol) ?? NO_BARS, hours.get(symbol) ?? []);
      }
      this.#cache.evict();
      return;
    }
  }

  #readHours(symbols: readonly string[], fromMs: number, toMs: number): Promise<ReadonlyMap<string, PointBar[]>> {
    const range = { symbols, timeframe: "H1", fromMs, toMs, limit: MAX_HOURS, pick: "first" } as const;
    return this.#read((pool) => readBars(pool, range));
  }

  #addSeries(symbol: string, timeframe: Timeframe, loaded: RememberedBars, hours: readonly PointBar[]): void {
    const digits = this.#digits.get(symbol) as number;
    const live = new LiveSeries({ symbol, digits, timeframe, ...loaded, hours }, this.#openHours);
    this.#cache.set(symbol, timeframe, live);
  }
}

function cut(bars: readonly Bar[], limit: number, pick: "first" | "latest"): readonly Bar[] {
  if (bars.length <= limit) return bars;
  return pick === "first" ? bars.slice(0, limit) : bars.slice(-limit);
}
