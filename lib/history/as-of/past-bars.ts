import { RecentValues } from "@/lib/history/as-of/recent-values";
import type { BarHistory, BarSeries, PastSeries } from "@/lib/history/bars/bar-history";
import { LOADED_BARS } from "@/lib/history/bars/series";
import type { Bar } from "@/lib/market/bar";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { findHoles } from "@/lib/market/expected-bars";
import { getBarStart, type Timeframe } from "@/lib/market/timeframe";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** Bars in memory beyond those of the present: some 30 MB. */
const MAX_BARS = 300_000;
/** How late an update may be added to a second of a closed bar. */
const LATE_MS = 2 * MINUTE_MS;

/** More than the hours of a month. */
const MAX_PARTS = 800;

const EMPTY: BarSeries = { closed: [], past: null, holes: [], forming: null };

/** The bids of a symbol in the seconds of [fromMs, toMs) that have one, oldest first. */
type ReadBids = (symbol: string, fromMs: number, toMs: number) => Promise<readonly number[]>;

interface Options {
  /** The bars of the present. */
  readonly bars: BarHistory;
  readonly readBids: ReadBids;
  readonly marketNow: Clock;
}

/**
 * The series of the past, which many seconds share: from the close of one bar to that of the next they are the same. The
 * bar that was filling then is only in ranges.
 */
export class PastSeriesCache {
  readonly #bars: BarHistory;
  readonly #readBids: ReadBids;
  readonly #marketNow: Clock;
  readonly #series = new RecentValues<string, BarSeries>(MAX_BARS, ({ closed }) => closed.length + 1);
  #epoch = 0;

  constructor({ bars, readBids, marketNow }: Options) {
    this.#bars = bars;
    this.#readBids = readBids;
    this.#marketNow = marketNow;
  }

  /** Drops what was read, because stored bars were written again or removed. */
  clear(): void {
    this.#epoch++;
    this.#series.clear();
  }

  /** The bars as they were at a moment, UTC milliseconds. */
  at(atMs: number): BarHistory {
    const limit = (timeframe: Timeframe, toMs = Infinity) => Math.min(toMs, getBarStart(timeframe, atMs));
    return {
      readSeries: (symbol, timeframe) => this.#read(symbol, timeframe, limit(timeframe)),
      loadAll: (symbols, timeframe) => this.#bars.loadAll(symbols, timeframe),
      readRange: async (symbol, timeframe, range): Promise<readonly Bar[]> => {
        const closed = await this.#bars.readRange(symbol, timeframe, { ...range, toMs: limit(timeframe, range.toMs) });
        const isWanted = (startMs: number) =>
          startMs < (range.toMs ?? Infinity) && startMs >= (range.fromMs ?? -Infinity);
        if (!isWanted(limit(timeframe)) || (range.fromMs !== undefined && closed.length >= range.limit)) return closed;
        const forming = await this.#readForming(symbol, timeframe, atMs);
        return forming === null ? closed : [...closed, forming].slice(-range.limit);
      },
      readBefore: (symbol, timeframe, range): Promise<PastSeries> =>
        this.#bars.readBefore(symbol, timeframe, { ...range, toMs: limit(timeframe, range.toMs) }),
    };
  }

  /**
   * The bar that was filling at a moment; null before its first update. It is made of the closed hours and minutes in it, and
   * of the last bid of each second of its newest minute, which counts as one update.
   */
  async #readForming(symbol: string, timeframe: Timeframe, atMs: number): Promise<Bar | null> {
    const startMs = getBarStart(timeframe, atMs);
    const minuteMs = Math.max(startMs, Math.floor(atMs / MINUTE_MS) * MINUTE_MS);
    const hourMs = Math.min(minuteMs, Math.max(startMs, Math.floor(atMs / HOUR_MS) * HOUR_MS));
    const firstHourMs = Math.min(hourMs, Math.ceil(startMs / HOUR_MS) * HOUR_MS);
    const read = (part: Timeframe, fromMs: number, toMs: number) =>
      fromMs < toMs ? this.#bars.readRange(symbol, part, { fromMs, toMs, limit: MAX_PARTS }) : [];
    const before = await read("M1", startMs, firstHourMs);
    const hours = await read("H1", firstHourMs, hourMs);
    const minutes = await read("M1", hourMs, minuteMs);
    // Where bars of minutes are not retained, all seconds of the hour are read.
    const bids = await this.#readBids(symbol, minutes.length === 0 ? hourMs : minuteMs, atMs);
    const seconds = bids.map((bid) => ({ open: bid, high: bid, low: bid, close: bid, volume: 1 }));
    const parts = [...before, ...hours, ...minutes, ...seconds];
    const [first, last] = [parts[0], parts.at(-1)];
    if (first === undefined || last === undefined) return null;
    return {
      timeMs: startMs,
      open: first.open,
      high: Math.max(...parts.map(({ high }) => high)),
      low: Math.min(...parts.map(({ low }) => low)),
      close: last.close,
      volume: parts.reduce((sum, { volume }) => sum + volume, 0),
    };
  }

  #read(symbol: string, timeframe: Timeframe, untilMs: number): BarSeries | Promise<BarSeries> {
    const key = `${symbol} ${timeframe} ${untilMs}`;
    return this.#series.get(key) ?? this.#load(key, symbol, timeframe, untilMs);
  }

  async #load(key: string, symbol: string, timeframe: Timeframe, untilMs: number): Promise<BarSeries> {
    const instrument = instrumentBySymbol.get(symbol);
    if (instrument === undefined) return EMPTY;
    const epoch = this.#epoch;
    const range = { toMs: untilMs, count: LOADED_BARS };
    const { closed, past, pastMs } = await this.#bars.readBefore(symbol, timeframe, range);
    const series = { closed, past, holes: findHoles(instrument, timeframe, closed, pastMs), forming: null };
    if (epoch === this.#epoch && untilMs + LATE_MS < this.#marketNow()) this.#series.keep(key, series);
    return series;
  }
}
