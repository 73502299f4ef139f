import { setImmediate as nextTurn } from "node:timers/promises";
import { type BarMemory, remember } from "@/lib/analytics/indicators/run";
import type { BarSeries, ManyBars, PastSeries, SeriesKind } from "@/lib/history/bars/bar-history";
import { areSame, LOADED_BARS, MAX_BARS, type RecordedInstrument } from "@/lib/history/bars/series";
import type { OpenHoursKeeper } from "@/lib/history/open-hours";
import type { TickHistory, TickRange } from "@/lib/history/ticks/tick-history";
import type { Bar } from "@/lib/market/bar";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { findHoles } from "@/lib/market/expected-bars";
import { type PriceSide, toPrice } from "@/lib/market/price";
import {
  findParts,
  getBarEnd,
  getBarStart,
  getUsualBarMs,
  isStored,
  type StoredTimeframe,
  type Timeframe,
} from "@/lib/market/timeframe";
import { RecentValues } from "@/lib/platform/recent-values";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly bars: ManyBars<StoredTimeframe>;
  readonly ticks: Pick<TickHistory, "readRange">;
  readonly openHours: Pick<OpenHoursKeeper, "completeUntilMs" | "getRevision">;
  /** The price that bars are made of; the bid unless given. Those of another one are always joined from seconds. */
  readonly side?: PriceSide;
}

type PartTimeframe = StoredTimeframe | "S1";

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
  readonly pick: "first" | "latest";
}

/** Series in memory beyond the stored ones: at most 20 MB. */
const MAX_SERIES = 150;
/**
 * Indicators start so many bars before those that are requested. The slowest average has forgotten its start then, so that
 * every reader has the same values.
 */
const REMEMBERED_BARS = 1_500;
/** No reading takes more parts than these. */
const MAX_PARTS = 150_000;
/** Parts are read in steps, between which other work has its turn. */
const PARTS_PER_READ = 10_000;
/** A reading of seconds looks into so many hours: a weekend with a holiday, and a day. */
const MAX_HOURS_OF_SECONDS = 200;
/** So many of them are read at once: a few bars need no more, and each reading costs a query. */
const HOURS_PER_READ = 4;
/** After hours without a price more of them are read at once. */
const MOST_HOURS_PER_READ = 32;
/** The seconds of so long are at hand for the bars of now. */
const RECENT_MS = HOUR_MS;
const EMPTY: BarSeries = { closed: [], past: null, holes: [], forming: null };

/**
 * Bars of every timeframe: those that are stored, and others that are joined from them when they are requested. Bars of
 * seconds, and all bars of the ask or the mid, are joined from the last quote of each recorded second, so their volume is the
 * number of seconds with a price.
 */
