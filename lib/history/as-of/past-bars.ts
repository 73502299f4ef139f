import type { BarHistory, BarSeries, ManyBars, PastSeries } from "@/lib/history/bars/bar-history";
import { LOADED_BARS } from "@/lib/history/bars/series";
import type { Bar } from "@/lib/market/bar";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { findHoles } from "@/lib/market/expected-bars";
import { getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { RecentValues } from "@/lib/platform/recent-values";
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
  readonly bars: ManyBars;
  readonly readBids: ReadBids;
  readonly marketNow: Clock;
}

/**
 * The series of the past, which many seconds share: from the close of one bar to that of the next they are the same. The
 * bar that was filling then is only in ranges.
 */
export class PastSeriesCache {
  readonly #bars: ManyBars;
  readonly #readBids: ReadBids;
  readonly #marketNow: Clock;
  readonly #series = new RecentValues<string, Known>(MAX_BARS, ({ series }) => series.closed.length + 1);
  readonly #loading = new Map<string, Promise<ReadonlyMap<string, BarSeries>>>();
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
      readSeries: (symbol, timeframe, count = LOADED_BARS) => {
        const span = { timeframe, untilMs: limit(timeframe), count };
        return this.#find(symbol, span) ?? this.#load([symbol], span).then((loaded) => loaded.get(symbol) as BarSeries);
      },
      loadAll: async (symbols, timeframe, count = LOADED_BARS) => {
        const span = { timeframe, untilMs: limit(timeframe), count };
        await this.#load(
          symbols.filter((symbol) => this.#find(symbol, span) === undefined),
          span,
        );
      },
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

  #find(symbol: string, { timeframe, untilMs, count }: Span): BarSeries | undefined {
    const known = this.#series.get(`${symbol} ${timeframe} ${untilMs}`);
    return known !== undefined && (known.count >= count || known.series.past === null) ? known.series : undefined;
  }

  /** Callers that need the same ones share the reading. */
  #load(symbols: readonly string[], span: Span): Promise<ReadonlyMap<string, BarSeries>> {
    const key = `${span.timeframe} ${span.untilMs} ${span.count} ${symbols.join()}`;
    let running = this.#loading.get(key);
    if (running === undefined) {
      running = this.#readSeries(symbols, span).finally(() => this.#loading.delete(key));
      this.#loading.set(key, running);
    }
    return running;
  }

  async #readSeries(symbols: readonly string[], { timeframe, untilMs, count }: Span) {
    const epoch = this.#epoch;
    const read = await this.#bars.readAllBefore(symbols, timeframe, { toMs: untilMs, count });
    const found = new Map<string, BarSeries>();
    for (const symbol of symbols) {
      const instrument = instrumentBySymbol.get(symbol);
      const before = read.get(symbol);
      if (instrument === undefined || before === undefined) {
        found.set(symbol, EMPTY);
        continue;
      }
      const { closed, past, pastMs } = before;
      const series = { closed, past, holes: findHoles(instrument, timeframe, closed, pastMs), forming: null };
      found.set(symbol, series);
      const isSettled = untilMs + LATE_MS < this.#marketNow();
      if (epoch === this.#epoch && isSettled) {
        this.#series.keep(`${symbol} ${timeframe} ${untilMs}`, { series, count });
      }
    }
    return found;
  }
}

/** The closed bars before a moment, UTC milliseconds: so many of them at least. */
interface Span {
  readonly timeframe: Timeframe;
  readonly untilMs: number;
  readonly count: number;
}

interface Known {
  readonly series: BarSeries;
  readonly count: number;
}