export class JoinedBars implements ManyBars {
  readonly #options: Options;
  readonly #side: PriceSide;
  readonly #series = new RecentValues<string, JoinedSeries>(MAX_SERIES, () => 1);
  readonly #loading = new Map<string, Promise<BarSeries>>();
  readonly #seconds = new RecentValues<string, RecentSeconds>(MAX_SERIES / 3, () => 1);
  #epoch = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#side = options.side ?? "bid";
  }

  #isStored(timeframe: Timeframe): timeframe is StoredTimeframe {
    return this.#side === "bid" && isStored(timeframe);
  }

  #findParts(timeframe: Timeframe): PartTimeframe {
    return this.#side === "bid" && !isStored(timeframe) ? findParts(timeframe) : "S1";
  }

  /** Drops what was joined, because stored hours were written again or removed. */
  invalidate(): void {
    this.#epoch++;
    this.#series.clear();
    this.#seconds.clear();
  }

  readSeries(symbol: string, timeframe: Timeframe, count?: number, kind?: SeriesKind): BarSeries | Promise<BarSeries> {
    if (this.#isStored(timeframe)) return this.#options.bars.readSeries(symbol, timeframe, count, kind);
    if (!instrumentBySymbol.has(symbol)) return EMPTY;
    const parts = this.#readPartSeries(symbol, this.#findParts(timeframe));
    if (parts instanceof Promise) return parts.then(() => this.#load(symbol, timeframe));
    return this.#follow(symbol, timeframe, parts) ?? this.#load(symbol, timeframe);
  }

  async loadAll(symbols: readonly string[], timeframe: Timeframe, count?: number, kind?: SeriesKind): Promise<void> {
    if (this.#isStored(timeframe)) return this.#options.bars.loadAll(symbols, timeframe, count, kind);
    const parts = this.#findParts(timeframe);
    if (parts !== "S1") await this.#options.bars.loadAll(symbols, parts);
  }

  async readRange(
    symbol: string,
    timeframe: Timeframe,
    range: { readonly fromMs?: number; readonly toMs?: number; readonly limit: number },
  ): Promise<readonly Bar[]> {
    if (this.#isStored(timeframe)) return this.#options.bars.readRange(symbol, timeframe, range);
    const { fromMs = -Infinity, toMs = Infinity, limit } = range;
    const pick = fromMs === -Infinity ? "latest" : "first";
    return this.#join(symbol, timeframe, { fromMs, toMs, limit, pick });
  }

  async readBefore(
    symbol: string,
    timeframe: Timeframe,
    { toMs, count }: { readonly toMs: number; readonly count: number },
  ): Promise<PastSeries> {
    if (this.#isStored(timeframe)) return this.#options.bars.readBefore(symbol, timeframe, { toMs, count });
    const limit = count + REMEMBERED_BARS;
    const bars = await this.#join(symbol, timeframe, { fromMs: -Infinity, toMs, limit, pick: "latest" });
    const closed = bars.filter(({ timeMs }) => getBarEnd(timeframe, timeMs) <= this.#options.openHours.completeUntilMs);
    return splitPast(instrumentBySymbol.get(symbol), timeframe, closed, count);
  }

  async readAllBefore(
    symbols: readonly string[],
    timeframe: Timeframe,
    range: { readonly toMs: number; readonly count: number },
  ): Promise<ReadonlyMap<string, PastSeries>> {
    if (this.#isStored(timeframe)) return this.#options.bars.readAllBefore(symbols, timeframe, range);
    const found = new Map<string, PastSeries>();
    for (const symbol of symbols) found.set(symbol, await this.readBefore(symbol, timeframe, range));
    return found;
  }

  /** The series of now, if what is known of it can be continued; null if it has to be loaded. */
  #follow(symbol: string, timeframe: Timeframe, parts: BarSeries): BarSeries | null {
    const known = this.#series.get(`${symbol} ${timeframe}`);
    return known?.follow(parts, this.#options.openHours.completeUntilMs) ?? null;
  }

  #load(symbol: string, timeframe: Timeframe): Promise<BarSeries> {
    const key = `${symbol} ${timeframe}`;
    let running = this.#loading.get(key);
    if (running === undefined) {
      running = this.#read(symbol, timeframe).finally(() => this.#loading.delete(key));
      this.#loading.set(key, running);
    }
    return running;
  }

  async #read(symbol: string, timeframe: Timeframe): Promise<BarSeries> {
    const instrument = instrumentBySymbol.get(symbol) as RecordedInstrument;
    const part = this.#findParts(timeframe);
    for (;;) {
      const epoch = this.#epoch;
      const parts = await this.#readPartSeries(symbol, part);
      const followed = this.#follow(symbol, timeframe, parts);
      if (followed !== null) return followed;
      const untilMs = findFirstWhole(timeframe, parts);
      const range = { toMs: untilMs, count: LOADED_BARS };
      const before = untilMs === -Infinity ? null : await this.readBefore(symbol, timeframe, range);
      const series = new JoinedSeries(instrument, timeframe, untilMs, before);
      const joined = series.follow(await this.#readPartSeries(symbol, part), this.#options.openHours.completeUntilMs);
      if (joined === null || epoch !== this.#epoch) continue;
      this.#series.keep(`${symbol} ${timeframe}`, series);
      return joined;
    }
  }

  #readPartSeries(symbol: string, part: PartTimeframe): BarSeries | Promise<BarSeries> {
    if (part !== "S1") return this.#options.bars.readSeries(symbol, part);
    const { openHours } = this.#options;
    const [untilMs, revision] = [openHours.completeUntilMs, openHours.getRevision(symbol)];
    const known = this.#seconds.get(symbol);
    return known?.untilMs === untilMs && known.revision === revision
      ? known.series
      : this.#readRecent(symbol, untilMs, revision);
  }

  async #readRecent(symbol: string, untilMs: number, revision: number): Promise<BarSeries> {
    const closed = await this.#readSeconds(symbol, Math.floor(untilMs / HOUR_MS) * HOUR_MS - RECENT_MS, untilMs);
    // Earlier seconds are looked up where they are needed.
    const series: BarSeries = { closed, past: [], holes: [], forming: null };
    this.#seconds.keep(symbol, { untilMs, revision, series });
    return series;
  }

  async #readSeconds(symbol: string, fromMs: number, toMs: number): Promise<Bar[]> {
    const { parts } = await this.#options.ticks.readRange(symbol, fromMs, toMs);
    return parts.flatMap(({ hour: { ticks, hourMs }, from, to }) =>
      Array.from(ticks.seconds.subarray(from, to), (second, at) => {
        const price = toSide(ticks, from + at, this.#side);
        return { timeMs: hourMs + second * SECOND_MS, open: price, high: price, low: price, close: price, volume: 1 };
      }),
    );
  }

  /** Joined bars that opened in a range, the filling one included. */
  async #join(symbol: string, timeframe: Timeframe, range: Range): Promise<readonly Bar[]> {
    const { fromMs, toMs, limit, pick } = range;
    const part = this.#findParts(timeframe);
    let sinceMs = fromMs;
    if (fromMs !== -Infinity && getBarStart(timeframe, fromMs) < fromMs) {
      sinceMs = getBarEnd(timeframe, getBarStart(timeframe, fromMs));
    }
    const untilMs = toMs === Infinity ? Infinity : getBarEnd(timeframe, getBarStart(timeframe, toMs - 1));
    if (part === "S1") return this.#joinSeconds(symbol, timeframe, { fromMs: sinceMs, toMs: untilMs, limit, pick });
    const needed = limit * countMostParts(timeframe, part);
    const requested = Math.min(MAX_PARTS, needed);
    const parts = await this.#readParts(symbol, part, { fromMs: sinceMs, toMs: untilMs, limit: requested, pick });
    const bars = joinBars(parts, timeframe);
    // A bar at which the parts are cut off is not whole. There are more bars than the limit then, but for the longest.
    const isShort = requested < needed && parts.length >= requested;
    if (pick === "first") return bars.slice(0, isShort ? Math.min(limit, bars.length - 1) : limit);
    return bars.slice(isShort ? Math.max(1, bars.length - limit) : -limit);
  }

  async #readParts(symbol: string, part: StoredTimeframe, range: Range): Promise<readonly Bar[]> {
    const { limit, pick } = range;
    let { fromMs, toMs } = range;
    const read: (readonly Bar[])[] = [];
    for (let left = limit; left > 0;) {
      const requested = Math.min(left, PARTS_PER_READ);
      const found = await this.#options.bars.readRange(symbol, part, {
        ...(fromMs === -Infinity ? {} : { fromMs }),
        ...(toMs === Infinity ? {} : { toMs }),
        limit: requested,
      });
      if (pick === "first") read.push(found);
      else read.unshift(found);
      left -= found.length;
      if (found.length < requested) break;
      if (pick === "first") fromMs = (found.at(-1)?.timeMs ?? 0) + 1;
      else toMs = found[0]?.timeMs ?? 0;
      await nextTurn();
    }
    return read.flat();
  }

  /** Joins seconds some hours at a time, from one end of a range on, until there are enough bars. */
  async #joinSeconds(symbol: string, timeframe: Timeframe, { fromMs, toMs, limit, pick }: Range): Promise<Bar[]> {
    const endMs = Math.min(toMs, this.#options.openHours.completeUntilMs);
    const [firstMs, lastMs] = [Math.floor(fromMs / HOUR_MS) * HOUR_MS, Math.ceil(endMs / HOUR_MS) * HOUR_MS];
    let bars: Bar[] = [];
    let [hours, step, seconds, wholeMs] = [0, HOURS_PER_READ, 0, pick === "first" ? Infinity : -Infinity];
    // The bar at which the reading ends may go on beyond it.
    while (bars.length <= limit) {
      const [startMs, untilMs] =
        pick === "first"
          ? [firstMs + hours * HOUR_MS, firstMs + (hours + step) * HOUR_MS]
          : [lastMs - (hours + step) * HOUR_MS, lastMs - hours * HOUR_MS];
      if (startMs >= endMs || untilMs <= fromMs) break;
      if (hours >= MAX_HOURS_OF_SECONDS || seconds >= MAX_PARTS) {
        wholeMs = pick === "first" ? startMs : untilMs;
        break;
      }
      const range = await this.#options.ticks.readRange(symbol, Math.max(fromMs, startMs), Math.min(endMs, untilMs));
      const joined = range.parts.flatMap((each) => joinTicks(each, timeframe, this.#side));
      bars =
        pick === "first"
          ? [...bars.slice(0, -1), ...joinBars([...bars.slice(-1), ...joined], timeframe)]
          : [...joinBars([...joined, ...bars.slice(0, 1)], timeframe), ...bars.slice(1)];
      hours += step;
      seconds += range.count;
      if (range.count === 0) step = Math.min(step * 2, MOST_HOURS_PER_READ);
      await nextTurn();
    }
    if (pick === "first") return bars.filter(({ timeMs }) => getBarEnd(timeframe, timeMs) <= wholeMs).slice(0, limit);
    return bars.filter(({ timeMs }) => timeMs >= wholeMs).slice(-limit);
  }
}

type Quotes = Pick<TickRange["parts"][number]["hour"]["ticks"], "bid" | "ask" | "digits">;

/** The mid is exact: it has one more digit where bid and ask are an odd number of points apart. */
function toSide({ bid, ask, digits }: Quotes, at: number, side: PriceSide): number {
  return toPrice(toSidePoints({ bid, ask }, at, side), side === "mid" ? digits + 1 : digits);
}

function toSidePoints({ bid, ask }: Pick<Quotes, "bid" | "ask">, at: number, side: PriceSide): number {
  if (side !== "mid") return (side === "bid" ? bid : ask)[at] as number;
  return ((bid[at] as number) + (ask[at] as number)) * 5;
}

/** Joins the seconds of an hour. Its first and its last bar may go on in another hour. */
function joinTicks(
  { hour: { ticks, hourMs }, from, to }: TickRange["parts"][number],
  timeframe: Timeframe,
  side: PriceSide,
) {
  const digits = side === "mid" ? ticks.digits + 1 : ticks.digits;
  const bars: Bar[] = [];
  for (let at = from; at < to;) {
    const timeMs = getBarStart(timeframe, hourMs + (ticks.seconds[at] as number) * SECOND_MS);
    const endSecond = (getBarEnd(timeframe, timeMs) - hourMs) / SECOND_MS;
    const first = at;
    const open = toSidePoints(ticks, at, side);
    let [high, low, close] = [open, open, open];
    for (at++; at < to && (ticks.seconds[at] as number) < endSecond; at++) {
      close = toSidePoints(ticks, at, side);
      if (close > high) high = close;
      if (close < low) low = close;
    }
    const price = (points: number) => toPrice(points, digits);
    bars.push({
      timeMs,
      ...{ open: price(open), high: price(high), low: price(low), close: price(close), volume: at - first },
    });
  }
  return bars;
}

interface RecentSeconds {
  readonly untilMs: number;
  readonly revision: number;
  readonly series: BarSeries;
}

/** The latest joined bars of a symbol, which follow the series of their parts. */
class JoinedSeries {
  readonly #instrument: RecordedInstrument;
  readonly #timeframe: Timeframe;
  /** Closed bars whose parts may no longer be in memory. */
  #settled: readonly Bar[];
  /** When the first bar opens after those. */
  #untilMs: number;
  #past: BarMemory | null;
  #pastMs: number | null;
  #parts: BarSeries | null = null;
  #series: BarSeries = EMPTY;
  #nextCloseMs = -Infinity;

  constructor(instrument: RecordedInstrument, timeframe: Timeframe, untilMs: number, before: PastSeries | null) {
    this.#instrument = instrument;
    this.#timeframe = timeframe;
    this.#untilMs = untilMs;
    this.#settled = before?.closed ?? [];
    this.#past = before?.past ?? null;
    this.#pastMs = before?.pastMs ?? null;
  }

  /** The series with these parts; the same object until it changes. Null if parts are missing between. */
  follow(parts: BarSeries, completeUntilMs: number): BarSeries | null {
    if (parts === this.#parts && completeUntilMs < this.#nextCloseMs) return this.#series;
    if (!this.#settle(parts)) return null;
    this.#parts = parts;
    this.#rebuild(parts, completeUntilMs);
    return this.#series;
  }

  /** Keeps the bars of parts that are no longer in memory. */
  #settle(parts: BarSeries): boolean {
    const firstMs = findFirstWhole(this.#timeframe, parts);
    if (firstMs <= this.#untilMs) return true;
    const before = this.#parts?.closed ?? [];
    if ((before.at(-1)?.timeMs ?? -Infinity) < firstMs) return false;
    const left = before.filter(({ timeMs }) => timeMs >= this.#untilMs && timeMs < firstMs);
    this.#settled = [...this.#settled, ...joinBars(left, this.#timeframe)];
    this.#untilMs = firstMs;
    if (this.#settled.length > MAX_BARS) {
      const dropped = this.#settled.slice(0, -LOADED_BARS);
      this.#past = remember(this.#past, dropped, findHoles(this.#instrument, this.#timeframe, dropped, this.#pastMs));
      this.#pastMs = dropped.at(-1)?.timeMs ?? null;
      this.#settled = this.#settled.slice(-LOADED_BARS);
    }
    return true;
  }

  #rebuild({ closed, forming }: BarSeries, completeUntilMs: number): void {
    const timeframe = this.#timeframe;
    const parts = closed.filter(({ timeMs }) => timeMs >= this.#untilMs);
    const bars = [...this.#settled, ...joinBars(forming === null ? parts : [...parts, forming], timeframe)];
    const last = bars.at(-1);
    const lastEndMs = last === undefined ? Infinity : getBarEnd(timeframe, last.timeMs);
    const isForming = last !== undefined && lastEndMs > completeUntilMs;
    const before = this.#series;
    const all = isForming ? bars.slice(0, -1) : bars;
    const now = { past: this.#past, forming: isForming ? last : null };
    this.#series = areSame(all, before.closed)
      ? { ...before, ...now }
      : { closed: all, ...now, isJoined: true, holes: findHoles(this.#instrument, timeframe, all, this.#pastMs) };
    this.#nextCloseMs = isForming ? lastEndMs : Infinity;
  }
}

/** When the first bar opened of which all parts are in a series. */
function findFirstWhole(timeframe: Timeframe, { closed, past }: BarSeries): number {
  // There are no earlier parts.
  if (past === null) return -Infinity;
  const [first] = closed;
  if (first === undefined) return -Infinity;
  const startMs = getBarStart(timeframe, first.timeMs);
  return startMs === first.timeMs ? startMs : getBarEnd(timeframe, startMs);
}

function splitPast(
  instrument: RecordedInstrument | undefined,
  timeframe: Timeframe,
  bars: readonly Bar[],
  count: number,
): PastSeries {
  const dropped = bars.slice(0, Math.max(0, bars.length - count));
  const last = dropped.at(-1);
  if (last === undefined || instrument === undefined) return { closed: bars, past: null, pastMs: null, isJoined: true };
  const past = remember(null, dropped, findHoles(instrument, timeframe, dropped, null));
  return { closed: bars.slice(dropped.length), past, pastMs: last.timeMs, isJoined: true };
}

/** The most parts of which a bar is made. A trading day may be an hour longer. */
function countMostParts(timeframe: Timeframe, part: PartTimeframe): number {
  if (timeframe === "MN1") return 31;
  const [lengthMs, partMs] = [getUsualBarMs(timeframe), getUsualBarMs(part)];
  return Math.ceil((lengthMs >= HOUR_MS && lengthMs < DAY_MS ? lengthMs + HOUR_MS : lengthMs) / partMs);
}

/** Joins bars of a shorter timeframe, oldest first. The last may be unfinished. */
function joinBars(parts: readonly Bar[], timeframe: Timeframe): Bar[] {
  const joined: Bar[] = [];
  let endMs = -Infinity;
  let last: { -readonly [Field in keyof Bar]: Bar[Field] } | null = null;
  for (const part of parts) {
    if (last !== null && part.timeMs < endMs) {
      if (part.high > last.high) last.high = part.high;
      if (part.low < last.low) last.low = part.low;
      last.close = part.close;
      last.volume += part.volume;
      continue;
    }
    const timeMs = getBarStart(timeframe, part.timeMs);
    endMs = getBarEnd(timeframe, timeMs);
    joined.push((last = { ...part, timeMs }));
  }
  return joined;
}
